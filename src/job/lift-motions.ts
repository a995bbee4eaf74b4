import type { JobExposure } from "./job.ts";

/** Distance and speed of a motion. */
export interface Motion {
  readonly mm: number;
  readonly mmPerMin: number;
}

/**
 * Upper limit of the speed, also for very short times of a custom print setting. Working value: about six times the fastest motion of
 * Elegoo's profile of the Saturn 3 Ultra.
 */
const MAX_MM_PER_MIN = 1200;

/** Lift and retraction of a platform at the speeds that take the times of the job, up to {@link MAX_MM_PER_MIN}. */
export const liftMotions = (
  liftMm: number,
  { liftS, retractS }: JobExposure,
): { readonly lift: Motion; readonly retract: Motion } => ({
  lift: motionOfDuration(liftMm, liftS),
  retract: motionOfDuration(liftMm, retractS),
});

const motionOfDuration = (mm: number, seconds: number): Motion => ({
  mm,
  mmPerMin: mm === 0 ? 0 : Math.min(MAX_MM_PER_MIN, (60 * mm) / seconds),
});
