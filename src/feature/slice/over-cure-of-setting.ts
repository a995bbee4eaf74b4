import { profileOf } from "../../catalog/profile.ts";
import type { Setting } from "../../catalog/setting.ts";
import { layerThicknessOf } from "../../scene/layers.ts";
import {
  type LayerCure,
  type ResinCure,
  printThroughMm,
  ratioOfPrintThrough,
} from "../../slice/over-cure/cure-doses.ts";
import { relativeExposures } from "../../slice/over-cure/relative-exposures.ts";

/** What the resin of a setting needs against its over-cure; undefined if its figures are not known, or that is switched off. */
export function overCureOf(setting: Setting): ResinCure | undefined {
  const profile = profileOf(setting);
  if (profile.family !== "resin" || profile.compensation?.overCure === false) return undefined;
  const { printThroughMm: measuredMm, exposureRatio, penetrationMm } = profile.cure ?? {};
  if (measuredMm !== undefined) {
    const depthMm = penetrationMm ?? profile.penetrationMm;
    const ratio = ratioOfPrintThrough(measuredMm, depthMm, normalThicknessMm(setting));
    return { penetrationMm: depthMm, exposureRatio: ratio };
  }
  return penetrationMm !== undefined && exposureRatio !== undefined ? { penetrationMm, exposureRatio } : undefined;
}

/** How far light shines through faces that look down, in jobs that are made against that. */
export function overCureDepthMm(setting: Setting): number | undefined {
  const cure = overCureOf(setting);
  return cure && printThroughMm(cure, normalThicknessMm(setting));
}

function normalThicknessMm(setting: Setting): number {
  const thickness = layerThicknessOf(setting);
  return typeof thickness === "number" ? thickness : thickness.maxMm;
}

/** {@link overCureOf} the setting, for layers between these boundaries. */
export function layerCureOf(setting: Setting, boundariesMm: Float64Array): LayerCure | undefined {
  const profile = profileOf(setting);
  const cure = overCureOf(setting);
  return cure && profile.family === "resin"
    ? { ...cure, exposures: relativeExposures(profile, boundariesMm) }
    : undefined;
}
