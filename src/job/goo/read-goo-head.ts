import type { FieldReader } from "../../codec/big-endian-reader.ts";
import type { LayerRuns } from "../../slice/raster/rasterise-layer.ts";
import {
  type JobCycle,
  type JobExposure,
  type Motion,
  NO_STAGES,
  type StagedMotion,
  distanceMm,
  stagedMotion,
} from "../job-exposure.ts";
import type { JobPicture } from "../job-reader.ts";
import { lightOffCycle } from "../light-off-cycle.ts";
import { CARRIED_FACTS, type CarriedFact } from "../losses.ts";
import { readRgb565 } from "../read-rgb565.ts";
import { THUMBNAILS, TILT } from "./goo-layout.ts";

export type GooHead = ReturnType<typeof readGooHead>;

/** The layers of a file. */
export interface GooLayers {
  /** Heights above the platform. */
  readonly topsMm: Float64Array;
  readonly exposuresS: Float64Array;
  layer(index: number): LayerRuns;
}

/** Reads the head of a `.goo` file, after its version and mark. */
export function readGooHead(from: FieldReader) {
  return {
    software: text(from, 32),
    softwareVersion: text(from, 24),
    created: dateOf(text(from, 24)),
    printerName: text(from, 32),
    previews: (from.skip(2 * 32 + 6), THUMBNAILS.map(({ width, height }) => readPreview(from, width, height))),
    layerCount: from.u32(),
    pixels: [from.u16(), from.u16()] as const,
    mirrorX: from.u8() !== 0,
    mirrorY: from.u8() !== 0,
    volumeMm: [from.f32(), from.f32(), from.f32()] as const,
    thicknessMm: from.f32(),
    process: readProcess(from),
    layersRule: from.u8() !== 0,
    printTimeS: from.u32(),
    volumeMm3: from.f32(),
    weightG: from.f32(),
    layersAt: (from.skip(12), from.u32()),
    hasFullGreys: from.u8() !== 0,
    fadingLayers: from.u16(),
  };
}

function readProcess(from: FieldReader) {
  return {
    normalS: from.f32(),
    hasWaits: from.u8() !== 0,
    lightOffS: from.f32(),
    firstWaits: readWaits(from),
    waits: readWaits(from),
    firstS: from.f32(),
    firstLayers: from.u32(),
    first: readMotions(from),
    second: readMotions(from),
    firstLight: from.u16(),
    light: from.u16(),
  };
}

const readWaits = (from: FieldReader) => ({
  waitBeforeLiftS: from.f32(),
  waitAfterLiftS: from.f32(),
  waitAfterRetractS: from.f32(),
});

/** One stage of the motions. */
const readMotions = (from: FieldReader) => ({
  firstLift: readMotion(from),
  lift: readMotion(from),
  firstRetract: readMotion(from),
  retract: readMotion(from),
});

const readMotion = (from: FieldReader): Motion => ({ mm: from.f32(), mmPerMin: from.f32() });

function readPreview(from: FieldReader, width: number, height: number): JobPicture {
  const picture = readRgb565(from, width, height);
  from.skip(2); // delimiter
  return picture;
}

const text = (from: FieldReader, size: number): string =>
  new TextDecoder().decode(from.take(size)).replace(/\0[^]*$/, "");

/** Of a time such as `2026-11-21 01:19:55`, in UTC. Programs whose times have another form leave it out. */
function dateOf(time: string): Date | undefined {
  const isKnown = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(time);
  const date = new Date(`${time.replace(" ", "T")}Z`);
  return isKnown && Number.isFinite(date.getTime()) ? date : undefined;
}

/**
 * Exposures and cycles, and which facts of them the file states. A tilting vat has no motions. `shorterMm`: retractions that are shorter
 * than their lifts by this distance, to the height of the next layer, are stated so.
 */
export function gooExposure(
  { process, fadingLayers }: GooHead,
  shorterMm: number,
): { exposure: JobExposure; states: CarriedFact[] } {
  const { first, second, normalS, firstS, firstLayers } = process;
  const withRetract = (lift: StagedMotion, retract: Motion, retract2: Motion) => {
    const isShorter = Math.abs(distanceMm(lift) - retract.mm - retract2.mm - shorterMm) < TOLERANCE_MM;
    return { lift, retract: motionOf(isShorter ? { ...retract, mm: retract.mm + shorterMm } : retract, retract2) };
  };
  const firstLift = motionOf(first.firstLift, second.firstLift);
  const firstMotions = withRetract(firstLift, first.firstRetract, second.firstRetract);
  const motions = withRetract(motionOf(first.lift, second.lift), first.retract, second.retract);
  const cycle = (own: Pick<JobCycle, "lift" | "retract">, waits: ReturnType<typeof readWaits>, light: number) =>
    process.hasWaits ? { ...own, ...waits, light } : lightOffCycle(own, process.lightOffS, light);
  return {
    exposure: {
      firstS,
      normalS,
      firstLayers,
      fadingLayers,
      firstCycle: cycle(firstMotions, process.firstWaits, process.firstLight),
      normalCycle: cycle(motions, process.waits, process.light),
    },
    states: CARRIED_FACTS.filter(
      (fact) => (process.hasWaits || !WAITS.has(fact)) && (motions.lift !== NO_STAGES || !MOTIONS.has(fact)),
    ),
  };
}

/** Rounding of distances in single precision. */
const TOLERANCE_MM = 1e-4;

const WAITS: ReadonlySet<CarriedFact> = new Set([
  "WAIT_BEFORE_LIFT",
  "WAIT_AFTER_LIFT",
  "WAIT_AFTER_RETRACT",
  "FIRST_WAITS",
]);
const MOTIONS: ReadonlySet<CarriedFact> = new Set(["MOTIONS", "STAGES", "FIRST_LIFT", "FIRST_RETRACT"]);

const motionOf = (first: Motion, second: Motion) => {
  const isTilt = first.mmPerMin <= Math.fround(TILT[0].mmPerMin) && second.mm === 0;
  return isTilt ? NO_STAGES : stagedMotion(first, second);
};
