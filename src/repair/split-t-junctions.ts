import { facetOf, nextHalfedge, previousHalfedge } from "../geometry/halfedge.ts";
import type { Progress } from "../core/progress.ts";
import { appendNumbers } from "../core/typed-arrays.ts";
import { boxOf, boxSize } from "../geometry/box.ts";
import { newSpatialHash, visitNearSegment } from "../geometry/spatial-hash.ts";
import { distance, exactLength, type Vec3 } from "../geometry/vector.ts";
import { boundaryHalfedges, cachedEdges, endVertices } from "../mesh/edges.ts";
import { filterFacets, type Surface, vertexAt } from "../mesh/mesh.ts";

/** Greatest distance of a vertex on an edge: this share of the model's diagonal, and below the resolution of printers. */
const GAP_SHARE = 1e-5;
const MAX_GAP_MM = 0.01;
/** A vertex does not split an edge within this share of its length from its ends. */
const END_SHARE = 1e-3;
/** A pass splits each facet at one edge at most. */
const MAX_PASSES = 4;
const EDGES_PER_REPORT = 1024;
/** 7 µs for each edge, measured on 10 thousand random facets. */
const STEPS_PER_EDGE = 448;
/** Shares of the progress of a pass at which the open edges and their ends are known. Estimates. */
const SHARES = { edges: 0.1, ends: 0.2 };
/** Smallest cell, as a share of the model's diagonal: smaller ones make searches along long edges slow. */
const MIN_CELL_SHARE = 1 / 4096;
/** Mean number of cells and points visited per open edge, above which the surface is unordered debris and stays unchanged. */
const MAX_LOOKUPS_PER_EDGE = 64;

/** Splits facets at the vertices of other open edges that are on their open edges, so that both sides have the same vertices. */
export function splitTJunctions(surface: Surface, progress: Progress): Surface {
  const gap = Math.min(GAP_SHARE * exactLength(boxSize(boxOf(surface.vertices))), MAX_GAP_MM);
  let split = surface;
  // Only facets made by the previous pass can still have vertices on their edges.
  let firstCandidate = 0;
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const part = progress.part(pass / MAX_PASSES, (pass + 1) / MAX_PASSES);
    const { next, firstNew } = splitOnce(split, firstCandidate, gap, part);
    if (next === split) break;
    [split, firstCandidate] = [next, firstNew];
  }
  return split;
}

/** Splits facets of index `firstCandidate` or more. The new facets have index `firstNew` or more. */
function splitOnce(
  surface: Surface,
  firstCandidate: number,
  gap: number,
  progress: Progress,
): { next: Surface; firstNew: number } {
  const unchanged = { next: surface, firstNew: 0 };
  const { vertices, triangles } = surface;
  const boundary = boundaryHalfedges(cachedEdges(surface));
  if (boundary.length === 0) return unchanged;
  progress.report(SHARES.edges);
  const boundaryVertices = endVertices(surface, boundary);
  const points = new Float64Array(3 * boundaryVertices.length);
  boundaryVertices.forEach((v, i) => points.set(vertices.subarray(3 * v, 3 * v + 3), 3 * i));
  const hash = newSpatialHash(points, cellSizeMm(surface, boundary, points));
  const splitting = progress.part(SHARES.ends, 1);
  const isSplit = new Uint8Array(triangles.length / 3);
  const added: number[] = [];
  for (const [i, halfedge] of boundary.entries()) {
    if (i % EDGES_PER_REPORT === 0) splitting.report(i / boundary.length, STEPS_PER_EDGE * EDGES_PER_REPORT);
    if (hash.lookups() > MAX_LOOKUPS_PER_EDGE * boundary.length) return unchanged;
    if (isSplit[facetOf(halfedge)] === 1 || facetOf(halfedge) < firstCandidate) continue;
    const [a, b] = [triangles[halfedge], triangles[nextHalfedge(halfedge)]];
    const apex = triangles[previousHalfedge(halfedge)];
    const [from, to] = [vertexAt(surface, a), vertexAt(surface, b)];
    const parameters = new Map<number, number>();
    const parameterAt = parameterOnSegment(from, to, gap);
    visitNearSegment(hash, from, to, gap, (point, x, y, z) => {
      const parameter = parameterAt(x, y, z);
      if (!(parameter > END_SHARE && parameter < 1 - END_SHARE)) return;
      const v = boundaryVertices[point];
      if (v !== a && v !== b && v !== apex) parameters.set(v, parameter);
    });
    if (parameters.size === 0) continue;
    isSplit[facetOf(halfedge)] = 1;
    const inner = [...parameters].sort(([p, s], [q, t]) => s - t || p - q).map(([v]) => v);
    const chain = [a, ...inner, b];
    for (let k = 0; k + 1 < chain.length; k++) added.push(chain[k], chain[k + 1], apex);
  }
  if (added.length === 0) return unchanged;
  const kept = filterFacets(surface, (facet) => isSplit[facet] === 0).triangles;
  return { next: { vertices, triangles: appendNumbers(kept, added) }, firstNew: kept.length / 3 };
}

/** Cell size, mm: the mean length of the open edges, or less if their ends are dense. */
function cellSizeMm(surface: Surface, boundary: Uint32Array, points: Float64Array): number {
  const { triangles } = surface;
  let sum = 0;
  for (const halfedge of boundary) {
    sum += distance(vertexAt(surface, triangles[halfedge]), vertexAt(surface, triangles[nextHalfedge(halfedge)]));
  }
  const diagonal = exactLength(boxSize(boxOf(points)));
  const spacing = diagonal / Math.cbrt(points.length / 3);
  return Math.max(Math.min(sum / boundary.length, spacing), MIN_CELL_SHARE * diagonal) || 1;
}

/** Returns a function that projects a point onto a segment: its parameter from 0 to 1, or −1 if the distance is more than `gap`. */
export function parameterOnSegment(from: Vec3, to: Vec3, gap: number): (x: number, y: number, z: number) => number {
  const [fromX, fromY, fromZ] = from;
  const [ux, uy, uz] = [to[0] - fromX, to[1] - fromY, to[2] - fromZ];
  const squared = ux * ux + uy * uy + uz * uz;
  return (x, y, z) => {
    const parameter = ((x - fromX) * ux + (y - fromY) * uy + (z - fromZ) * uz) / squared;
    const px = x - fromX - parameter * ux;
    const py = y - fromY - parameter * uy;
    const pz = z - fromZ - parameter * uz;
    return Math.sqrt(px * px + py * py + pz * pz) <= gap ? parameter : -1;
  };
}
