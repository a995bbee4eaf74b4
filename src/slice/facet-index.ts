import type { Watch } from "../core/watch.ts";
import type { RasterTransform } from "./raster-map.ts";
import type { Solid } from "./solid.ts";

/** Which facets of a solid the planes of each chunk of layers cut. */
export interface FacetIndex {
  /** The facets of chunk c are `facets[starts[c]]` … `[starts[c + 1] - 1]`, ascending. */
  readonly starts: Uint32Array;
  readonly facets: Uint32Array;
}

const FACETS_PER_REPORT = 65_536;

/**
 * `planesMm` are the heights at which layers are sampled, ascending; chunk c holds those from `chunkSize` · c on. A plane
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
  const starts = new Uint32Array(new SharedArrayBuffer(4 * (chunks + 2)));
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
  const facets = new Uint32Array(new SharedArrayBuffer(4 * starts[chunks + 1]));
  // starts[c + 1] is where the next facet of chunk c goes: once all are placed, starts is what it is named after.
  for (let facet = 0; facet < facetCount; facet++) {
    for (let chunk = firstChunk[facet]; chunk < endChunk[facet]; chunk++) facets[starts[chunk + 1]++] = facet;
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
