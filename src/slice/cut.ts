import { grown } from "../mesh/grown.ts";
import { firstAbove } from "./facet-index.ts";
import { reserve, type Segments } from "./raster/segments.ts";
import type { RasterTransform } from "./raster-map.ts";
import type { Solid } from "./solid.ts";

/** Numbers kept of a facet: its corners from the lowest to the highest, each x, y, z. */
const STRIDE = 9;

export interface CutterInput {
  readonly solid: Solid;
  readonly transform: RasterTransform;
  /** The facets that the planes cut. */
  readonly facets: Uint32Array;
  /** Columns count from the right, which turns outlines round. */
  readonly isMirrored: boolean;
  /** The number that the solid goes by in the segments. */
  readonly model: number;
}

/**
 * Cuts the facets of a solid by ascending planes: each call of the result adds the outline at the next one. A corner on a plane counts as above it, and a point on an edge is always
 * worked out from the edge's lower end, so outlines of closed solids close to the bit.
 */
export function newCutter(input: CutterInput, planesMm: Float64Array): (segments: Segments) => void {
  const { solid, transform, facets, isMirrored, model } = input;
  const corners = new Float64Array(STRIDE * facets.length);
  const isTurned = new Uint8Array(facets.length);
  const ends = new Uint16Array(facets.length);
  const startsAt = new Uint32Array(planesMm.length + 2);
  const firsts = new Uint16Array(facets.length);
  for (let i = 0; i < facets.length; i++) {
    const facet = 3 * facets[i];
    isTurned[i] = (placeSorted(solid, transform, facet, corners, STRIDE * i) ? 1 : 0) ^ (isMirrored ? 1 : 0);
    firsts[i] = firstAbove(planesMm, corners[STRIDE * i + 2]);
    ends[i] = firstAbove(planesMm, corners[STRIDE * i + 8]);
    startsAt[firsts[i] + 2]++;
  }
  for (let plane = 2; plane < startsAt.length; plane++) startsAt[plane] += startsAt[plane - 1];
  const byStart = new Uint32Array(facets.length);
  for (let i = 0; i < facets.length; i++) byStart[startsAt[firsts[i] + 1]++] = i;

  let active = new Uint32Array(1024);
  let activeCount = 0;
  let plane = 0;
  return (segments) => {
    const z = planesMm[plane];
    const from = startsAt[plane];
    const to = startsAt[plane + 1];
    active = grown(active, activeCount + to - from);
    for (let i = from; i < to; i++) active[activeCount++] = byStart[i];
    reserve(segments, activeCount);
    let kept = 0;
    let count = segments.count;
    const { ends: out, models } = segments;
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
      models[count++] = model;
    }
    activeCount = kept;
    segments.count = count;
    plane++;
  };
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
    const [x, y, z] = [vertices[v], vertices[v + 1], vertices[v + 2]];
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
