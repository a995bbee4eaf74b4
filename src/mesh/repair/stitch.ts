import { exactLength, sizeOf } from "../../core/geometry.ts";
import type { Watch } from "../../core/watch.ts";
import { newDisjointSets } from "../disjoint-sets.ts";
import { nextInFacet } from "../edges.ts";
import { boxOf } from "../measure.ts";
import type { Surface } from "../mesh.ts";
import { vertexCount } from "../mesh.ts";
import { visitNearPairs } from "./near-pairs.ts";
import { singleStepMm } from "../single-step.ts";
import { edgesFor } from "./edges-for.ts";

/** A gap this small against the model's diagonal comes from rounding, up to so many millimetres. */
const ROUNDING_SHARE = 1e-6;
const LARGEST_ROUNDING_MM = 1e-3;
/** Wider gaps are torn seams up to this share of the diagonal, and while no printer could show them. */
const TORN_SHARE = 1e-3;
const LARGEST_TEAR_MM = 0.01;
/** Each try reaches so much farther than the one before: what lies nearest is welded first. */
const REACH_GROWTH = 4;
/** Of the shortest open edge at a vertex: farther away lies another corner of the same facet, or of a detail of that size. */
const EDGE_SHARE = 0.25;

/**
 * Welds vertices on open edges that lie close together: at once those that rounding has torn apart, then, while edges are
 * open, those of wider seams, if they lie closer than the details about them.
 */
export function stitch(surface: Surface, watch: Watch): Surface {
  const box = boxOf(surface.vertices);
  const diagonal = exactLength(sizeOf(box));
  const rounding = Math.max(Math.min(ROUNDING_SHARE * diagonal, LARGEST_ROUNDING_MM), 2 * singleStepMm(box));
  const widest = Math.min(TORN_SHARE * diagonal, LARGEST_TEAR_MM);
  let stitched = surface;
  let rim = rimOf(surface);
  for (let gap = rounding; gap === rounding || gap < REACH_GROWTH * widest; gap *= REACH_GROWTH) {
    if (rim.vertices.length === 0) break;
    const next = weld(stitched, rim, Math.min(gap, Math.max(widest, rounding)), rounding, watch);
    if (next !== stitched) rim = rimOf(next);
    stitched = next;
  }
  return stitched;
}

/** Welds what lies within `gap`, and within `rounding` whatever else lies there. */
function weld(surface: Surface, rim: Rim, gap: number, rounding: number, watch: Watch): Surface {
  const { vertices, triangles } = surface;
  const sets = newDisjointSets(vertexCount(surface));
  const reachOf = (v: number): number => Math.max(rounding, Math.min(gap, EDGE_SHARE * rim.shortestEdge[v]));
  let isAnyNear = false;
  visitNearPairs(surface, rim.vertices, gap, watch, (a, b, squared) => {
    if (squared > Math.min(reachOf(a), reachOf(b)) ** 2) return;
    isAnyNear = true;
    sets.join(a, b);
  });
  return isAnyNear ? { vertices, triangles: triangles.map((v) => sets.find(v)) } : surface;
}

interface Rim {
  /** Vertices on open edges. */
  readonly vertices: Uint32Array;
  /** Length of the shortest open edge at each vertex of the surface; infinite where there is none. */
  readonly shortestEdge: Float64Array;
}

function rimOf(surface: Surface): Rim {
  const { vertices, triangles } = surface;
  const count = vertexCount(surface);
  const { halfEdges, runs } = edgesFor(surface);
  const shortestEdge = new Float64Array(count).fill(Infinity);
  for (let edge = 0; edge + 1 < runs.length; edge++) {
    if (runs[edge + 1] - runs[edge] > 1) continue;
    const halfEdge = halfEdges[runs[edge]];
    const [a, b] = [triangles[halfEdge], triangles[nextInFacet(halfEdge)]];
    const along = (axis: number): number => vertices[3 * a + axis] - vertices[3 * b + axis];
    const size = exactLength([along(0), along(1), along(2)]);
    shortestEdge[a] = Math.min(shortestEdge[a], size);
    shortestEdge[b] = Math.min(shortestEdge[b], size);
  }
  const rim = new Uint32Array(count);
  let size = 0;
  for (let v = 0; v < count; v++) if (shortestEdge[v] < Infinity) rim[size++] = v;
  return { vertices: rim.slice(0, size), shortestEdge };
}
