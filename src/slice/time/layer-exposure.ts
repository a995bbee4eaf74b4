import type { ResinProfile } from "../../catalog/profile.ts";
import { MM2_PER_CM2 } from "../../core/units.ts";
import type { LayerMeasure } from "./layer-measures.ts";

/**
 * Seconds of light that layer k, counted from 0, gets. A panel gives its energy to the whole layer at once. A laser of
 * power P fills an area at the speed P / (energy · hatch), in lines a hatch apart, so for area · energy / P; and draws the
 * outlines at P / (energy · spot), so for length · spot · energy / P.
 */
export function layerExposureS(profile: ResinProfile, k: number, layer: LayerMeasure): number {
  const { light, exposureMjPerCm2 } = profile;
  const factor = firstLayersFactor(profile, k) * thicknessFactor(profile, layer.thicknessMm);
  if (light.kind === "panel") return (factor * exposureMjPerCm2.model) / light.irradianceMwPerCm2;
  const fillMj = (exposureMjPerCm2.model * layer.areaMm2) / MM2_PER_CM2;
  const outlineMj = (exposureMjPerCm2.perimeter * layer.perimeterMm * light.spotMm) / MM2_PER_CM2;
  return (factor * (fillMj + outlineMj)) / light.powerMw;
}

/** How much more energy one of the first layers gets, so that it holds to the platform; 1 above them. */
function firstLayersFactor({ firstLayers: { count, exposureFactor, fade } }: ResinProfile, k: number): number {
  const share = Math.min(1, Math.max(0, 1 - (k - count + 1) / (fade + 1)));
  return 1 + (exposureFactor - 1) * share;
}

/**
 * How much of the profile's energy a layer needs. Light fades in resin as exp(−depth / D), so curing one layer through takes
 * energy in proportion to exp(thickness / D) (P. F. Jacobs, "Rapid Prototyping & Manufacturing", 1992, the working
 * curve). The profile's figure is for its thickest layer.
 */
function thicknessFactor({ adaptive, penetrationMm }: ResinProfile, thicknessMm: number): number {
  return adaptive ? Math.exp((thicknessMm - adaptive.maxMm) / penetrationMm) : 1;
}
