import { upperBound } from "../geometry/binary-search.ts";
import { addInfillOutlines } from "./infill/infill-outlines.ts";
import { midHeightsMm } from "./layer-heights.ts";
import { type Segments, closeGaps, newSegments, reserveSegments } from "./outline-segments.ts";
import { type RasterTransform, isMirrored } from "./pixel-grid.ts";
import type { RepairedSolid } from "./repaired-solid.ts";
import { type Stack, facetsOf, layerCountOf, transformOf } from "./stack.ts";

/** The outlines of a layer, as segments in pixels. */
export interface LayerOutlines {
  /** Index of the layer, counted from the platform. */
  readonly index: number;
  /** Overwritten by the next layer. */
  readonly segments: Segments;
  /** Number of the first ones that are of meshes, which join end to end; the others are of infills. All if absent. */
  readonly meshSegments?: number | undefined;
  /** The facets of the first segments. Not known if absent. */
  readonly faces?: CutFaces | undefined;
}

/** The facets that the segments of a layer are cut from, one for each of the first `count`. Overwritten by the next layer. */
export interface CutFaces extends Pick<PlacedFacets, "corners"> {
  readonly count: number;
  /** Indices in {@link PlacedFacets}. */
  readonly facets: Uint32Array;
}

const segments = newSegments();

/** Layers of a chunk from `from` to `end` − 1. */
export interface LayerRange {
  readonly from: number;
  readonly end: number;
}

/**
 * Cuts the layers of one chunk, from the lowest up, or only those in `range`, and closes the outlines of solids with gaps. All chunks of
 * a thread share memory: one must end before the next begins.
 */
export function* cutLayers(
  stack: Stack,
  chunk: number,
  poll: () => void,
  range: LayerRange = layersOf(stack, chunk),
): Generator<LayerOutlines> {
  const { from: first, end } = range;
  const planesMm = midHeightsMm(stack.boundariesMm.subarray(first, end + 1));
  const cutter = newChunkCutter(stack, placeFacets(stack, chunk), planesMm, poll);
  for (let index = first; index < end; index++) {
    const cut = cutter.cut();
    yield { index, segments: cut, meshSegments: cutter.meshSegments(), faces: cutter.faces() };
  }
}

/** Cuts the facets of a chunk at planes, one after the other. */
export interface ChunkCutter {
  /** The closed outlines at the next plane. Overwritten by the next ones. */
  cut(): Segments;
  /** Number of the last outlines that are of meshes; infills follow them. */
  meshSegments(): number;
  /** The facets of the last outlines. */
  faces(): CutFaces;
  /** Passes the next plane. */
  skip(): void;
}

/** All chunks of a thread share memory. `planesMm` ascend; `poll` is called regularly and may throw to cancel. */
export function newChunkCutter(
  { solids, solidOf, grid, infills = [] }: Stack,
  facets: PlacedFacets,
  planesMm: Float64Array,
  poll: () => void,
): ChunkCutter {
  const cutNext = newCutter(facets, planesMm);
  const hasGaps = solids.some(({ isOpen }) => isOpen);
  let plane = 0;
  let [meshSegments, facetSegments] = [0, 0];
  return {
    meshSegments: () => meshSegments,
    // Each active facet makes one segment, in their order.
    faces: () => ({ corners: scratch.corners, facets: scratch.active, count: facetSegments }),
    cut: () => {
      segments.count = 0;
      cutNext(segments);
      facetSegments = segments.count;
      if (hasGaps) closeGaps(segments, (model) => solids[solidOf[model]].isOpen, poll);
      meshSegments = segments.count;
      for (const infill of infills) addInfillOutlines(segments, infill, grid, planesMm[plane]);
      plane++;
      return segments;
    },
    skip: () => {
      cutNext(undefined);
      plane++;
    },
  };
}

/** The layers of a chunk. */
export const layersOf = (stack: Stack, chunk: number): LayerRange => ({
  from: chunk * stack.chunkSize,
  end: Math.min((chunk + 1) * stack.chunkSize, layerCountOf(stack)),
});

/** Length of a facet's record: its corners from the lowest to the highest, x, y, z of each. */
export const STRIDE = 9;

/** The facets of a chunk, in the order of models and of their facets. The arrays may be longer than their content. */
export interface PlacedFacets {
  readonly count: number;
  /** Corners in raster coordinates from the lowest to the highest, x, y, z of each. */
  readonly corners: Float64Array;
  /** 1 where the order of corners from the lowest to the highest reverses the segments of a facet. */
  readonly isReversed: Uint32Array;
  /** The model of each facet. */
  readonly models: Uint32Array;
}

/** Facets of the present chunk. The arrays are reused from chunk to chunk, so that a thread allocates few. */
const scratch = {
  corners: new Float64Array(),
  isReversed: new Uint32Array(),
  models: new Uint32Array(),
  /** The first plane that cuts the facet, and the one after the last. */
  starts: new Uint32Array(),
  ends: new Uint32Array(),
  /** Facets, sorted by their first planes. */
  order: new Uint32Array(),
  /** Facets that the present plane cuts. */
  active: new Uint32Array(),
};

/**
 * Cuts facets by ascending planes: each call of the result appends the outlines at the next plane, or passes it if there are no segments.
 * A corner on a plane counts as above it, and a point on an edge is always computed from the edge's lower end: so the outlines of closed
 * solids join bit for bit. All cutters share `scratch`.
 */
