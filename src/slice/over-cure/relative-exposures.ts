import type { ResinProfile } from "../../catalog/profile-types.ts";
import { layerExposureS } from "../print-time.ts";

/** The dose of a white pixel in each of these layers ÷ that in a normal layer: the first layers and those after them get more. */
export function relativeExposures(profile: ResinProfile, boundariesMm: Float64Array): Float64Array {
  const { firstLayers, lightLevel } = profile;
  const normalMm = profile.adaptive?.maxMm ?? boundariesMm[1];
  const exposureS = (k: number, thicknessMm: number): number =>
    layerExposureS(profile, k, { thicknessMm, areaMm2: 1, perimeterMm: 0 });
  const normalS = exposureS(firstLayers.count + firstLayers.fade, normalMm);
  return Float64Array.from({ length: boundariesMm.length - 1 }, (_, k) => {
    const light = k < firstLayers.count ? lightLevel.first / lightLevel.normal : 1;
    return (light * exposureS(k, boundariesMm[k + 1] - boundariesMm[k])) / normalS;
  });
}
