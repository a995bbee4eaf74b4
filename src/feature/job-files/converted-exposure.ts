import { UNSTATED_CYCLE, exposureOfLayer } from "../../job/exposures-of-layers.ts";
import { entriesOf } from "../../catalog/catalog.ts";
import { profileOf } from "../../catalog/profile.ts";
import type { PrinterType } from "../../catalog/setting.ts";
import { type JobCycle, type JobExposure, type StagedMotion, cycleOf, stagedMotion } from "../../job/job-exposure.ts";
import { jobExposureOf } from "../print/exposure-of-profile.ts";
import type { JobHead } from "./read-job.ts";

/** What a conversion changes in the exposure of a job; undefined values stay. The waits and motions are those of all layers. */
export interface ExposureChanges {
  readonly exposureS?: number | undefined;
  readonly bottomExposureS?: number | undefined;
  readonly bottomLayers?: number | undefined;
  readonly transitionLayers?: number | undefined;
  readonly waitBeforeLiftS?: number | undefined;
  readonly waitAfterLiftS?: number | undefined;
  readonly waitAfterRetractS?: number | undefined;
  readonly liftMm?: number | undefined;
  readonly liftMmPerMin?: number | undefined;
  readonly retractMmPerMin?: number | undefined;
}

/** How the layers of a converted job are cured. */
export interface ConvertedExposure {
  readonly exposure: JobExposure;
  /** Of each layer. */
  readonly exposuresS: Float64Array;
}

/**
 * The exposure of a job with changes. What its file does not state comes from the generic resin of the target. The exposures of single
 * layers are kept unless the changes concern them.
 */
export function convertedExposure(
  head: JobHead,
  target: PrinterType | undefined,
  changes: ExposureChanges,
): ConvertedExposure {
  const own = head.exposure ?? exposureOfLayers(head.exposuresS);
  const usual = target && usualExposure(target, head.boundariesMm);
  const moved = head.states.includes("MOTIONS") || !usual ? own : { ...own, ...cyclesWithMotions(own, usual) };
  const exposure: JobExposure = {
    firstS: changes.bottomExposureS ?? own.firstS,
    normalS: changes.exposureS ?? own.normalS,
    firstLayers: Math.max(1, changes.bottomLayers ?? own.firstLayers),
    fadingLayers: changes.transitionLayers ?? own.fadingLayers,
    firstCycle: changedCycle(moved.firstCycle, changes),
    normalCycle: changedCycle(moved.normalCycle, changes),
  };
  const { exposureS, bottomExposureS, bottomLayers, transitionLayers } = changes;
  const isKept = [exposureS, bottomExposureS, bottomLayers, transitionLayers].every((value) => value === undefined);
  return {
    exposure,
    exposuresS: isKept ? head.exposuresS : head.exposuresS.map((_, k) => exposureOfLayer(exposure, k)),
  };
}

/** Seconds from the first exposure to the end of the last cycle. */
export const durationS = ({ exposure, exposuresS }: ConvertedExposure): number =>
  exposuresS.reduce((sum, exposureS, k) => {
    const { waitBeforeLiftS, lift, waitAfterLiftS, retract, waitAfterRetractS } = cycleOf(exposure, k);
    return sum + exposureS + waitBeforeLiftS + lift.seconds + waitAfterLiftS + retract.seconds + waitAfterRetractS;
  }, 0);

/** The exposure of a file that states only those of its layers: the first ones, those between, and the others. */
function exposureOfLayers(exposuresS: Float64Array): JobExposure {
  const [firstS = 0, normalS = 0] = [exposuresS[0], exposuresS.at(-1)];
  const otherAt = exposuresS.findIndex((value) => value !== firstS);
  const normalAt = exposuresS.findLastIndex((value) => value !== normalS) + 1;
  const firstLayers = otherAt < 0 ? 1 : otherAt;
  const fadingLayers = Math.max(0, normalAt - firstLayers);
  return { firstS, normalS, firstLayers, fadingLayers, firstCycle: UNSTATED_CYCLE, normalCycle: UNSTATED_CYCLE };
}

function usualExposure(type: PrinterType, boundariesMm: Float64Array): JobExposure | undefined {
  const [setting] = entriesOf(type);
  const profile = setting && profileOf(setting);
  return profile?.family === "resin" ? jobExposureOf(profile, boundariesMm) : undefined;
}

/** The cycles of a job with the motions of another. */
const cyclesWithMotions = (own: JobExposure, usual: JobExposure): Pick<JobExposure, "firstCycle" | "normalCycle"> => ({
  firstCycle: { ...own.firstCycle, lift: usual.firstCycle.lift, retract: usual.firstCycle.retract },
  normalCycle: { ...own.normalCycle, lift: usual.normalCycle.lift, retract: usual.normalCycle.retract },
});

function changedCycle(cycle: JobCycle, changes: ExposureChanges): JobCycle {
  const { liftMm, liftMmPerMin, retractMmPerMin } = changes;
  return {
    ...cycle,
    waitBeforeLiftS: changes.waitBeforeLiftS ?? cycle.waitBeforeLiftS,
    waitAfterLiftS: changes.waitAfterLiftS ?? cycle.waitAfterLiftS,
    waitAfterRetractS: changes.waitAfterRetractS ?? cycle.waitAfterRetractS,
    lift: changedMotion(cycle.lift, liftMm, liftMmPerMin),
    retract: changedMotion(cycle.retract, liftMm, retractMmPerMin),
  };
}

/** A motion with another length or speed is one stage. */
function changedMotion(motion: StagedMotion, mm: number | undefined, mmPerMin: number | undefined): StagedMotion {
  if (mm === undefined && mmPerMin === undefined) return motion;
  const [first, second] = motion.stages;
  return stagedMotion({ mm: mm ?? first.mm + second.mm, mmPerMin: mmPerMin ?? first.mmPerMin });
}
