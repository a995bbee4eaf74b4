import { ensureCapacity } from "../../core/typed-arrays.ts";
import { type CutFaces, STRIDE } from "../cut-layers.ts";
import type { Segments } from "../outline-segments.ts";
import { slopeShare } from "../over-cure/slope-shares.ts";

/**
 * The share of the shift of its edge for each segment of a layer, by the slope of the facet that it is cut from; 1 for those without one. `shares`: those of
 * slopes (`slope-shares.ts`). Writes into `to`, or a longer array, and returns it.
 */
export function faceShares(
  { ends, count }: Segments,
  { corners, facets, count: cut }: CutFaces,
  [widthMm, depthMm]: readonly [number, number],
  shares: Float64Array,
  to: Float64Array<ArrayBuffer>,
): Float64Array<ArrayBuffer> {
  const out = ensureCapacity(to, count);
  for (let segment = 0; segment < cut; segment++) {
    const at = STRIDE * facets[segment];
    const ax = (corners[at + 3] - corners[at]) * widthMm;
    const ay = (corners[at + 4] - corners[at + 1]) * depthMm;
    const az = corners[at + 5] - corners[at + 2];
    const bx = (corners[at + 6] - corners[at]) * widthMm;
    const by = (corners[at + 7] - corners[at + 1]) * depthMm;
    const bz = corners[at + 8] - corners[at + 2];
    const x = ay * bz - az * by;
    const y = az * bx - ax * bz;
    const z = ax * by - ay * bx;
    // The outline has the solid on its left, seen with y down.
    const dx = (ends[4 * segment + 2] - ends[4 * segment]) * widthMm;
    const dy = (ends[4 * segment + 3] - ends[4 * segment + 1]) * depthMm;
    const down = y * dx - x * dy < 0 ? z : -z;
    const length = Math.sqrt(x * x + y * y + z * z);
    out[segment] = down > 0 && length > 0 ? slopeShare(shares, down / length) : 1;
  }
  out.fill(1, cut, count);
  return out;
}
