import * as v from "valibot";
import type { PlatformLift } from "./setting.ts";

// Lifts as data: of printers, of resins, and of bottom layers.

/** A number above zero, up to a limit that only wrong units pass. */
export const upTo = (max: number) => v.pipe(v.number(), v.gtValue(0), v.maxValue(max));
const MAX_LIFT_MM = 200;
export const distanceMm = upTo(MAX_LIFT_MM);
/** A machine need not have second stages. */
const stageMm = v.pipe(v.number(), v.minValue(0), v.maxValue(MAX_LIFT_MM));
export const speedMmPerMin = upTo(10_000);
export const waitS = v.pipe(v.number(), v.minValue(0), v.maxValue(1000));

/** The end of the sentences on fields of the bottom layers. */
export const BOTTOM = "; of the bottom layers";

/** Rests between the motions of two layers. */
export const restFields = (layers = "") => ({
  wait_after_cure_s: v.pipe(
    v.optional(waitS),
    v.description(`Rest after the exposure, before the lift, in seconds${layers}.`),
  ),
  wait_after_lift_s: v.pipe(
    v.optional(waitS),
    v.description(`Rest between the lift and the way back, in seconds${layers}.`),
  ),
  wait_before_cure_s: v.pipe(
    v.optional(waitS),
    v.description(`Rest after the way back, before the next exposure, in seconds${layers}.`),
  ),
});

/** The second stages of the lift and of the way back. */
export const stageFields = (layers = "") => ({
  lift2_mm: v.pipe(
    v.optional(stageMm),
    v.description(`Height of the second stage of the lift, after that next to the film, in mm${layers}.`),
  ),
  lift2_mm_min: v.pipe(v.optional(speedMmPerMin), v.description(`Speed of that stage in mm/min${layers}.`)),
  retract2_mm: v.pipe(
    v.optional(stageMm),
    v.description(`Height of the last stage of the way back, next to the film, in mm${layers}.`),
  ),
  retract2_mm_min: v.pipe(v.optional(speedMmPerMin), v.description(`Speed of that stage in mm/min${layers}.`)),
});

/** The lift of other layers than the usual ones, or of other resins: what it lacks is the usual. */
export const otherLiftFields = (layers: string) => ({
  lift_mm: v.pipe(
    v.optional(distanceMm),
    v.description(`Height of the lift, or of its stage next to the film, in mm${layers}.`),
  ),
  lift_mm_min: v.pipe(v.optional(speedMmPerMin), v.description(`Speed of the lift in mm/min${layers}.`)),
  retract_mm_min: v.pipe(v.optional(speedMmPerMin), v.description(`Speed of the way back in mm/min${layers}.`)),
  ...stageFields(layers),
  ...restFields(layers),
});

/** The names of the motions of a lift in data. */
const MOTIONS = {
  liftMm: "lift_mm",
  liftMmPerMin: "lift_mm_min",
  lift2Mm: "lift2_mm",
  lift2MmPerMin: "lift2_mm_min",
  retractMmPerMin: "retract_mm_min",
  retract2Mm: "retract2_mm",
  retract2MmPerMin: "retract2_mm_min",
} as const satisfies Partial<Record<keyof PlatformLift, string>>;

/** The names of all fields of a lift in data. */
const LIFT = {
  ...MOTIONS,
  waitAfterCureS: "wait_after_cure_s",
  waitAfterLiftS: "wait_after_lift_s",
  waitBeforeCureS: "wait_before_cure_s",
} as const satisfies Record<keyof PlatformLift, string>;

type GivenLift = { readonly [Name in (typeof LIFT)[keyof PlatformLift]]?: number | undefined };

const given = (names: Partial<typeof LIFT>, values: GivenLift): Partial<PlatformLift> =>
  Object.fromEntries(
    Object.entries(names).flatMap(([field, name]) => (values[name] === undefined ? [] : [[field, values[name]]])),
  );

/** The given fields of a lift. */
export const liftOf = (values: GivenLift): Partial<PlatformLift> => given(LIFT, values);

/** The given motions of a lift, without its rests. */
export const motionsOf = (values: GivenLift): Partial<PlatformLift> => given(MOTIONS, values);
