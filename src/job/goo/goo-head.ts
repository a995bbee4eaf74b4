import { Buffer } from "node:buffer";
import { MM3_PER_ML } from "../../core/units.ts";
import { VERSION } from "../../core/version.ts";
import { type JobMetadata, type JobTotals, jobLayerCount, meanThicknessMm } from "../job.ts";
import { type JobCycle, type JobExposure, type Motion, cycleOf, isLifting } from "../job-exposure.ts";
import { type Field, type FieldMaker, text, u8 } from "../record.ts";
import { DELIMITER, HEAD_BYTES, MARK, TILT } from "./goo-layout.ts";

// The head of `.goo` files and the values of a layer, whose fields are the same in versions 3 and 5.

/** What differs between the versions. */
export interface GooEdition {
  readonly version: string;
  readonly fields: FieldMaker;
  readonly software: string;
  readonly printerType: string;
  /** Name of the print setting. */
  readonly profile: string;
  /** Whether the printer takes exposures and motions from the layers instead of the head. */
  readonly layersRule: boolean;
}

/** Number of grey levels at edges; the value that slicers for these machines write for full anti-aliasing. */
const ANTI_ALIASING_LEVEL = 8;
/** The delay mode with separate wait times; the other mode has one light-off time. */
const STATIC_WAITS = 1;
const FULL_GREYS = 1;
const MAX_U32 = 0xffff_ffff;

/** The head of a file, {@link HEAD_BYTES} whatever the totals are, so that they can be filled in at the end. */
export function gooHead(
  job: JobMetadata,
  exposure: JobExposure,
  totals: JobTotals,
  { fields, ...edition }: GooEdition,
): Uint8Array {
  const { printer } = job;
  const { u16, u32, f32, rgb565 } = fields;
  return Buffer.concat([
    Buffer.from(edition.version, "latin1"),
    MARK,
    text(edition.software, 32),
    text(VERSION, 24),
    text(fileTime(job.created), 24),
    text(printer.nameInJobs, 32),
    text(edition.printerType, 32),
    text(edition.profile, 32),
    u16(ANTI_ALIASING_LEVEL),
    u16(0), // grey level
    u16(0), // blur level
    ...job.thumbnails.flatMap((thumbnail) => [rgb565(thumbnail), DELIMITER]),
    u32(jobLayerCount(job)),
    ...printer.pixels.map(u16),
    u8(printer.mirrorX ? 1 : 0),
    u8(printer.mirrorY ? 1 : 0),
    ...printer.volumeMm.map(f32),
    f32(meanThicknessMm(job)),
    ...processFields(exposure, fields),
    u8(edition.layersRule ? 1 : 0),
    u32(Math.min(MAX_U32, Math.round(totals.printTimeS))),
    f32(totals.materialMl * MM3_PER_ML),
    f32(totals.materialG),
    f32(0), // price
    text("", 8), // its unit
    u32(HEAD_BYTES),
    u8(FULL_GREYS),
    u16(exposure.fadingLayers),
  ]);
}

/** Exposure, waits, motions and light of all layers. */
function processFields(exposure: JobExposure, { u16, u32, f32 }: FieldMaker): Field[] {
  const { firstCycle, normalCycle } = exposure;
  const stages = [motionsOf(firstCycle), motionsOf(normalCycle)];
  const ofStage = (i: 0 | 1): Field[] => [
    ...stages.flatMap(({ lift }) => motionValues(lift[i]).map(f32)),
    ...stages.flatMap(({ retract }) => motionValues(retract[i]).map(f32)),
  ];
  return [
    f32(exposure.normalS),
    u8(STATIC_WAITS),
    f32(0), // light-off time
    ...[firstCycle, normalCycle].flatMap(waitsOf).map(f32),
    f32(exposure.firstS),
    u32(exposure.firstLayers),
    ...ofStage(0),
    ...ofStage(1),
    u16(firstCycle.light),
    u16(normalCycle.light),
  ];
}

const waitsOf = ({ waitBeforeLiftS, waitAfterLiftS, waitAfterRetractS }: JobCycle): number[] => [
  waitBeforeLiftS,
  waitAfterLiftS,
  waitAfterRetractS,
];

const motionValues = ({ mm, mmPerMin }: Motion): number[] => [mm, mmPerMin];

/** Format `2026-11-21 01:19:55`, UTC. */
const fileTime = (date: Date): string => date.toISOString().slice(0, 19).replace("T", " ");

/** The values of a layer, 66 bytes. */
export function layerValues(
  job: JobMetadata,
  exposure: JobExposure,
  index: number,
  exposureS: number,
  { u16, f32 }: FieldMaker,
): Field[] {
  const cycle = cycleOf(exposure, index);
  const { lift, retract } = motionsOf(cycle);
  return [
    u16(0), // no pause
    f32(0), // height of the pause
    f32(job.boundariesMm[index + 1]),
    f32(exposureS),
    f32(0), // light-off time
    ...waitsOf(cycle).map(f32),
    ...[...lift, ...retract].flatMap(motionValues).map(f32),
    u16(cycle.light),
    DELIMITER,
  ];
}

const motionsOf = (cycle: JobCycle): { readonly lift: readonly Motion[]; readonly retract: readonly Motion[] } =>
  isLifting(cycle) ? { lift: cycle.lift.stages, retract: cycle.retract.stages } : { lift: TILT, retract: TILT };
