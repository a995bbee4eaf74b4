import type { JobExposure } from "../job-facts.ts";

/** How far the platform rises to peel a layer off. A working value: what resin profiles for these machines use. */
const LIFT_MM = 7;
/** A working value, too: no faster, however little time a profile leaves for the way. */
const MAX_MM_PER_MIN = 1200;

/** A way and its speed. */
export interface Motion {
  readonly mm: number;
  readonly mmPerMin: number;
}

/** The lift and the way back down, at the speeds that make them last as long as the job says, up to the highest. */
export const liftOf = ({ liftS }: JobExposure): Motion => lastingS(liftS);
export const retractOf = ({ retractS }: JobExposure): Motion => lastingS(retractS);

const lastingS = (seconds: number): Motion => ({
  mm: LIFT_MM,
  mmPerMin: Math.min(MAX_MM_PER_MIN, (60 * LIFT_MM) / seconds),
});

/** The second stage of a motion, where it has none. */
export const STILL: Motion = { mm: 0, mmPerMin: 0 };
