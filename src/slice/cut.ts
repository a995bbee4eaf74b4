import { firstAbove } from "./facet-index.ts";
import { reserve, type Segments } from "./raster/segments.ts";
import type { RasterTransform } from "./raster-map.ts";
import type { Solid } from "./solid.ts";

/** Numbers kept of a facet: its corners from the lowest to the highest, each x, y, z. */
const STRIDE = 9;

/** Facets of one solid that planes cut. */
export interface Cut {
  readonly solid: Solid;
  readonly transform: RasterTransform;
  readonly facets: Uint32Array;
  /** The number that the solid goes by in the segments. */
  readonly model: number;
}

/** What is kept of each facet; reused from one run of layers to the next, so that threads do not fill their memory. */
const scratch = {
  corners: new Float64Array(),
  /** Whether the order from lowest to highest corner runs the other way round than the facet. */
  isTurned: new Uint32Array(),
  models: new Uint32Array(),
  /** The first plane that cuts it, and the one after the last. */
  starts: new Uint32Array(),
  ends: new Uint32Array(),
  /** Facets by their first planes. */
  order: new Uint32Array(),
  /** Those that the present plane cuts. */
  active: new Uint32Array(),
};

/**
 * Cuts facets by ascending planes: each call of the result adds the outlines at the next one. A corner on a plane counts as
 * above it, and a point on an edge is always worked out from the edge's lower end, so outlines of closed solids close to the
 * bit. `isMirrored`: columns count from the right, which turns outlines round. Only one cutter at a time.
 */
export function newCutter(
  cuts: readonly Cut[],
  planesMm: Float64Array,
  isMirrored: boolean,
): (segments: Segments) => void {
  const startsAt = load(cuts, planesMm, isMirrored);
  const { corners, isTurned, models, ends, order, active } = scratch;
  let activeCount = 0;
  let plane = 0;
  return (segments) => {
    const z = planesMm[plane];
    for (let i = startsAt[plane]; i < startsAt[plane + 1]; i++) active[activeCount++] = order[i];
    reserve(segments, activeCount);
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
      if (isTurned[facet] === 0) {
        out[o] = longX;
        out[o + 1] = longY;
        out[o + 2] = shortX;
        out[o + 3] = shortY;
      } else {
        out[o] = shortX;
        out[o + 1] = shortY;
        out[o + 2] = longX;
        out[o + 3] = longY;
      }
      outModels[count++] = models[facet];
    }
    activeCount = kept;
    segments.count = count;
    plane++;
  };
}

/** Fills `scratch`; entry k of the result tells where in `order` the facets begin that plane k is the first to cut. */
function load(cuts: readonly Cut[], planesMm: Float64Array, isMirrored: boolean): Uint32Array {
  const total = cuts.reduce((sum, { facets }) => sum + facets.length, 0);
  makeRoom(total);
  const { corners, isTurned, models, starts, ends, order } = scratch;
  const startsAt = new Uint32Array(planesMm.length + 2);
  let i = 0;
  for (const { solid, transform, facets, model } of cuts) {
    for (const facet of facets) {
      isTurned[i] = placeSorted(solid, transform, 3 * facet, corners, STRIDE * i) === isMirrored ? 0 : 1;
      models[i] = model;
      starts[i] = firstAbove(planesMm, corners[STRIDE * i + 2]);
      ends[i] = firstAbove(planesMm, corners[STRIDE * i + 8]);
      startsAt[starts[i++] + 2]++;
    }
  }
  for (let plane = 2; plane < startsAt.length; plane++) startsAt[plane] += startsAt[plane - 1];
  // startsAt[k + 1] is where the next facet of plane k goes: once all are placed, startsAt is what it is named after.
  for (let facet = 0; facet < total; facet++) order[startsAt[starts[facet] + 1]++] = facet;
  return startsAt;
}

function makeRoom(facets: number): void {
  if (facets <= scratch.order.length) return;
  scratch.corners = new Float64Array(STRIDE * facets);
  for (const name of ["isTurned", "models", "starts", "ends", "order", "active"] as const) {
    scratch[name] = new Uint32Array(facets);
  }
}

/**
 * Writes the corners of a facet in raster coordinates, from the lowest to the highest. True when that order runs the other
 * way round than the facet.
 */
function placeSorted(
  { vertices, triangles }: Solid,
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
