import type { CycleTimes, ResinProfile } from "../../catalog/profile-types.ts";
import type { PlatformLift } from "../../catalog/setting.ts";
import { type JobCycle, type JobExposure, type Motion, NO_MOTION, type StagedMotion } from "../../job/job-exposure.ts";
import { layerExposureS } from "../../slice/print-time.ts";

/** How the layers of a job are cured, from the profile of its setting. */
export function jobExposureOf(profile: ResinProfile, boundariesMm: Float64Array): JobExposure {
  const { timeS, firstTimeS, lift, firstLift, lightLevel } = profile;
  const { count, fade } = profile.firstLayers;
  const plain = { thicknessMm: boundariesMm[1] ?? 0, areaMm2: 0, perimeterMm: 0 };
  return {
    firstS: layerExposureS(profile, 0, plain),
    normalS: layerExposureS(profile, count + fade, plain),
    // If the exposure fades from the bottom on, the bottom layer is the first one: the steps from it are the same.
    firstLayers: Math.max(1, count),
    fadingLayers: count > 0 ? fade : Math.max(0, fade - 1),
    firstCycle: cycleOf({ ...timeS, ...firstTimeS }, lift && { ...lift, ...firstLift }, lightLevel.first),
    normalCycle: cycleOf(timeS, lift, lightLevel.normal),
  };
}

const cycleOf = (times: CycleTimes, lift: PlatformLift | undefined, light: number): JobCycle => ({
  waitBeforeLiftS: times.postExposureWait,
  lift: inSeconds(times.separation, lift ? liftStages(lift) : NO_STAGES),
  waitAfterLiftS: times.openWait,
  retract: inSeconds(times.travel, lift ? retractStages(lift) : NO_STAGES),
  waitAfterRetractS: times.wait,
  light,
});

type Stages = readonly [Motion, Motion];

const NO_STAGES: Stages = [NO_MOTION, NO_MOTION];

const liftStages = ({ liftMm, liftMmPerMin, lift2Mm = 0, lift2MmPerMin = liftMmPerMin }: PlatformLift): Stages => [
  { mm: liftMm, mmPerMin: liftMmPerMin },
  { mm: lift2Mm, mmPerMin: lift2MmPerMin },
];

const retractStages = ({ liftMm, lift2Mm = 0, retractMmPerMin, ...second }: PlatformLift): Stages => {
  const { retract2Mm = 0, retract2MmPerMin = retractMmPerMin } = second;
  const wayMm = liftMm + lift2Mm;
  // A second stage longer than the way is the whole way.
  const slowMm = Math.min(wayMm, retract2Mm);
  return [
    { mm: wayMm - slowMm, mmPerMin: retractMmPerMin },
    { mm: slowMm, mmPerMin: retract2MmPerMin },
  ];
};

/**
 * Upper limit of the speed, also for very short times of a custom print setting. Working value: about six times the fastest motion of
 * Elegoo's profile of the Saturn 3 Ultra.
 */
const MAX_MM_PER_MIN = 1200;

/** The stages at speeds that take `seconds` in all, in the same ratio, up to {@link MAX_MM_PER_MIN}. */
function inSeconds(seconds: number, stages: Stages): StagedMotion {
  const ownS = stages.reduce((sum, { mm, mmPerMin }) => sum + (mm === 0 ? 0 : (60 * mm) / mmPerMin), 0);
  const atSpeed = ({ mm, mmPerMin }: Motion): Motion => ({
    mm,
    mmPerMin: mm === 0 ? 0 : Math.min(MAX_MM_PER_MIN, (mmPerMin * ownS) / seconds),
  });
  return { seconds, stages: [atSpeed(stages[0]), atSpeed(stages[1])] };
}
