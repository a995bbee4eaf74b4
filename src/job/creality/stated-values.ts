import { type JobExposure, distanceMm, inOneStage } from "../job-exposure.ts";

const MAX_U16 = 0xffff;
const SECONDS_PER_MINUTE = 60;

/** What versions 2 and 3 state of an exposure, in whole numbers. */
export interface StatedValues {
  /** Tenths of a second. */
  readonly exposureDs: number;
  /** The rest before the exposure. Printers do not begin with 0 (UVtools, change log of 2.19.1). */
  readonly waitS: number;
  readonly firstExposureS: number;
  readonly firstLayers: number;
  readonly firstLiftMm: number;
  readonly firstLiftMmPerS: number;
  readonly liftMm: number;
  readonly liftMmPerS: number;
  readonly retractMmPerS: number;
}

export function statedValues(exposure: JobExposure): StatedValues {
  const { firstCycle, normalCycle } = exposure;
  const [firstLift, lift, retract] = [firstCycle.lift, normalCycle.lift, normalCycle.retract].map(inOneStage);
  const perS = (mmPerMin: number): number => whole(mmPerMin / SECONDS_PER_MINUTE, 1);
  return {
    exposureDs: whole(10 * exposure.normalS, 1),
    waitS: whole(normalCycle.waitAfterRetractS, 1),
    firstExposureS: whole(exposure.firstS, 1),
    firstLayers: whole(exposure.firstLayers, 0),
    firstLiftMm: whole(firstLift.mm, 0),
    firstLiftMmPerS: perS(firstLift.mmPerMin),
    liftMm: whole(lift.mm, 0),
    liftMmPerS: perS(lift.mmPerMin),
    retractMmPerS: perS(retract.mmPerMin),
  };
}

const whole = (value: number, least: number): number => Math.min(MAX_U16, Math.max(least, Math.round(value)));

/** Relative error of values that are not told as rounded. */
const TOLERANCE = 1e-3;

/** The values of an exposure that become others in a file, as sentences, and the exposures between the first and the normal ones. */
export function roundingLosses(exposure: JobExposure): string[] {
  const stated = statedValues(exposure);
  const { firstCycle, normalCycle } = exposure;
  const perS = (mmPerMin: number): number => mmPerMin / SECONDS_PER_MINUTE;
  const rows: readonly (readonly [what: string, value: number, stated: number, unit: string])[] = [
    ["exposure", exposure.normalS, stated.exposureDs / 10, "s"],
    ["exposure of the first layers", exposure.firstS, stated.firstExposureS, "s"],
    ["wait before the exposure", normalCycle.waitAfterRetractS, stated.waitS, "s"],
    ["lift", distanceMm(normalCycle.lift), stated.liftMm, "mm"],
    ["lift of the first layers", distanceMm(firstCycle.lift), stated.firstLiftMm, "mm"],
    ["speed of the lift", perS(inOneStage(normalCycle.lift).mmPerMin), stated.liftMmPerS, "mm/s"],
    [
      "speed of the lift of the first layers",
      perS(inOneStage(firstCycle.lift).mmPerMin),
      stated.firstLiftMmPerS,
      "mm/s",
    ],
    ["speed of the retraction", perS(inOneStage(normalCycle.retract).mmPerMin), stated.retractMmPerS, "mm/s"],
  ];
  const rounded = rows
    .filter(([, value, becomes]) => Math.abs(value - becomes) > TOLERANCE * becomes)
    .map(
      ([what, value, becomes, unit]) =>
        `Files of type .cxdlp state the ${what} rounded: ${Number(value.toFixed(3))} ${unit} become ${becomes} ${unit}.`,
    );
  const { fadingLayers } = exposure;
  if (fadingLayers === 0) return rounded;
  return [
    ...rounded,
    `Files of type .cxdlp of this version cannot state exposures between those of the first layers and of the others: the ${fadingLayers} layers with such an exposure get that of the others.`,
  ];
}
