import { type JobExposure, type StagedMotion, distanceMm, stagedMotion } from "../job-exposure.ts";

/**
 * The exposure as version 4 states it: waits and speeds of retractions are the same for all layers. First layers, whose lifts may have
 * another distance, return in the stages of the others, of which the second one is at most as long as the lift.
 */
export function withSharedStages(exposure: JobExposure): JobExposure {
  const { firstCycle, normalCycle } = exposure;
  const retract = retractFrom(firstCycle.lift, normalCycle.retract);
  return { ...exposure, firstCycle: { ...normalCycle, lift: firstCycle.lift, retract, light: firstCycle.light } };
}

/** The way down after a lift, in the stages of another retraction. */
export function retractFrom(lift: StagedMotion, { stages: [fast, slow] }: Pick<StagedMotion, "stages">): StagedMotion {
  const total = distanceMm(lift);
  const slowMm = Math.min(slow.mm, total);
  return stagedMotion(
    { mm: total - slowMm, mmPerMin: fast.mmPerMin },
    { mm: slowMm, mmPerMin: slowMm > 0 ? slow.mmPerMin : 0 },
  );
}
