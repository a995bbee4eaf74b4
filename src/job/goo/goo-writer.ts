import { Buffer } from "node:buffer";
import { MM3_PER_ML } from "../../core/units.ts";
import { VERSION } from "../../core/version.ts";
import {
  type JobMetadata,
  type JobStream,
  type JobTotals,
  type JobWriter,
  jobLayerCount,
  meanThicknessMm,
} from "../job.ts";
import { type JobCycle, type JobExposure, type Motion, cycleOf, isLifting } from "../job-exposure.ts";
import { CARRIED_FACTS } from "../losses.ts";
import { BIG_ENDIAN, type Field, byteLength, text, u8 } from "../record.ts";
import { requireEqualLayers } from "../require-equal-layers.ts";
import { DELIMITER, MARK, THUMBNAILS, TILT } from "./goo-layout.ts";

const { u16, u32, f32, rgb565 } = BIG_ENDIAN;

/**
 * Writes Elegoo's `.goo` files, specification 1.2. Printers take exposures, waits and motions from the head of the file: with the flag
 * that enables those of each layer, a Saturn 4 froze and a Saturn 4 Ultra printed badly (UVtools, issues 997 and 1013; its files have
 * not set the flag since). The values of the layers agree with the head.
 */
export const gooWriter: JobWriter<Uint8Array> = {
  thumbnails: THUMBNAILS,
  carries: CARRIED_FACTS,
  requireCarriable: requireEqualLayers,
  stream: gooStream,
};

function gooStream(job: JobMetadata): JobStream<Uint8Array> {
  const { exposure } = job;
  if (exposure === undefined) throw new TypeError("A .goo file needs the exposure of a resin job.");
  return {
    begin: () => [fileHeader(job, exposure, { printTimeS: 0, materialMl: 0, materialG: 0 })],
    layer: (index, data, exposureS) => [layerHeader(job, exposure, index, exposureS, data.length), data, DELIMITER],
    end: (totals) => ({
      chunks: [new Uint8Array(3), MARK],
      head: fileHeader(job, exposure, totals),
    }),
  };
}

const FORMAT_VERSION = "V3.0";
/** The printer's type in the files of other programs for these machines. */
const PRINTER_TYPE = "DLP";
/** Number of grey levels at edges; the value that slicers for these machines write for full anti-aliasing. */
const ANTI_ALIASING_LEVEL = 8;
/** The delay mode with separate wait times; the other mode has one light-off time. */
const STATIC_WAITS = 1;
const AS_HEAD_SAYS = 0;
const FULL_GREYS = 1;
const MAX_U32 = 0xffff_ffff;

/** Everything before the layers. Its length does not depend on the totals, so that they can be filled in at the end. */
function fileHeader(job: JobMetadata, exposure: JobExposure, totals: JobTotals): Uint8Array {
  const { printer } = job;
  const start = [
    Buffer.from(FORMAT_VERSION, "latin1"),
    MARK,
    text("Printwright", 32),
    text(VERSION, 24),
    text(fileTime(job.created), 24),
    text(printer.nameInJobs, 32),
    text(PRINTER_TYPE, 32),
    text(job.printSetting, 32),
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
    ...processFields(exposure),
    u8(AS_HEAD_SAYS),
    u32(Math.min(MAX_U32, Math.round(totals.printTimeS))),
    f32(totals.materialMl * MM3_PER_ML),
    f32(totals.materialG),
    f32(0), // price
    text("", 8), // its unit
  ];
  const end = [u8(FULL_GREYS), u16(exposure.fadingLayers)];
  const layersAt = byteLength(start) + 4 + byteLength(end);
  return Buffer.concat([...start, u32(layersAt), ...end]);
}

/** Exposure, waits, motions and light of all layers. */
function processFields(exposure: JobExposure): Field[] {
  const { firstCycle, normalCycle } = exposure;
  const stages = [motionsOf(firstCycle), motionsOf(normalCycle)];
  const ofStage = (i: 0 | 1): Field[] => [
    ...stages.flatMap(({ lift }) => motionFields(lift[i])),
    ...stages.flatMap(({ retract }) => motionFields(retract[i])),
  ];
  return [
    f32(exposure.normalS),
    u8(STATIC_WAITS),
    f32(0), // light-off time
    ...waitFields(firstCycle),
    ...waitFields(normalCycle),
    f32(exposure.firstS),
    u32(exposure.firstLayers),
    ...ofStage(0),
    ...ofStage(1),
    u16(firstCycle.light),
    u16(normalCycle.light),
  ];
}

const waitFields = ({ waitBeforeLiftS, waitAfterLiftS, waitAfterRetractS }: JobCycle): Field[] =>
  [waitBeforeLiftS, waitAfterLiftS, waitAfterRetractS].map(f32);

const motionFields = ({ mm, mmPerMin }: Motion): Field[] => [f32(mm), f32(mmPerMin)];

/** Format `2026-11-21 01:19:55`, UTC. */
const fileTime = (date: Date): string => date.toISOString().slice(0, 19).replace("T", " ");

/** The header of a layer, before its data. */
function layerHeader(
  job: JobMetadata,
  exposure: JobExposure,
  index: number,
  exposureS: number,
  dataBytes: number,
): Uint8Array {
  const cycle = cycleOf(exposure, index);
  const { lift, retract } = motionsOf(cycle);
  return Buffer.concat([
    u16(0), // no pause
    f32(0), // height of the pause
    f32(job.boundariesMm[index + 1]),
    f32(exposureS),
    f32(0), // light-off time
    ...waitFields(cycle),
    ...[...lift, ...retract].flatMap(motionFields),
    u16(cycle.light),
    DELIMITER,
    u32(dataBytes),
  ]);
}

const motionsOf = (cycle: JobCycle): { readonly lift: readonly Motion[]; readonly retract: readonly Motion[] } =>
  isLifting(cycle) ? { lift: cycle.lift.stages, retract: cycle.retract.stages } : { lift: TILT, retract: TILT };
