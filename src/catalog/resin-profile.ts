import { motionTimesOf } from "./lift-times.ts";
import type { CycleTimes, ResinProfile } from "./profile-types.ts";
import type { ResinFigures } from "./resin.ts";
import type { PlatformLift } from "./setting.ts";

/** The figures of one kind of layers, without the prefix of those of the bottom layers. */
type Cycle = Pick<
  ResinFigures,
  | "wait_after_cure_s"
  | "wait_after_lift_s"
  | "wait_before_cure_s"
  | "light_off_delay_s"
  | "lift_mm"
  | "lift_mm_min"
  | "lift2_mm"
  | "lift2_mm_min"
  | "retract_mm_min"
  | "retract2_mm"
  | "retract2_mm_min"
  | "light"
>;

/**
 * The profile of a machine that takes exposures in seconds, with the figures of a resin. Figures that the resin lacks are those of the
 * profile; those of the bottom layers are the profile's own, else those of all layers. Heights and speeds have no effect on machines that do
 * not lift their platform.
 */
export function withResin(profile: ResinProfile, figures: ResinFigures): ResinProfile {
  const bottom = bottomCycle(figures);
  const lift = profile.lift && wholeLift({ ...profile.lift, ...motionsOf(figures) });
  const firstMotions = { ...profile.firstLift, ...motionsOf(bottom) };
  const firstLift =
    lift && hasAny(firstMotions) ? differences(wholeLift({ ...lift, ...firstMotions }), lift) : undefined;
  const timeS = { ...profile.timeS, ...withRests({ ...profile.timeS, ...(lift && motionTimesOf(lift)) }, figures) };
  const firstMotionS = lift && firstLift && motionTimesOf({ ...lift, ...firstLift });
  const firstTimes = { ...profile.firstTimeS, ...firstMotionS };
  const firstTimeS = hasRests(bottom) ? withRests({ ...timeS, ...firstTimes }, bottom) : firstTimes;
  const { density_g_ml, correction, bottom_layers, transition_layers, light } = figures;
  return {
    ...profile,
    ...(density_g_ml !== undefined && { densityGPerMl: density_g_ml }),
    ...(correction && { correction: { x: correction[0], y: correction[1], z: correction[2] } }),
    exposureS: exposuresOf(profile, figures),
    firstLayers: {
      ...profile.firstLayers,
      count: bottom_layers ?? profile.firstLayers.count,
      fade: transition_layers ?? profile.firstLayers.fade,
    },
    timeS,
    ...(hasAny(firstTimeS) && { firstTimeS }),
    ...(lift && { lift }),
    ...(firstLift && hasAny(firstLift) && { firstLift }),
    lightLevel: {
      normal: light ?? profile.lightLevel.normal,
      first: bottom.light ?? light ?? profile.lightLevel.first,
    },
  };
}

/** Bottom layers of which no exposure is given keep their ratio to the others. */
function exposuresOf({ exposureS }: ResinProfile, { exposure_s, bottom_exposure_s }: ResinFigures) {
  if (!exposureS) throw new Error("The machine takes no exposures in seconds.");
  const { normal, first } = exposureS;
  if (exposure_s === undefined) return { normal, first: bottom_exposure_s ?? first };
  return { normal: exposure_s, first: bottom_exposure_s ?? (exposure_s * first) / normal };
}

const BOTTOM = "bottom_";

const bottomCycle = (figures: ResinFigures): Cycle =>
  Object.fromEntries(
    Object.entries(figures)
      .filter(([key]) => key.startsWith(BOTTOM))
      .map(([key, value]) => [key.slice(BOTTOM.length), value]),
  );

const motionsOf = (cycle: Cycle): Partial<PlatformLift> => ({
  ...(cycle.lift_mm !== undefined && { liftMm: cycle.lift_mm }),
  ...(cycle.lift_mm_min !== undefined && { liftMmPerMin: cycle.lift_mm_min }),
  ...(cycle.lift2_mm !== undefined && { lift2Mm: cycle.lift2_mm }),
  ...(cycle.lift2_mm_min !== undefined && { lift2MmPerMin: cycle.lift2_mm_min }),
  ...(cycle.retract_mm_min !== undefined && { retractMmPerMin: cycle.retract_mm_min }),
  ...(cycle.retract2_mm !== undefined && { retract2Mm: cycle.retract2_mm }),
  ...(cycle.retract2_mm_min !== undefined && { retract2MmPerMin: cycle.retract2_mm_min }),
});

/** The lift, whose slow way back is no longer than its way up. */
export function wholeLift(lift: PlatformLift): PlatformLift {
  const { liftMm, lift2Mm = 0, retract2Mm = 0 } = lift;
  return retract2Mm > liftMm + lift2Mm ? { ...lift, retract2Mm: liftMm + lift2Mm } : lift;
}

const hasRests = ({ wait_after_cure_s, wait_after_lift_s, wait_before_cure_s, light_off_delay_s }: Cycle): boolean =>
  [wait_after_cure_s, wait_after_lift_s, wait_before_cure_s, light_off_delay_s].some((rest) => rest !== undefined);

/** The times with the rests of a cycle. A time without light includes the motions; what is left of it is the rest before the exposure. */
function withRests(times: CycleTimes, cycle: Cycle): CycleTimes {
  const { separation, travel } = times;
  const { light_off_delay_s } = cycle;
  if (light_off_delay_s !== undefined) {
    const wait = Math.max(0, light_off_delay_s - separation - travel);
    return { postExposureWait: 0, separation, openWait: 0, travel, wait };
  }
  return {
    postExposureWait: cycle.wait_after_cure_s ?? times.postExposureWait,
    separation,
    openWait: cycle.wait_after_lift_s ?? times.openWait,
    travel,
    wait: cycle.wait_before_cure_s ?? times.wait,
  };
}

const hasAny = (value: object): boolean => Object.keys(value).length > 0;

/** The entries of a record that differ from those of another one. */
const differences = <T extends object>(value: T, from: Partial<T>): Partial<T> =>
  Object.fromEntries(
    Object.entries(value).filter(([key, one]) => one !== (from as Record<string, unknown>)[key]),
  ) as Partial<T>;
