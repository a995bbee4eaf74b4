import type { PowderProfile, Profile, ResinProfile } from "../../catalog/profile.ts";
import { layerExposureS } from "./layer-exposure.ts";
import { type LayerMeasures, layerCountOf, measureOfLayer } from "./layer-measures.ts";
import { MM2_PER_CM2 } from "../../core/units.ts";

/** Seconds. */
export interface PrintTime {
  /** Until the last layer is done: before the print and printing. */
  readonly totalS: number;
  readonly preprintS: number;
  readonly printingS: number;
  /** Of powder alone, after the total. */
  readonly cooling?: {
    /** Until the build may be opened. */
    readonly toRemovalS: number;
    /** After that, until it is at room temperature. */
    readonly thenToRoomTempS: number;
  };
}

/**
 * How long a print takes, by the model that `ResinTimes` and `PowderTimes` describe: a sum over its layers of exposure or
 * sintering, separation and travel or recoating. Its terms are those that makers tell of in their slicers (Elegoo's and
 * Prusa's profiles name each of them); its figures come from profiles.json, which names their sources. Nothing at all where
 * there is no layer.
 */
export function printTime(profile: Profile, layers: LayerMeasures): PrintTime {
  const printingS = layerTimesS(profile, layers).reduce((sum, seconds) => sum + seconds, 0);
  return profile.family === "powder" ? powderTime(profile, layers, printingS) : resinTime(profile, layers, printingS);
}

/** Seconds of each layer, from the end of the one below to its own. */
export function layerTimesS(profile: Profile, layers: LayerMeasures): Float64Array {
  if (profile.family === "powder") {
    const { recoat, sinterPerCm2 } = profile.timeS;
    return layers.areasMm2.map((areaMm2) => recoat + (sinterPerCm2 * areaMm2) / MM2_PER_CM2);
  }
  const { postExposureWait, separation, separationPerCm2, travel, wait } = profile.timeS;
  const motionS = postExposureWait + separation + travel + wait;
  return layers.areasMm2.map((areaMm2, k) => {
    const exposureS = layerExposureS(profile, k, measureOfLayer(layers, k));
    return exposureS + motionS + (separationPerCm2 * areaMm2) / MM2_PER_CM2;
  });
}

function resinTime({ timeS }: ResinProfile, layers: LayerMeasures, printingS: number): PrintTime {
  const preprintS = layerCountOf(layers) === 0 ? 0 : timeS.preprint;
  return { totalS: preprintS + printingS, preprintS, printingS };
}

/** Powder below the parts is laid while the machine is heated, powder above them after the last layer of parts. */
function powderTime({ timeS, bufferMm }: PowderProfile, layers: LayerMeasures, printingS: number): PrintTime {
  const count = layerCountOf(layers);
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
