import { nextHalfedge } from "../geometry/halfedge.ts";
import type { Progress } from "../core/progress.ts";
import { boxOf, boxSize } from "../geometry/box.ts";
import { newDisjointSets } from "../geometry/disjoint-sets.ts";
import { visitNearPairs } from "../geometry/near-pairs.ts";
import { distance, exactLength } from "../geometry/vector.ts";
import { boundaryHalfedges, cachedEdges, endVertices } from "../mesh/edges.ts";
import { float32SpacingMm } from "../mesh/measure.ts";
import { type Surface, vertexAt, vertexCount } from "../mesh/mesh.ts";

/** Gaps from rounding are at most this share of the model's diagonal, or these millimetres. */
const ROUNDING_GAP_SHARE = 1e-6;
const MAX_ROUNDING_GAP_MM = 1e-3;
/** Wider gaps, up to this share of the diagonal and below the resolution of printers, are open seams. */
const SEAM_GAP_SHARE = 1e-3;
const MAX_SEAM_GAP_MM = 0.01;
/** The gap grows by this factor from pass to pass, so that the nearest vertices are welded first. */
const GAP_GROWTH = 4;
/** A vertex is welded within this share of its shortest open edge. A more distant vertex may be another corner of the same facet. */
const EDGE_SHARE = 0.25;

/**
 * Welds vertices of open edges that are close together: first within rounding errors, then, while open edges remain, in wider seams,
 * where the gap is small relative to the edges at it.
 */
export function stitchSeams(surface: Surface, progress: Progress): Surface {
  const { roundingMm: rounding, widestMm: widest } = seamGapsMm(surface);
  let stitched = surface;
  progress.report(0);
  let open = openVertices(surface);
  let rest = progress;
  for (let gap = rounding; gap === rounding || gap < GAP_GROWTH * widest; gap *= GAP_GROWTH) {
    if (open.vertices.length === 0) break;
    // Each pass takes half of the remaining progress: most surfaces need one.
    const part = rest.part(0, 0.5);
    rest = rest.part(0.5, 1);
    const next = weldWithin(stitched, open, Math.min(gap, Math.max(widest, rounding)), rounding, part);
    rest.report(0);
    if (next !== stitched) open = openVertices(next);
    stitched = next;
  }
  return stitched;
}

/** The widest gaps that come from rounding, and the widest that count as open seams. */
export function seamGapsMm({ vertices }: Surface): { readonly roundingMm: number; readonly widestMm: number } {
  const box = boxOf(vertices);
  const diagonal = exactLength(boxSize(box));
  return {
    roundingMm: Math.max(Math.min(ROUNDING_GAP_SHARE * diagonal, MAX_ROUNDING_GAP_MM), 2 * float32SpacingMm(box)),
    widestMm: Math.min(SEAM_GAP_SHARE * diagonal, MAX_SEAM_GAP_MM),
  };
}

/** Welds open vertices within `gap`, limited by the edges at them, and within `rounding` in any case. */
function weldWithin(surface: Surface, open: OpenVertices, gap: number, rounding: number, progress: Progress): Surface {
  const { vertices, triangles } = surface;
  const sets = newDisjointSets(vertexCount(surface));
  const reachOf = (v: number): number => Math.max(rounding, Math.min(gap, EDGE_SHARE * open.shortestEdge[v]));
  let isChanged = false;
  visitNearPairs(vertices, open.vertices, gap, progress, (a, b, squared) => {
    if (squared > Math.min(reachOf(a), reachOf(b)) ** 2) return;
    isChanged = true;
    sets.join(a, b);
  });
  return isChanged ? { vertices, triangles: triangles.map((v) => sets.find(v)) } : surface;
}

interface OpenVertices {
  /** Vertices on open edges, ascending. */
  readonly vertices: Uint32Array;
  /** Length of the shortest open edge at each vertex of the surface; infinite where there is none. */
  readonly shortestEdge: Float64Array;
}

function openVertices(surface: Surface): OpenVertices {
  const { triangles } = surface;
  const boundary = boundaryHalfedges(cachedEdges(surface));
  const shortestEdge = new Float64Array(vertexCount(surface)).fill(Infinity);
  for (const halfedge of boundary) {
    const [a, b] = [triangles[halfedge], triangles[nextHalfedge(halfedge)]];
    const length = distance(vertexAt(surface, a), vertexAt(surface, b));
    shortestEdge[a] = Math.min(shortestEdge[a], length);
    shortestEdge[b] = Math.min(shortestEdge[b], length);
  }
  return { vertices: endVertices(surface, boundary), shortestEdge };
}
