import { exactLength, sizeOf, type Vec3 } from "../../core/geometry.ts";
import type { Watch } from "../../core/watch.ts";
import { facetOf, nextInFacet, previousInFacet } from "../edges.ts";
import { boxOf } from "../measure.ts";
import type { Surface } from "../mesh.ts";
import { newPlaceGrid } from "./place-grid.ts";
import { edgesFor } from "./edges-for.ts";

/** A vertex lies on an edge within this share of the model's diagonal, and no farther than a printer could show. */
const GAP_SHARE = 1e-5;
const LARGEST_GAP_MM = 0.01;
/** Of the edge's length: nearer to its ends a vertex is one with them, or none of its business. */
const END_SHARE = 1e-3;
/** A facet is cut at one edge in a pass, and again in the next. */
const MOST_PASSES = 4;
const EDGES_PER_REPORT = 1024;
/** Cells and vertices looked at for each open edge, on average: where there are more, facets are no more than debris. */
const MOST_LOOKS = 64;

/** Cuts facets at open edges on which vertices of other open edges lie, so that both sides have the same corners. */
export function splitTJunctions(surface: Surface, watch: Watch): Surface {
  const { vertices } = surface;
  const gap = Math.min(GAP_SHARE * exactLength(sizeOf(boxOf(vertices))), LARGEST_GAP_MM);
  let split = surface;
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    const next = splitOnce(split, gap, watch);
    if (next === split) break;
    split = next;
  }
  return split;
}

function splitOnce(surface: Surface, gap: number, watch: Watch): Surface {
  const { vertices, triangles } = surface;
  const rim = openEdges(surface);
  if (rim.length === 0) return surface;
  const place = (v: number): Vec3 => [vertices[3 * v], vertices[3 * v + 1], vertices[3 * v + 2]];
  const ends = rim.map((halfEdge): [number, number] => [triangles[halfEdge], triangles[nextInFacet(halfEdge)]]);
  const onRim = [...new Set(ends.flat())];
  const lengths = ends.map(([a, b]) => distance(place(a), place(b)));
  const grid = newPlaceGrid(onRim.map(place), lengths.reduce((sum, size) => sum + size, 0) / lengths.length);
  const isCut = new Set<number>();
  const removed = new Set<number>();
  const added: number[] = [];
  rim.forEach((halfEdge, i) => {
    if (i % EDGES_PER_REPORT === 0) watch.report(i / rim.length);
    const facet = facetOf(halfEdge);
    if (isCut.has(facet) || grid.looks() > MOST_LOOKS * rim.length) return;
    const [a, b] = ends[i];
    const apex = triangles[previousInFacet(halfEdge)];
    const [from, to] = [place(a), place(b)];
    const found = new Map<number, number>();
    for (const near of grid.alongSegment(from, to, gap)) {
      const v = onRim[near];
      if (v === a || v === b || v === apex) continue;
      const along = shareAlong(place(v), from, to, gap);
      if (along > END_SHARE && along < 1 - END_SHARE) found.set(v, along);
    }
    if (found.size === 0) return;
    isCut.add(facet);
    removed.add(facet);
    const chain = [a, ...[...found.keys()].sort((p, q) => found.get(p)! - found.get(q)!), b];
    for (let k = 0; k + 1 < chain.length; k++) added.push(chain[k], chain[k + 1], apex);
  });
  if (added.length === 0) return surface;
  const kept = triangles.filter((_, corner) => !removed.has(facetOf(corner)));
  const all = new Uint32Array(kept.length + added.length);
  all.set(kept);
  all.set(added, kept.length);
  return { vertices, triangles: all };
}

function openEdges(surface: Surface): number[] {
  const { halfEdges, runs } = edgesFor(surface);
  const open: number[] = [];
  for (let edge = 0; edge + 1 < runs.length; edge++) {
    if (runs[edge + 1] - runs[edge] === 1) open.push(halfEdges[runs[edge]]);
  }
  return open;
}

const distance = (p: Vec3, q: Vec3): number => exactLength([p[0] - q[0], p[1] - q[1], p[2] - q[2]]);

/** Where on the segment the point lies, from 0 to 1; −1 when it is farther away than `gap`. */
function shareAlong(point: Vec3, from: Vec3, to: Vec3, gap: number): number {
  const [ux, uy, uz] = [to[0] - from[0], to[1] - from[1], to[2] - from[2]];
  const [px, py, pz] = [point[0] - from[0], point[1] - from[1], point[2] - from[2]];
  const along = (px * ux + py * uy + pz * uz) / (ux * ux + uy * uy + uz * uz);
  return exactLength([px - along * ux, py - along * uy, pz - along * uz]) <= gap ? along : -1;
}
