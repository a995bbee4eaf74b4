import { profileOf } from "../../catalog/profile.ts";
import type { ResinProfile } from "../../catalog/profile-types.ts";
import type { Setting } from "../../catalog/setting.ts";
import { normalQuantile } from "../../core/normal-distribution.ts";
import type { EdgeShifts } from "../../slice/stack.ts";
import { slopeShares } from "../../slice/over-cure/slope-shares.ts";
import { relativeExposures } from "../../slice/over-cure/relative-exposures.ts";
import { overCureDepthMm, overCureOf } from "./over-cure-of-setting.ts";

/** How far edges print beyond their places, mm. */
export interface EdgeGrowth {
  /** In normal layers, if that is corrected. */
  readonly normalMm: number;
  /** What the layers from the platform up grow more, because they are exposed longer; empty if that is not corrected. */
  readonly moreMm: readonly number[];
  readonly blurMm: number | undefined;
}

/** A dose of less than the resin needs has no edge: as if it were hardly enough. */
const LEAST_RATIO = 1.02;
/** Engines differ in the last bits of exponentials: growths are whole picometres. */
const PER_MM = 1e9;

/**
 * The growth that is corrected in the layers of a setting; undefined if none is known, or all corrections are off. The light at an edge is blurred by
 * a Gauss function with the standard deviation σ: where it is 1/R of the full dose, σ·Φ⁻¹(1 − 1/R) beyond the edge, R times what cures is
 * what cures.
 */
export function edgeGrowthOf(setting: Setting): EdgeGrowth | undefined {
  const profile = profileOf(setting);
  if (profile.family !== "resin" || !profile.cure) return undefined;
  const { cure, compensation = {} } = profile;
  const blurMm = cure.blurMm ?? setting.printerType.optics?.blur_mm?.value;
  const { exposureRatio } = cure;
  const growthMm = (exposures: number): number | undefined => {
    if (blurMm === undefined || exposureRatio === undefined) return undefined;
    return blurMm * normalQuantile(1 - 1 / Math.max(LEAST_RATIO, exposureRatio * exposures));
  };
  const computedMm = growthMm(1);
  const normalMm = compensation.edges === false ? 0 : rounded(cure.edgeGrowthMm ?? computedMm ?? 0);
  const ratios = compensation.foot === false || computedMm === undefined ? [] : firstDoses(profile);
  const moreMm = ratios.map((ratio) => rounded((growthMm(ratio) ?? 0) - (computedMm ?? 0)));
  return normalMm === 0 && moreMm.every((mm) => mm === 0) ? undefined : { normalMm, moreMm, blurMm };
}

const rounded = (mm: number): number => Math.round(PER_MM * mm) / PER_MM;

/** Doses of the layers before the normal ones ÷ that of these. Thinner layers of adaptive ones are not meant. */
function firstDoses(profile: ResinProfile): number[] {
  const { count, fade } = profile.firstLayers;
  const thicknessMm = profile.adaptive?.maxMm ?? 1;
  return [
    ...relativeExposures(
      profile,
      Float64Array.from({ length: count + fade + 1 }, (_, k) => k * thicknessMm),
    ),
  ];
}

/** The shifts of the edges of `layers` layers against what they grow; undefined if there is nothing to correct. */
export function edgeShiftsOf(setting: Setting, layers: number): EdgeShifts | undefined {
  const growth = edgeGrowthOf(setting);
  if (growth === undefined) return undefined;
  const { normalMm, moreMm, blurMm } = growth;
  return {
    // 0 − x: no −0.
    shiftsMm: Float64Array.from({ length: layers }, (_, k) => 0 - (normalMm + (moreMm[k] ?? 0))),
    blurMm,
    slopeShares: sharesOfSlopes(setting, growth),
  };
}

/** The shares of the growth that faces that look down have where they are corrected against over-cure; undefined if they are not. */
function sharesOfSlopes(setting: Setting, { normalMm, blurMm }: EdgeGrowth): Float64Array | undefined {
  const cure = overCureOf(setting);
  const throughMm = overCureDepthMm(setting) ?? 0;
  if (cure === undefined || throughMm === 0) return undefined;
  const spreadMm = blurMm ?? normalMm / normalQuantile(1 - Math.exp(-throughMm / cure.penetrationMm));
  return spreadMm > 0 ? slopeShares(cure, throughMm, spreadMm) : undefined;
}
