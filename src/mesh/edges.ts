import { newRadixSort } from "./radix-sort.ts";

/**
 * Which facets use each edge of a mesh. Half-edge 3t + k goes from corner k of facet t to its next corner; its edge is
 * filed under the smaller of the two. Facets with a repeated corner have no edges here.
 */
export interface Edges {
  /** Half-edges in the order of their edges: by the smaller vertex, then by the larger. */
  readonly halfEdges: Uint32Array;
  /** The larger vertex of each of `halfEdges`. */
  readonly far: Uint32Array;
  /** Edge e has the uses `halfEdges[runs[e]]` … `[runs[e + 1] - 1]`; the last entry closes the list. */
  readonly runs: Uint32Array;
  /** The half-edges filed under vertex v are `halfEdges[starts[v]]` … `[starts[v + 1] - 1]`. */
  readonly starts: Uint32Array;
}

export const facetOf = (halfEdge: number): number => (halfEdge - (halfEdge % 3)) / 3;
export const nextInFacet = (halfEdge: number): number => (halfEdge % 3 === 2 ? halfEdge - 2 : halfEdge + 1);
export const previousInFacet = (halfEdge: number): number => (halfEdge % 3 === 0 ? halfEdge + 2 : halfEdge - 1);

export const hasRepeatedCorner = (triangles: Uint32Array, facet: number): boolean => {
  const a = triangles[3 * facet];
  const b = triangles[3 * facet + 1];
  const c = triangles[3 * facet + 2];
  return a === b || b === c || a === c;
};

export function edgesOf(triangles: Uint32Array, vertexCount: number): Edges {
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
  const halfEdges = new Uint32Array(far.length);
  // starts[v + 1] is where the next half-edge of v goes: once all are placed, starts is what it is named after.
  const place = (from: number, to: number, halfEdge: number): void => {
    const slot = starts[(from < to ? from : to) + 1]++;
    far[slot] = from < to ? to : from;
    halfEdges[slot] = halfEdge;
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
  for (let v = 0; v < vertexCount; v++) sort(far, halfEdges, starts[v], starts[v + 1]);
  return { halfEdges, far, runs: runsOf(starts, far, vertexCount), starts: starts.subarray(0, vertexCount + 1) };
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
