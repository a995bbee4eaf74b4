import { operationFailed } from "../../core/api-error.ts";
import { type JobCycle, type JobExposure, type StagedMotion, cycleOf, distanceMm, isLifting } from "../job-exposure.ts";
import { type JobFacts, jobLayerCount } from "../job.ts";
import { CARRIED_FACTS, type CarriedFact } from "../losses.ts";

/** What a G-code states of an exposure: each wait apart instead of their sum. */
export const GCODE_FACTS: readonly CarriedFact[] = CARRIED_FACTS.filter((fact) => fact !== "WAIT_SUM");

/** A move of the platform to a height above the vat. */
export interface Move {
  readonly toMm: number;
  readonly mmPerMin: number;
  /** Distance of the stage, without the thickness of a layer. */
  readonly stageMm: number;
}

/** The moves that lift the platform above a layer at `zMm`, one for each stage. */
export function liftMoves({ lift }: JobCycle, zMm: number): Move[] {
  const [first] = lift.stages;
  const heights = [first.mm, distanceMm(lift)];
  return movesOf(lift, (stage) => zMm + heights[stage]);
}

/** The moves down to the layer at `zMm`, one for each stage. */
export function retractMoves({ retract }: JobCycle, zMm: number): Move[] {
  const heights = [retract.stages[1].mm, 0];
  return movesOf(retract, (stage) => zMm + heights[stage]);
}

const movesOf = ({ stages }: StagedMotion, toMm: (stage: number) => number): Move[] =>
  stages.flatMap(({ mm, mmPerMin }, stage) => (mm > 0 ? [{ toMm: toMm(stage), mmPerMin, stageMm: mm }] : []));

/**
 * What precedes the exposure of a layer, as the G-code of its block states it: what follows that of the layer below. The lowest layer has no
 * layer below: the platform comes from its home.
 */
export const cycleBefore = (exposure: JobExposure, layer: number): JobCycle =>
  cycleOf(exposure, Math.max(0, layer - 1));

/** A number without needless digits, at most `digits` after the point. */
export const decimal = (value: number, digits = 4): string => String(Number(value.toFixed(digits)));

export const inMs = (seconds: number): number => Math.round(1000 * seconds);

/** The exposure of a job, which all jobs for machines with G-code have. */
export function exposureOf({ exposure }: JobFacts): JobExposure {
  if (exposure === undefined) throw new TypeError("A job with G-code needs the exposure of a resin job.");
  return exposure;
}

/**
 * Throws OPERATION_FAILED for a job whose G-code the machine cannot carry out: without a lift, the platform would move within the layer that
 * was just cured, and a lift beyond the machine's height would crash.
 */
export function requireReachable(job: JobFacts): void {
  const { firstCycle, normalCycle } = exposureOf(job);
  const { label, volumeMm } = job.printer;
  for (const cycle of [firstCycle, normalCycle]) {
    const motions = [...cycle.lift.stages, ...cycle.retract.stages];
    if (!isLifting(cycle) || motions.some(({ mm, mmPerMin }) => mm > 0 && !(mmPerMin > 0))) {
      throw operationFailed(
        `The ${label} takes its motions from the job, and the profile has no lift with a speed: give it a lift and a retraction.`,
      );
    }
  }
  const count = jobLayerCount(job);
  const topMm = (job.boundariesMm.at(-1) ?? 0) + distanceMm(cycleOf(exposureOf(job), Math.max(0, count - 1)).lift);
  // Heights are sums of thicknesses.
  if (topMm <= volumeMm[2] + 1e-6) return;
  throw operationFailed(
    `The lift above the last layer would reach ${decimal(topMm, 2)} mm, beyond the ${decimal(volumeMm[2], 2)} mm of the ${label}: lower ` +
      "the parts, or shorten the lift.",
  );
}
