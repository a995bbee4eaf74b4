import { type JobCycle, type JobExposure, distanceMm } from "./job-exposure.ts";

/**
 * Facts of the exposure of a job that only some formats can state. The layers between the first and the normal exposure are none: files
 * without their number state the exposure of each layer. Only `.cxdlp` of versions 2 and 3 has neither; its writer tells it.
 */
export const CARRIED_FACTS = [
  /** Lifts and retractions. */
  "MOTIONS",
  /** Their second stages. */
  "STAGES",
  /** Lift of the first layers. */
  "FIRST_LIFT",
  "FIRST_RETRACT",
  "WAIT_BEFORE_LIFT",
  "WAIT_AFTER_LIFT",
  "WAIT_AFTER_RETRACT",
  /** The sum of the waits, as a time without light. */
  "WAIT_SUM",
  /** Waits of the first layers. */
  "FIRST_WAITS",
  "LIGHT",
  "FIRST_LIGHT",
] as const;

export type CarriedFact = (typeof CARRIED_FACTS)[number];

/** A fact, whether an exposure needs it, and what becomes of it in a file that cannot state it. */
interface Need {
  readonly fact: CarriedFact;
  readonly isNeeded: (exposure: JobExposure, carries: ReadonlySet<CarriedFact>) => boolean;
  readonly loss: string;
}

const OWN_VALUES = "the machine uses its own values";
const LIKE_OTHERS = "the first layers get those of the other layers";

const isStaged = ({ lift, retract }: JobCycle): boolean => lift.stages[1].mm > 0 || retract.stages[1].mm > 0;
const isAlike = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
const waitsOf = (cycle: JobCycle): number[] => [cycle.waitBeforeLiftS, cycle.waitAfterLiftS, cycle.waitAfterRetractS];

const hasWait =
  (wait: "waitBeforeLiftS" | "waitAfterLiftS" | "waitAfterRetractS") =>
  ({ normalCycle }: JobExposure, carries: ReadonlySet<CarriedFact>): boolean =>
    !carries.has("WAIT_SUM") && normalCycle[wait] > 0;

/** `MOTIONS` comes first: without motions, their stages are no further loss. */
const NEEDS: readonly Need[] = [
  {
    fact: "MOTIONS",
    isNeeded: ({ normalCycle }) => distanceMm(normalCycle.lift) > 0,
    loss: `lifts and retractions: ${OWN_VALUES}`,
  },
  {
    fact: "STAGES",
    isNeeded: ({ firstCycle, normalCycle }, carries) =>
      carries.has("MOTIONS") && (isStaged(firstCycle) || isStaged(normalCycle)),
    loss: "motions in two stages: each becomes one motion of the same duration",
  },
  {
    fact: "FIRST_LIFT",
    isNeeded: ({ firstCycle, normalCycle }, carries) =>
      carries.has("MOTIONS") && !isAlike(firstCycle.lift, normalCycle.lift),
    loss: `other lifts of the first layers: ${LIKE_OTHERS}`,
  },
  {
    fact: "FIRST_RETRACT",
    isNeeded: ({ firstCycle, normalCycle }, carries) =>
      carries.has("MOTIONS") && !isAlike(firstCycle.retract, normalCycle.retract),
    loss: `other retractions of the first layers: ${LIKE_OTHERS}`,
  },
  {
    fact: "WAIT_BEFORE_LIFT",
    isNeeded: hasWait("waitBeforeLiftS"),
    loss: `a wait between exposure and lift: ${OWN_VALUES}`,
  },
  { fact: "WAIT_AFTER_LIFT", isNeeded: hasWait("waitAfterLiftS"), loss: `a wait after the lift: ${OWN_VALUES}` },
  {
    fact: "WAIT_AFTER_RETRACT",
    isNeeded: hasWait("waitAfterRetractS"),
    loss: `a wait before the exposure: ${OWN_VALUES}`,
  },
  {
    fact: "FIRST_WAITS",
    isNeeded: ({ firstCycle, normalCycle }) => !isAlike(waitsOf(firstCycle), waitsOf(normalCycle)),
    loss: `other waits of the first layers: ${LIKE_OTHERS}`,
  },
  { fact: "LIGHT", isNeeded: ({ normalCycle }) => normalCycle.light < 255, loss: "the power of the light: it is full" },
  {
    fact: "FIRST_LIGHT",
    isNeeded: ({ firstCycle, normalCycle }) => firstCycle.light !== normalCycle.light,
    loss: "another power of the light for the first layers: they get that of the others",
  },
];

/** What of an exposure a file that carries only some facts cannot state: one sentence for each loss. */
export function jobLosses(exposure: JobExposure, carries: readonly CarriedFact[], extension: string): string[] {
  const carried = new Set(carries);
  return NEEDS.filter(({ fact, isNeeded }) => !carried.has(fact) && isNeeded(exposure, carried)).map(
    ({ loss }) => `Files of type ${extension} cannot state ${loss}.`,
  );
}
