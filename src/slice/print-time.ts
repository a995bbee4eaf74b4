import type { CycleTimes, PowderProfile, Profile, ResinProfile } from "../catalog/profile-types.ts";
import type { Steps } from "../core/steps.ts";
import { MM2_PER_CM2 } from "../core/units.ts";
import type { SlabbedBody } from "../mesh/outline.ts";

/** The measures of layers that determine their print time. Layer k reaches from boundary k to boundary k + 1. */
export interface LayerMeasures {
  /** Heights from the platform upward, mm; one more entry than layers. */
  readonly boundariesMm: Float64Array;
  readonly areasMm2: Float64Array;
  /** Length of all outlines, holes included. */
  readonly perimetersMm: Float64Array;
}

/** Measures of one layer. */
interface LayerMeasure {
  readonly thicknessMm: number;
  readonly areaMm2: number;
  readonly perimeterMm: number;
}

export const measuredLayerCount = ({ areasMm2 }: LayerMeasures): number => areasMm2.length;

export const measureOfLayer = ({ boundariesMm, areasMm2, perimetersMm }: LayerMeasures, k: number): LayerMeasure => ({
  thicknessMm: boundariesMm[k + 1] - boundariesMm[k],
  areaMm2: areasMm2[k],
  perimeterMm: perimetersMm[k],
});

/** Durations in seconds. */
export interface PrintTime {
  /** From the start to the end of the last layer: `preprintS` + `printingS`. */
  readonly totalS: number;
  readonly preprintS: number;
  readonly printingS: number;
  /** Powder only; begins when `totalS` ends. */
  readonly cooling?: {
    /** Until the build may be opened. */
    readonly toRemovalS: number;
    /** From the end of `toRemovalS` until the build has room temperature. */
    readonly thenToRoomTempS: number;
  };
}

/**
 * Print time by the model of `ResinTimes` and `PowderTimes`: the sum, over the layers, of exposure or sintering, separation,
 * and travel or recoating. These are the terms of makers' slicers (Elegoo's and Prusa's profiles name each of them); the
 * figures come from profiles.json, which names their sources. 0 where there are no layers.
 */
export function printTime(profile: Profile, layers: LayerMeasures): PrintTime {
  const printingS = layerTimesS(profile, layers).reduce((sum, seconds) => sum + seconds, 0);
  return profile.family === "powder" ? powderTime(profile, layers, printingS) : resinTime(profile, layers, printingS);
}

/** Seconds from the end of the previous layer to the end of each layer. */
export function layerTimesS(profile: Profile, layers: LayerMeasures): Float64Array {
  if (profile.family === "powder") {
    const { recoat, sinterPerCm2 } = profile.timeS;
    return layers.areasMm2.map((areaMm2) => recoat + (sinterPerCm2 * areaMm2) / MM2_PER_CM2);
  }
  const { timeS, firstTimeS, firstLayers } = profile;
  const [motionS, firstMotionS] = [cycleS(timeS), cycleS({ ...timeS, ...firstTimeS })];
  return layers.areasMm2.map((areaMm2, k) => {
    const exposureS = layerExposureS(profile, k, measureOfLayer(layers, k));
    const peelS = (timeS.separationPerCm2 * areaMm2) / MM2_PER_CM2;
    return exposureS + (k < firstLayers.count ? firstMotionS : motionS) + peelS;
  });
}

const cycleS = ({ postExposureWait, separation, openWait, travel, wait }: CycleTimes): number =>
  postExposureWait + separation + openWait + travel + wait;

function resinTime({ timeS }: ResinProfile, layers: LayerMeasures, printingS: number): PrintTime {
  const preprintS = measuredLayerCount(layers) === 0 ? 0 : timeS.preprint;
  return { totalS: preprintS + printingS, preprintS, printingS };
}

/** The powder below the parts is spread while the machine heats, the powder above them after the last layer of parts. */
function powderTime({ timeS, bufferMm }: PowderProfile, layers: LayerMeasures, printingS: number): PrintTime {
  const count = measuredLayerCount(layers);
  if (count === 0) {
    return { totalS: 0, preprintS: 0, printingS: 0, cooling: { toRemovalS: 0, thenToRoomTempS: 0 } };
  }
  const topMm = layers.boundariesMm[count];
  const thicknessMm = topMm / count;
  const preprintS = timeS.heating + timeS.recoat * Math.ceil(bufferMm.below / thicknessMm);
  const coveredS = printingS + timeS.recoat * Math.ceil(bufferMm.above / thicknessMm);
  const heightMm = bufferMm.below + topMm + bufferMm.above;
  return {
    totalS: preprintS + coveredS,
    preprintS,
    printingS: coveredS,
    cooling: {
      toRemovalS: timeS.coolToRemoval + timeS.coolToRemovalPerMm * heightMm,
      thenToRoomTempS: timeS.coolToRoom,
    },
  };
}

/**
 * Exposure time of layer k (0-based), seconds. A panel exposes the whole layer at once. A laser of power P fills an area in
 * lines a hatch apart at the speed P / (energy · hatch), which takes area · energy / P, and draws outlines at the speed
 * P / (energy · spot), which takes length · spot · energy / P.
 */
