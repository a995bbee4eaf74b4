import type { JobCycle } from "./job-exposure.ts";

/**
 * The cycle of a file that states the seconds without light between two layers, motions included, instead of waits: what the motions leave
 * of them is one wait before the exposure. Other programs state less than the motions take, which then leave no wait.
 */
export function lightOffCycle(
  { lift, retract }: Pick<JobCycle, "lift" | "retract">,
  lightOffS: number,
  light: number,
): JobCycle {
  const waitAfterRetractS = Math.max(0, lightOffS - lift.seconds - retract.seconds);
  return { waitBeforeLiftS: 0, lift, waitAfterLiftS: 0, retract, waitAfterRetractS, light };
}
