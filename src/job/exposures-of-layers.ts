import { type JobCycle, type JobExposure, NO_STAGES } from "./job-exposure.ts";

/** What follows an exposure, in files that state nothing about it. */
export const UNSTATED_CYCLE: JobCycle = {
  waitBeforeLiftS: 0,
  lift: NO_STAGES,
  waitAfterLiftS: 0,
  retract: NO_STAGES,
  waitAfterRetractS: 0,
  light: 255,
};

/** Exposure of layer `k`, in seconds. */
export function exposureOfLayer({ firstS, normalS, firstLayers, fadingLayers }: JobExposure, k: number): number {
  const share = Math.min(1, Math.max(0, (k - firstLayers + 1) / (fadingLayers + 1)));
  return firstS + (normalS - firstS) * share;
}

/** Exposures of `count` layers, in seconds, for files that state only those of the first and the normal layers. */
export const exposuresOfLayers = (exposure: JobExposure, count: number): Float64Array =>
  Float64Array.from({ length: count }, (_, k) => exposureOfLayer(exposure, k));
