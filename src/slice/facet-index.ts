import type { Watch } from "../core/watch.ts";
import type { RasterTransform } from "./raster-map.ts";
import type { Solid } from "./solid.ts";

/** Which facets of solids the planes of each chunk of layers cut. Where there are n chunks, entry e starts at e · (n + 1). */
export interface FacetIndex {
  /** The facets of chunk c in entry e are `facets[starts[e · (n + 1) + c]]` … `[starts[e · (n + 1) + c + 1] - 1]`, ascending. */
  readonly starts: Uint32Array;
  readonly facets: Uint32Array;
}

const FACETS_PER_REPORT = 65_536;

/**
 * An index of one entry. `planesMm` are the heights at which layers are sampled, ascending; chunk c holds those from `chunkSize` · c on. A plane
 * cuts a facet that has a corner below it and one on it or above. The heights are those of {@link RasterTransform}'s last row.
 */
export function indexFacets(
  { vertices, triangles }: Solid,
  transform: RasterTransform,
  planesMm: Float64Array,
  chunkSize: number,
  watch: Watch,
): FacetIndex {
  const heights = heightsOf(vertices, transform);
  const chunks = Math.ceil(planesMm.length / chunkSize);
  const facetCount = triangles.length / 3;
  const starts = new Uint32Array(chunks + 2);
  const firstChunk = new Uint16Array(facetCount);
  const endChunk = new Uint16Array(facetCount);
  for (let facet = 0; facet < facetCount; facet++) {
    if (facet % FACETS_PER_REPORT === 0) watch.report(facet / facetCount);
    const a = heights[triangles[3 * facet]];
    const b = heights[triangles[3 * facet + 1]];
    const c = heights[triangles[3 * facet + 2]];
    const first = firstAbove(planesMm, a < b ? (a < c ? a : c) : b < c ? b : c);
    const end = firstAbove(planesMm, a > b ? (a > c ? a : c) : b > c ? b : c);
    if (first >= end) continue;
    firstChunk[facet] = Math.floor(first / chunkSize);
    endChunk[facet] = Math.floor((end - 1) / chunkSize) + 1;
    for (let chunk = firstChunk[facet]; chunk < endChunk[facet]; chunk++) starts[chunk + 2]++;
  }
  for (let chunk = 2; chunk < starts.length; chunk++) starts[chunk] += starts[chunk - 1];
  watch.report(1);
  const facets = new Uint32Array(starts[chunks + 1]);
  // starts[c + 1] is where the next facet of chunk c goes: once all are placed, starts is what it is named after.
  for (let facet = 0; facet < facetCount; facet++) {
    for (let chunk = firstChunk[facet]; chunk < endChunk[facet]; chunk++) facets[starts[chunk + 1]++] = facet;
  }
  return { starts: starts.subarray(0, chunks + 1), facets };
}

/** One index of the entries of several, in their order and in shared memory. */
export function joinIndices(indices: readonly FacetIndex[]): FacetIndex {
  const total = (pick: (index: FacetIndex) => Uint32Array): number =>
    indices.reduce((sum, index) => sum + pick(index).length, 0);
  const starts = new Uint32Array(new SharedArrayBuffer(4 * total((index) => index.starts)));
  const facets = new Uint32Array(new SharedArrayBuffer(4 * total((index) => index.facets)));
  let entryAt = 0;
  let facetsAt = 0;
  for (const index of indices) {
    facets.set(index.facets, facetsAt);
    for (const start of index.starts) starts[entryAt++] = facetsAt + start;
    facetsAt += index.facets.length;
  }
  return { starts, facets };
}

/** Height of each vertex above the platform, mm. */
function heightsOf(vertices: Solid["vertices"], transform: RasterTransform): Float64Array {
  const heights = new Float64Array(vertices.length / 3);
  const [x, y, z, offset] = transform.subarray(8);
  for (let v = 0; v < heights.length; v++) {
    heights[v] = x * vertices[3 * v] + y * vertices[3 * v + 1] + z * vertices[3 * v + 2] + offset;
  }
  return heights;
}

/** Index of the first plane above the height; planes on it do not count. */
export function firstAbove(planesMm: Float64Array, height: number): number {
  let from = 0;
  let to = planesMm.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (planesMm[middle] > height) to = middle;
    else from = middle + 1;
  }
  return from;
}
