import { type JobCycle, type Motion, NO_MOTION, type StagedMotion, distanceMm, stagedMotion } from "../job-exposure.ts";

/** A range of heights above the film, and the speeds of the platform in it, mm/s. */
export interface Zone {
  readonly mm: number;
  readonly upMmPerS: number;
  readonly downMmPerS: number;
}

/**
 * Anycubic's motions: the platform rises through the zone next to the film, then through the one above it, and returns in the reverse
 * order. So do the settings of the maker's slicer read, in which the first zone is the slow one in both directions.
 */
export type Zones = readonly [nearFilm: Zone, above: Zone];

/**
 * The zones of a cycle; the second one is 0 mm high without second stages. The zones end where the stages of the lift do. A retraction whose
 * stages end elsewhere has its mean speed in each zone, so that it takes as long.
 */
export function zonesOf({ lift, retract }: JobCycle): Zones {
  const [near, above] = lift.stages;
  const [, slow] = retract.stages;
  const totalMm = distanceMm(lift);
  const isSplit = above.mm > 0 || slow.mm > 0;
  const borderMm = isSplit ? Math.min(totalMm, above.mm > 0 ? near.mm : slow.mm) : totalMm;
  const upAbove = above.mm > 0 ? above : near;
  return [
    { mm: borderMm, upMmPerS: perSecond(near), downMmPerS: meanDown(retract, 0, borderMm) },
    { mm: totalMm - borderMm, upMmPerS: perSecond(upAbove), downMmPerS: meanDown(retract, borderMm, totalMm) },
  ];
}

export const perSecond = ({ mmPerMin }: Motion): number => mmPerMin / 60;

/** Mean speed of a retraction between two heights above the film, mm/s. */
function meanDown({ stages: [fast, slow] }: StagedMotion, fromMm: number, toMm: number): number {
  if (slow.mm <= fromMm) return perSecond(fast);
  if (slow.mm >= toMm) return perSecond(slow);
  return (toMm - fromMm) / ((slow.mm - fromMm) / perSecond(slow) + (toMm - slow.mm) / perSecond(fast));
}

/** The lift and the retraction that zones state. */
export const motionsOf = ([near, above]: Zones): Pick<JobCycle, "lift" | "retract"> => ({
  lift: joined(near.mm, near.upMmPerS, above.mm, above.upMmPerS),
  retract: joined(above.mm, above.downMmPerS, near.mm, near.downMmPerS),
});

/** A motion in two stages, or in one if one of them has no length or both have the same speed. */
function joined(firstMm: number, firstSpeed: number, secondMm: number, secondSpeed: number): StagedMotion {
  const motion = (mm: number, mmPerS: number): Motion => (mm > 0 ? { mm, mmPerMin: 60 * mmPerS } : NO_MOTION);
  if (firstMm > 0 && secondMm > 0 && firstSpeed !== secondSpeed) {
    return stagedMotion(motion(firstMm, firstSpeed), motion(secondMm, secondSpeed));
  }
  return stagedMotion(motion(firstMm + secondMm, firstMm > 0 ? firstSpeed : secondSpeed));
}
