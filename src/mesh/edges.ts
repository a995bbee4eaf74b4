import { nextHalfedge } from "../geometry/halfedge.ts";
import { memoize } from "../core/memoize.ts";
import { newRadixSort } from "../geometry/radix-sort.ts";
import { type Surface, vertexCount } from "./mesh.ts";

/**
 * The halfedges of a surface, grouped by edge. Halfedge 3t + k leads from corner k of facet t to its next corner. Facets
 * with a repeated corner have no halfedges here.
 */
export interface Edges {
  /** Halfedges sorted by their edges: by the smaller vertex of the edge, then by the larger. */
  readonly halfedges: Uint32Array;
  /** The larger vertex of the edge of each of `halfedges`. */
  readonly far: Uint32Array;
  /** The halfedges of edge e are `halfedges[runs[e]]` … `halfedges[runs[e + 1] - 1]`. */
  readonly runs: Uint32Array;
  /** The halfedges whose edge has v as its smaller vertex are `halfedges[starts[v]]` … `halfedges[starts[v + 1] - 1]`. */
  readonly starts: Uint32Array;
}

/** No halfedge: the surface ends at the edge. */
export const NO_HALFEDGE = 0xffff_ffff;

export const hasRepeatedCorner = (triangles: Uint32Array, facet: number): boolean => {
  const a = triangles[3 * facet];
  const b = triangles[3 * facet + 1];
  const c = triangles[3 * facet + 2];
  return a === b || b === c || a === c;
};

export function edgesOf(triangles: Uint32Array, vertexCount: number): Edges {
  // A counting sort by the smaller vertex, written out: `bucketBy` would need an array of keys and one more pass.
  const starts = new Uint32Array(vertexCount + 2);
  for (let at = 0; at < triangles.length; at += 3) {
    const a = triangles[at];
    const b = triangles[at + 1];
    const c = triangles[at + 2];
    if (a === b || b === c || a === c) continue;
    starts[(a < b ? a : b) + 2]++;
    starts[(b < c ? b : c) + 2]++;
    starts[(a < c ? a : c) + 2]++;
  }
  for (let v = 2; v < starts.length; v++) starts[v] += starts[v - 1];
  const far = new Uint32Array(starts[vertexCount + 1]);
  const halfedges = new Uint32Array(far.length);
  // Until all halfedges are placed, starts[v + 1] is the slot of the next halfedge of v.
  const place = (from: number, to: number, halfedge: number): void => {
    const slot = starts[(from < to ? from : to) + 1]++;
    far[slot] = from < to ? to : from;
    halfedges[slot] = halfedge;
  };
  for (let at = 0; at < triangles.length; at += 3) {
    const a = triangles[at];
    const b = triangles[at + 1];
    const c = triangles[at + 2];
    if (a === b || b === c || a === c) continue;
    place(a, b, at);
    place(b, c, at + 1);
    place(c, a, at + 2);
  }
  const sort = newRadixSort(longestRun(starts));
  for (let v = 0; v < vertexCount; v++) sort(far, halfedges, starts[v], starts[v + 1]);
  return { halfedges, far, runs: runsOf(starts, far, vertexCount), starts: starts.subarray(0, vertexCount + 1) };
}

function runsOf(starts: Uint32Array, far: Uint32Array, vertexCount: number): Uint32Array {
  const runs = new Uint32Array(far.length + 1);
  let count = 0;
  for (let v = 0; v < vertexCount; v++) {
    let last = -1;
    for (let i = starts[v]; i < starts[v + 1]; i++) {
      if (far[i] !== last) runs[count++] = i;
      last = far[i];
    }
  }
  runs[count] = far.length;
  return runs.subarray(0, count + 1);
}

function longestRun(starts: Uint32Array): number {
  let longest = 0;
  for (let v = 1; v < starts.length; v++) longest = Math.max(longest, starts[v] - starts[v - 1]);
  return longest;
}

/** For each halfedge of a manifold the opposite one, or {@link NO_HALFEDGE}. */
export function oppositeHalfedges(triangles: Uint32Array, vertexCount: number): Uint32Array {
  const { halfedges, runs } = edgesOf(triangles, vertexCount);
  const opposite = new Uint32Array(triangles.length).fill(NO_HALFEDGE);
  for (let edge = 0; edge + 1 < runs.length; edge++) {
    if (runs[edge + 1] - runs[edge] !== 2) continue;
    const one = halfedges[runs[edge]];
    const other = halfedges[runs[edge] + 1];
    opposite[one] = other;
    opposite[other] = one;
  }
  return opposite;
}

/** {@link edgesOf}, computed once per surface object: repair steps that change nothing return the same surface. */
export const cachedEdges: (surface: Surface) => Edges = memoize((surface: Surface) =>
  edgesOf(surface.triangles, vertexCount(surface)),
);

/** The halfedges of edges that only one facet has, in the order of their edges. */
export function boundaryHalfedges({ halfedges, runs }: Edges): Uint32Array {
  const boundary = new Uint32Array(runs.length);
  let count = 0;
  for (let edge = 0; edge + 1 < runs.length; edge++) {
    if (runs[edge + 1] - runs[edge] === 1) boundary[count++] = halfedges[runs[edge]];
  }
  return boundary.subarray(0, count);
}

/** The vertices at the ends of halfedges, each once, ascending. */
export function endVertices(surface: Surface, halfedges: Uint32Array): Uint32Array {
  const { triangles } = surface;
  const isEnd = new Uint8Array(vertexCount(surface));
  for (const halfedge of halfedges) isEnd[triangles[halfedge]] = isEnd[triangles[nextHalfedge(halfedge)]] = 1;
  const ends = new Uint32Array(Math.min(isEnd.length, 2 * halfedges.length));
  let count = 0;
  for (let v = 0; v < isEnd.length; v++) if (isEnd[v] === 1) ends[count++] = v;
  return ends.subarray(0, count);
}
