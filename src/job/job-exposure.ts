/** How layers are cured, and what the machine does between two layers; seconds. */
export interface JobExposure {
  /** Exposure of the first layers. */
  readonly firstS: number;
  /** Exposure of the layers above. */
  readonly normalS: number;
  /** Number of layers with exposure `firstS`, at least 1. */
  readonly firstLayers: number;
  /** Number of layers after those between `firstS` and `normalS`, each nearer to it by (`firstS` − `normalS`) / (number + 1). */
  readonly fadingLayers: number;
  /** What follows the exposure of each of the first layers, and of the layers above. */
  readonly firstCycle: JobCycle;
  readonly normalCycle: JobCycle;
}

/** Distance and speed of a motion. */
export interface Motion {
  readonly mm: number;
  readonly mmPerMin: number;
}

/** A lift or a retraction. */
export interface StagedMotion {
  readonly seconds: number;
  /**
   * In the order of the motion: a lift begins, and a retraction ends, next to the film. The stages that a machine does not have are 0 mm
   * long: the second one, or both of machines that peel layers off by their own motions, such as a tilt of the vat.
   */
  readonly stages: readonly [Motion, Motion];
}

/** What a machine does after the exposure of a layer, until that of the next one; seconds. */
export interface JobCycle {
  readonly waitBeforeLiftS: number;
  readonly lift: StagedMotion;
  readonly waitAfterLiftS: number;
  readonly retract: StagedMotion;
  readonly waitAfterRetractS: number;
  /** Power of the light, 0 to 255, the full power. */
  readonly light: number;
}

export const NO_MOTION: Motion = { mm: 0, mmPerMin: 0 };

export const distanceMm = ({ stages: [first, second] }: StagedMotion): number => first.mm + second.mm;

/** Whether the machine lifts its platform after a layer. */
export const isLifting = ({ lift }: JobCycle): boolean => distanceMm(lift) > 0;

/** The motion in one stage that takes as long, for formats without a second stage. */
export function inOneStage(motion: StagedMotion): Motion {
  const [{ mm, mmPerMin }, second] = motion.stages;
  if (second.mm === 0) return { mm, mmPerMin };
  const total = mm + second.mm;
  return { mm: total, mmPerMin: total / (mm / mmPerMin + second.mm / second.mmPerMin) };
}

/** Seconds without light between two layers, the motions included, in hundredths. */
export const lightOffS = ({ waitBeforeLiftS, lift, waitAfterLiftS, retract, waitAfterRetractS }: JobCycle): number =>
  Math.round(100 * (waitBeforeLiftS + lift.seconds + waitAfterLiftS + retract.seconds + waitAfterRetractS)) / 100;

/** One motion with the duration that its stages take. */
export function stagedMotion(first: Motion, second: Motion = NO_MOTION): StagedMotion {
  const secondsOf = ({ mm, mmPerMin }: Motion): number => (mm === 0 || mmPerMin === 0 ? 0 : (60 * mm) / mmPerMin);
  return { seconds: secondsOf(first) + secondsOf(second), stages: [first, second] };
}

export const NO_STAGES: StagedMotion = stagedMotion(NO_MOTION);

/** What follows the exposure of a layer. */
export const cycleOf = ({ firstLayers, firstCycle, normalCycle }: JobExposure, layer: number): JobCycle =>
  layer < firstLayers ? firstCycle : normalCycle;