function newCutter(facets: PlacedFacets, planesMm: Float64Array): (segments: Segments | undefined) => void {
  const startsAt = sortByPlanes(facets, planesMm);
  const { corners, isReversed, models, ends, order, active } = scratch;
  let activeCount = 0;
  let plane = 0;
  return (segments) => {
    const z = planesMm[plane];
    for (let i = startsAt[plane]; i < startsAt[plane + 1]; i++) active[activeCount++] = order[i];
    if (segments === undefined) return void plane++;
    reserveSegments(segments, activeCount);
    let kept = 0;
    let count = segments.count;
    const { ends: out, models: outModels } = segments;
    for (let i = 0; i < activeCount; i++) {
      const facet = active[i];
      if (ends[facet] <= plane) continue;
      active[kept++] = facet;
      const at = STRIDE * facet;
      const lowX = corners[at];
      const lowY = corners[at + 1];
      const lowZ = corners[at + 2];
      const along = (z - lowZ) / (corners[at + 8] - lowZ);
      const longX = lowX + along * (corners[at + 6] - lowX);
      const longY = lowY + along * (corners[at + 7] - lowY);
      // The two shorter edges meet at the middle corner: from the lowest to it, or from it to the highest.
      const short = corners[at + 5] >= z ? at : at + 3;
      const fromZ = corners[short + 2];
      const alongShort = (z - fromZ) / (corners[short + 5] - fromZ);
      const shortX = corners[short] + alongShort * (corners[short + 3] - corners[short]);
      const shortY = corners[short + 1] + alongShort * (corners[short + 4] - corners[short + 1]);
      const o = 4 * count;
      const from = isReversed[facet] === 0 ? o : o + 2;
      const to = isReversed[facet] === 0 ? o + 2 : o;
      out[from] = longX;
      out[from + 1] = longY;
      out[to] = shortX;
      out[to + 1] = shortY;
      outModels[count++] = models[facet];
    }
    activeCount = kept;
    segments.count = count;
    plane++;
  };
}

/** Places the facets of a chunk. Overwritten by those of the next chunk. */
export function placeFacets(stack: Stack, chunk: number): PlacedFacets {
  const facetsOfModels = Array.from(stack.solidOf, (_, model) => facetsOf(stack, model, chunk));
  const count = facetsOfModels.reduce((sum, facets) => sum + facets.length, 0);
  makeRoom(count);
  const { corners, isReversed, models } = scratch;
  // Columns that count from the right reverse outlines.
  const reverses = isMirrored(stack.grid);
  let i = 0;
  for (const [model, facets] of facetsOfModels.entries()) {
    const solid = stack.solids[stack.solidOf[model]];
    const transform = transformOf(stack, model);
    for (const facet of facets) {
      isReversed[i] = placeSorted(solid, transform, 3 * facet, corners, STRIDE * i) === reverses ? 0 : 1;
      models[i++] = model;
    }
  }
  return { count, corners, isReversed, models };
}

/**
 * Sorts facets by the first planes that cut them. Entry k of the result is the start, in `order`, of those whose first plane is k. Not
 * `bucketBy`: this counting sort reuses memory from chunk to chunk.
 */
function sortByPlanes({ count, corners }: PlacedFacets, planesMm: Float64Array): Uint32Array {
  const { starts, ends, order } = scratch;
  const startsAt = new Uint32Array(planesMm.length + 2);
  for (let i = 0; i < count; i++) {
    starts[i] = upperBound(planesMm, corners[STRIDE * i + 2]);
    ends[i] = upperBound(planesMm, corners[STRIDE * i + 8]);
    startsAt[starts[i] + 2]++;
  }
  for (let plane = 2; plane < startsAt.length; plane++) startsAt[plane] += startsAt[plane - 1];
  // While facets are placed, startsAt[k + 1] is the next free slot of plane k; at the end it is the start of plane k + 1.
  for (let facet = 0; facet < count; facet++) order[startsAt[starts[facet] + 1]++] = facet;
  return startsAt;
}

function makeRoom(facets: number): void {
  if (facets <= scratch.order.length) return;
  scratch.corners = new Float64Array(STRIDE * facets);
  for (const name of ["isReversed", "models", "starts", "ends", "order", "active"] as const) {
    scratch[name] = new Uint32Array(facets);
  }
}

/** Writes the corners of a facet in raster coordinates, from the lowest to the highest. True if that reverses its winding. */
function placeSorted(
  { vertices, triangles }: RepairedSolid,
  m: RasterTransform,
  facet: number,
  out: Float64Array,
  at: number,
): boolean {
  for (let corner = 0; corner < 3; corner++) {
    const v = 3 * triangles[facet + corner];
    const x = vertices[v];
    const y = vertices[v + 1];
    const z = vertices[v + 2];
    out[at + 3 * corner] = m[0] * x + m[1] * y + m[2] * z + m[3];
    out[at + 3 * corner + 1] = m[4] * x + m[5] * y + m[6] * z + m[7];
    out[at + 3 * corner + 2] = m[8] * x + m[9] * y + m[10] * z + m[11];
  }
  let swaps = 0;
  if (out[at + 2] > out[at + 5]) swaps += swap(out, at, at + 3);
  if (out[at + 5] > out[at + 8]) swaps += swap(out, at + 3, at + 6);
  if (out[at + 2] > out[at + 5]) swaps += swap(out, at, at + 3);
  return swaps % 2 === 1;
}

function swap(out: Float64Array, a: number, b: number): 1 {
  for (let i = 0; i < 3; i++) {
    const held = out[a + i];
    out[a + i] = out[b + i];
    out[b + i] = held;
  }
  return 1;
}
