import { exactLength, sizeOf, type Vec3 } from "../../core/geometry.ts";
import type { Watch } from "../../core/watch.ts";
import { facetOf, nextInFacet, previousInFacet } from "../edges.ts";
import { boxOf } from "../measure.ts";
import type { Surface } from "../mesh.ts";
import { edgesFor } from "./edges-for.ts";
import { keepFacets } from "./keep-facets.ts";
import { newPlaceGrid } from "./place-grid.ts";
import { visitAlong } from "./visit-along.ts";

/** A vertex lies on an edge within this share of the model's diagonal, and no farther than a printer could show. */
const GAP_SHARE = 1e-5;
const LARGEST_GAP_MM = 0.01;
/** Of the edge's length: nearer to its ends a vertex is one with them, or none of its business. */
const END_SHARE = 1e-3;
/** A facet is cut at one edge in a pass, and again in the next. */
const MOST_PASSES = 4;
const EDGES_PER_REPORT = 1024;
/** Of the model's diagonal: shorter cells would make long walks along long edges. */
const LEAST_CELL = 1 / 4096;
/** Cells and vertices looked at for each open edge, on average: where there are more, facets are no more than debris. */
const MOST_LOOKS = 64;

/** Cuts facets at open edges on which vertices of other open edges lie, so that both sides have the same corners. */
export function splitTJunctions(surface: Surface, watch: Watch): Surface {
  const gap = Math.min(GAP_SHARE * exactLength(sizeOf(boxOf(surface.vertices))), LARGEST_GAP_MM);
  let split = surface;
  // What was not cut in a pass has nothing on its edges.
  let firstAsked = 0;
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    const { next, firstNew } = splitOnce(split, firstAsked, gap, watch);
    if (next === split) break;
    [split, firstAsked] = [next, firstNew];
  }
  return split;
}

/** Cuts facets from number `firstAsked` on. The pieces are the facets from `firstNew` on. */
function splitOnce(
  surface: Surface,
  firstAsked: number,
  gap: number,
  watch: Watch,
): { next: Surface; firstNew: number } {
  const unchanged = { next: surface, firstNew: 0 };
  const { vertices, triangles } = surface;
  const rim = openEdges(surface);
  if (rim.length === 0) return unchanged;
  const place = (v: number): Vec3 => [vertices[3 * v], vertices[3 * v + 1], vertices[3 * v + 2]];
  const onRim = endsOf(surface, rim);
  const points = new Float64Array(3 * onRim.length);
  onRim.forEach((v, i) => points.set(vertices.subarray(3 * v, 3 * v + 3), 3 * i));
  const grid = newPlaceGrid(points, cellFor(surface, rim, points));
  const isCut = new Uint8Array(triangles.length / 3);
  const added: number[] = [];
  for (const [i, halfEdge] of rim.entries()) {
    if (i % EDGES_PER_REPORT === 0) watch.report(i / rim.length);
    if (grid.looks() > MOST_LOOKS * rim.length) return unchanged;
    if (isCut[facetOf(halfEdge)] === 1 || facetOf(halfEdge) < firstAsked) continue;
    const [a, b] = [triangles[halfEdge], triangles[nextInFacet(halfEdge)]];
    const apex = triangles[previousInFacet(halfEdge)];
    const [from, to] = [place(a), place(b)];
    const found = new Map<number, number>();
    const shareAt = shareAlong(from, to, gap);
    visitAlong(grid, from, to, gap, (near, x, y, z) => {
      const along = shareAt(x, y, z);
      if (!(along > END_SHARE && along < 1 - END_SHARE)) return;
      const v = onRim[near];
      if (v !== a && v !== b && v !== apex) found.set(v, along);
    });
    if (found.size === 0) continue;
    isCut[facetOf(halfEdge)] = 1;
    const inner = [...found.keys()].sort((p, q) => found.get(p)! - found.get(q)! || p - q);
    const chain = [a, ...inner, b];
    for (let k = 0; k + 1 < chain.length; k++) added.push(chain[k], chain[k + 1], apex);
  }
  if (added.length === 0) return unchanged;
  const kept = keepFacets(surface, (facet) => isCut[facet] === 0).triangles;
  const all = new Uint32Array(kept.length + added.length);
  all.set(kept);
  all.set(added, kept.length);
  return { next: { vertices, triangles: all }, firstNew: kept.length / 3 };
}

/** The half-edges of edges that only one facet has. */
function openEdges(surface: Surface): Uint32Array {
  const { halfEdges, runs } = edgesFor(surface);
  const open = new Uint32Array(runs.length);
  let count = 0;
  for (let edge = 0; edge + 1 < runs.length; edge++) {
    if (runs[edge + 1] - runs[edge] === 1) open[count++] = halfEdges[runs[edge]];
  }
  return open.subarray(0, count);
}

/** The vertices at the ends of half-edges, each once, ascending. */
function endsOf({ vertices, triangles }: Surface, halfEdges: Uint32Array): Uint32Array {
  const isEnd = new Uint8Array(vertices.length / 3);
  for (const halfEdge of halfEdges) isEnd[triangles[halfEdge]] = isEnd[triangles[nextInFacet(halfEdge)]] = 1;
  return Uint32Array.from(isEnd.keys().filter((v) => isEnd[v] === 1));
}

/** As long as the open edges are on average, or shorter where their ends lie closely. */
function cellFor({ vertices, triangles }: Surface, rim: Uint32Array, points: Float64Array): number {
  let sum = 0;
  for (const halfEdge of rim) {
    const [p, q] = [3 * triangles[halfEdge], 3 * triangles[nextInFacet(halfEdge)]];
    sum += exactLength([
      vertices[p] - vertices[q],
      vertices[p + 1] - vertices[q + 1],
      vertices[p + 2] - vertices[q + 2],
    ]);
  }
  const diagonal = exactLength(sizeOf(boxOf(points)));
  const closest = diagonal / Math.cbrt(points.length / 3);
  return Math.max(Math.min(sum / rim.length, closest), LEAST_CELL * diagonal) || 1;
}

/** Tells where on a segment a point lies, from 0 to 1; −1 when it is farther away than `gap`. */
function shareAlong(from: Vec3, to: Vec3, gap: number): (x: number, y: number, z: number) => number {
  const [fromX, fromY, fromZ] = from;
  const [ux, uy, uz] = [to[0] - fromX, to[1] - fromY, to[2] - fromZ];
  const squared = ux * ux + uy * uy + uz * uz;
  return (x, y, z) => {
    const along = ((x - fromX) * ux + (y - fromY) * uy + (z - fromZ) * uz) / squared;
    const px = x - fromX - along * ux;
    const py = y - fromY - along * uy;
    const pz = z - fromZ - along * uz;
    return Math.sqrt(px * px + py * py + pz * pz) <= gap ? along : -1;
  };
}
