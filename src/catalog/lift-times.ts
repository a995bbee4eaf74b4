import type { CycleTimes } from "./profile-types.ts";
import type { PlatformLift } from "./setting.ts";

/** Seconds of a lift and of the way back. */
export function motionTimesOf(lift: PlatformLift): Pick<CycleTimes, "separation" | "travel"> {
  const { lift2Mm = 0, lift2MmPerMin = lift.liftMmPerMin, retract2Mm = 0 } = lift;
  const { retract2MmPerMin = lift.retractMmPerMin } = lift;
  const wayMm = lift.liftMm + lift2Mm;
  // A second stage longer than the way is the whole way.
  const slowMm = Math.min(wayMm, retract2Mm);
  return {
    separation: 60 * (lift.liftMm / lift.liftMmPerMin + lift2Mm / lift2MmPerMin),
    travel: 60 * ((wayMm - slowMm) / lift.retractMmPerMin + slowMm / retract2MmPerMin),
  };
}

/** Seconds of the rests that a lift states. */
export const restsOf = ({ waitAfterCureS, waitAfterLiftS, waitBeforeCureS }: Partial<PlatformLift>) => ({
  ...(waitAfterCureS !== undefined && { postExposureWait: waitAfterCureS }),
  ...(waitAfterLiftS !== undefined && { openWait: waitAfterLiftS }),
  ...(waitBeforeCureS !== undefined && { wait: waitBeforeCureS }),
});

/** The times of a lift with its rests. */
export const timesOfLift = (lift: PlatformLift): Partial<CycleTimes> & ReturnType<typeof motionTimesOf> => ({
  ...motionTimesOf(lift),
  ...restsOf(lift),
});