export function layerExposureS(profile: ResinProfile, k: number, layer: LayerMeasure): number {
  const { light, exposureMjPerCm2, exposureS } = profile;
  const share = firstLayersShare(profile, k);
  const thickness = thicknessFactor(profile, layer.thicknessMm);
  if (exposureS) return thickness * (exposureS.normal + (exposureS.first - exposureS.normal) * share);
  const factor = thickness * (1 + (profile.firstLayers.exposureFactor - 1) * share);
  if (light.kind === "panel") return (factor * exposureMjPerCm2.model) / light.irradianceMwPerCm2;
  const fillMj = (exposureMjPerCm2.model * layer.areaMm2) / MM2_PER_CM2;
  const outlineMj = (exposureMjPerCm2.perimeter * layer.perimeterMm * light.spotMm) / MM2_PER_CM2;
  return (factor * (fillMj + outlineMj)) / light.powerMw;
}

/** How far a layer has the exposure of the first layers, which must adhere to the platform: 1 for these, 0 for normal ones. */
const firstLayersShare = ({ firstLayers: { count, fade } }: ResinProfile, k: number): number =>
  Math.min(1, Math.max(0, 1 - (k - count + 1) / (fade + 1)));

/**
 * Share of the profile's energy that a layer needs. Light decays in resin as exp(−depth / D), so that the energy to cure a layer is
 * proportional to exp(thickness / D) (P. F. Jacobs, "Rapid Prototyping & Manufacturing", 1992, the working curve). The profile states
 * the energy of its thickest layer.
 */
function thicknessFactor({ adaptive, penetrationMm }: ResinProfile, thicknessMm: number): number {
  return adaptive ? Math.exp((thicknessMm - adaptive.maxMm) / penetrationMm) : 1;
}

/** Bodies that are spread over the layers in one step: each takes up to 0.2 ms. */
const BODIES_PER_STEP = 32;

/**
 * Estimates the measures of layers without slicing: the volume and wall area of each slab are distributed evenly over the layers that
 * it crosses. Their sums are exact. The common volume of several bodies is subtracted from the areas of its layers, and the outlines
 * are reduced by the same share. `maxAreaMm2`, the area of the platform, is an upper bound of each layer's area. In steps: each of
 * 10,000 bodies may cross 10,000 layers.
 */
export function* estimateLayerMeasures(
  boundariesMm: Float64Array,
  bodies: readonly SlabbedBody[],
  common: readonly VolumeSlabs[],
  maxAreaMm2: number,
): Steps<LayerMeasures> {
  const volumesMm3 = new Float64Array(boundariesMm.length - 1);
  const commonMm3 = new Float64Array(boundariesMm.length - 1);
  const wallsMm2 = new Float64Array(boundariesMm.length - 1);
  for (const [i, { slabs, bottomMm, topMm, scale, count, solidShare }] of bodies.entries()) {
    if (i > 0 && i % BODIES_PER_STEP === 0) yield;
    spreadOverLayers(boundariesMm, slabs.volumesMm3, bottomMm, topMm, solidShare * count * scale ** 3, volumesMm3);
    spreadOverLayers(boundariesMm, slabs.wallAreasMm2, bottomMm, topMm, count * scale ** 2, wallsMm2);
  }
  for (const [i, { volumesMm3: amounts, bottomMm, topMm }] of common.entries()) {
    if (i > 0 && i % BODIES_PER_STEP === 0) yield;
    spreadOverLayers(boundariesMm, amounts, bottomMm, topMm, 1, commonMm3);
  }
  const thicknessMm = (k: number): number => boundariesMm[k + 1] - boundariesMm[k];
  const onceShare = (k: number): number => (volumesMm3[k] > 0 ? Math.max(0, 1 - commonMm3[k] / volumesMm3[k]) : 1);
  return {
    boundariesMm,
    areasMm2: volumesMm3.map((volume, k) => {
      const areaMm2 = (onceShare(k) * volume) / thicknessMm(k);
      return Math.min(maxAreaMm2, Math.max(0, areaMm2));
    }),
    perimetersMm: wallsMm2.map((wall, k) => (onceShare(k) * wall) / thicknessMm(k)),
  };
}

/** Volumes of slabs of equal height, from the lowest up. */
export interface VolumeSlabs {
  readonly bottomMm: number;
  readonly topMm: number;
  readonly volumesMm3: Float32Array;
}

/**
 * Adds `factor` times the amounts of height steps to the layers that they cross. The steps divide the height between two heights
 * equally.
 */
function spreadOverLayers(
  boundariesMm: Float64Array,
  amounts: Float32Array,
  bottomMm: number,
  topMm: number,
  factor: number,
  layers: Float64Array,
): void {
  const stepMm = (topMm - bottomMm) / amounts.length;
  let layer = 0;
  for (let step = 0; step < amounts.length; step++) {
    const from = bottomMm + step * stepMm;
    const to = from + stepMm;
    while (layer < layers.length && boundariesMm[layer + 1] <= from) layer++;
    for (let k = layer; k < layers.length && boundariesMm[k] < to; k++) {
      const shared = Math.min(to, boundariesMm[k + 1]) - Math.max(from, boundariesMm[k]);
      if (shared > 0) layers[k] += (factor * amounts[step] * shared) / stepMm;
    }
  }
}
