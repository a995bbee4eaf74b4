import { crossing, normal } from "../../core/normal-distribution.ts";
import type { ResinCure } from "./cure-doses.ts";

const STEPS = 64;
/** Heights over which the light of the layers above a point is summed: edges of steep faces are then within a hundredth of the blur. */
const HEIGHTS = 100;
/** The light of a face whose blur ends so many of its deviations above the point is that of the closed form within 0.2 %. */
const FAR = 3;
/** Beyond so many blurs there is no edge. */
const MOST_BLURS = 6;
/** Engines differ in the last bits of exponentials. */
const PER_ONE = 2 ** 24;

/**
 * What faces that look down grow sideways where they are corrected against over-cure, as a share of what upright ones grow: entry i is that of faces whose
 * normal has the sine i / 64 below the horizontal. A correction that moves a slope up moves its edges inwards, too, by the more the more level it is, so that its
 * blurred light is short of what upright walls have too much. Undefined if upright walls do not grow.
 *
 * The doses of layers of no thickness add up: at x beyond a face of the slope tan θ, they are exp(p) times the mean, over heights h with the weight exp(−h / depth),
 * of Φ((h − printThrough) / (blur · tan θ) − x / blur), where p is printThrough / depth and Φ the normal distribution. The face is where they are 1: at
 * blur² · tan θ / (2 · depth), if all of the blur is above the point.
 */
export function slopeShares(
  { penetrationMm }: Pick<ResinCure, "penetrationMm">,
  printThroughMm: number,
  blurMm: number,
): Float64Array | undefined {
  const through = printThroughMm / penetrationMm;
  const blur = blurMm / penetrationMm;
  const least = Math.exp(-through);
  if (least >= 0.5) return undefined;
  // In penetration depths, each with the same weight.
  const heights = Array.from({ length: HEIGHTS }, (_, k) => -Math.log((k + 0.5) / HEIGHTS));
  // In blurs.
  const growthOf = (cotangent: number): number => {
    const spread = blur / cotangent;
    if (through / spread - spread >= FAR) return spread / 2;
    return crossing(
      (blurs) =>
        heights.reduce((sum, height) => sum + normal(((height - through) * cotangent) / blur - blurs), 0) / HEIGHTS -
        least,
      -MOST_BLURS,
      MOST_BLURS,
    );
  };
  const upright = growthOf(0);
  return Float64Array.from({ length: STEPS + 1 }, (_, i) => {
    if (i === STEPS) return 0;
    const sine = i / STEPS;
    const share = growthOf(sine / Math.sqrt(1 - sine * sine)) / upright;
    return Math.round(PER_ONE * Math.min(1, Math.max(0, share))) / PER_ONE;
  });
}

/** The share for a sine below the horizontal, interpolated; 1 above it. */
export function slopeShare(shares: Float64Array, sine: number): number {
  if (sine <= 0) return 1;
  const at = STEPS * sine;
  const below = Math.floor(at);
  if (below >= STEPS) return shares[STEPS];
  return shares[below] + (at - below) * (shares[below + 1] - shares[below]);
}
