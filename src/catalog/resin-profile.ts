import { motionsOf } from "./lift-fields.ts";
import { motionTimesOf } from "./lift-times.ts";
import type { Compensation, CureFigures, CycleTimes, ResinProfile } from "./profile-types.ts";
import type { CycleFigures, ResinFigures } from "./resin.ts";

/**
 * The profile of a machine that takes exposures in seconds, with the figures of a resin. Figures that the resin lacks are those of the
 * profile; those of the bottom layers are the profile's own, else those of all layers. Heights and speeds have no effect on machines that do
 * not lift their platform.
 */
export function withResin(profile: ResinProfile, figures: ResinFigures): ResinProfile {
  const { bottom = {} } = figures;
  const lift = profile.lift && { ...profile.lift, ...motionsOf(figures) };
  const firstLift = lift && { ...profile.firstLift, ...motionsOf(bottom) };
  const timeS = { ...profile.timeS, ...withRests({ ...profile.timeS, ...(lift && motionTimesOf(lift)) }, figures) };
  const firstMotionS = lift && hasAny(firstLift ?? {}) && motionTimesOf({ ...lift, ...firstLift });
  const firstTimes = { ...profile.firstTimeS, ...firstMotionS };
  const firstTimeS = hasRests(bottom) ? withRests({ ...timeS, ...firstTimes }, bottom) : firstTimes;
  const { density_g_ml, correction, cure, compensation, bottom_layers, transition_layers, light } = figures;
  return {
    ...profile,
    ...(density_g_ml !== undefined && { densityGPerMl: density_g_ml }),
    ...(cure && { cure: { ...profile.cure, ...cureOf(cure) } }),
    ...(compensation && { compensation: { ...profile.compensation, ...switchesOf(compensation) } }),
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

function cureOf({
  penetration_mm,
  exposure_ratio,
  blur_mm,
  edge_growth_mm,
  print_through_mm,
}: NonNullable<ResinFigures["cure"]>): CureFigures {
  return {
    ...(penetration_mm && { penetrationMm: penetration_mm.value }),
    ...(exposure_ratio && { exposureRatio: exposure_ratio.value }),
    ...(blur_mm && { blurMm: blur_mm.value }),
    ...(edge_growth_mm && { edgeGrowthMm: edge_growth_mm.value }),
    ...(print_through_mm && { printThroughMm: print_through_mm.value }),
  };
}

function switchesOf({ over_cure, ...others }: NonNullable<ResinFigures["compensation"]>): Compensation {
  return { ...others, ...(over_cure !== undefined && { overCure: over_cure }) };
}

/** Bottom layers of which no exposure is given keep their ratio to the others. */
function exposuresOf({ exposureS }: ResinProfile, { exposure_s, bottom_exposure_s }: ResinFigures) {
  if (!exposureS) throw new Error("The machine takes no exposures in seconds.");
  const { normal, first } = exposureS;
  if (exposure_s === undefined) return { normal, first: bottom_exposure_s ?? first };
  return { normal: exposure_s, first: bottom_exposure_s ?? (exposure_s * first) / normal };
}

const hasRests = ({
  wait_after_cure_s,
  wait_after_lift_s,
  wait_before_cure_s,
  light_off_delay_s,
}: CycleFigures): boolean =>
  [wait_after_cure_s, wait_after_lift_s, wait_before_cure_s, light_off_delay_s].some((rest) => rest !== undefined);

/** The times with the rests of a cycle. A time without light includes the motions; what is left of it is the rest before the exposure. */
function withRests(times: CycleTimes, cycle: CycleFigures): CycleTimes {
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
