import { MM3_PER_ML } from "../../../core/units.ts";
import { Buffer } from "node:buffer";
import { VERSION } from "../../../version.ts";
import { type JobExposure, type JobFacts, type JobTotals, layerCount, meanThicknessMm } from "../job-facts.ts";
import { type Field, f32, text, u16, u32, u8 } from "./fields.ts";
import { liftOf, type Motion, retractOf, STILL } from "./motion.ts";
import { preview } from "./preview.ts";

export const DELIMITER: Uint8Array = Uint8Array.of(0x0d, 0x0a);
export const MAGIC: Uint8Array = Uint8Array.of(7, 0, 0, 0, 0x44, 0x4c, 0x50, 0);
const FORMAT_VERSION = "V3.0";
/** Levels of grey that edges are smoothed with, as slicers for these machines state it for full smoothing. */
const ANTI_ALIASING_LEVEL = 8;
/** Wait times are told one by one, instead of a time that the light is off. */
const STATIC_WAITS = 1;
/** Of the light's pulse width, 0 to 255. */
export const FULL_LIGHT = 255;
const BY_LAYER = 1;
const FULL_GREYS = 1;
const MAX_U32 = 0xffff_ffff;

/** All that stands before the layers. Its length never depends on the totals, so that they can be filled in later. */
export function header(facts: JobFacts, exposure: JobExposure, totals: JobTotals): Uint8Array {
  const { printer } = facts;
  const start = [
    Buffer.from(FORMAT_VERSION, "latin1"),
    MAGIC,
    text("Printwright", 32),
    text(VERSION, 24),
    text(fileTime(facts.created), 24),
    text(printer.label, 32),
    text(printer.machineType, 32),
    text(facts.printSetting, 32),
    u16(ANTI_ALIASING_LEVEL),
    u16(0), // grey level
    u16(0), // blur level
    ...facts.thumbnails.flatMap((thumbnail) => [preview(thumbnail), DELIMITER]),
    u32(layerCount(facts)),
    ...printer.pixels.map(u16),
    u8(printer.mirrorX ? 1 : 0),
    u8(0), // y mirror
    ...printer.volumeMm.map(f32),
    f32(meanThicknessMm(facts)),
    ...process(exposure),
    u8(BY_LAYER),
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

/** Exposure, waits, motions and light: all that holds for every layer, beside what each layer says. */
function process(exposure: JobExposure): Field[] {
  const waits = [exposure.waitBeforeLiftS, 0, exposure.waitAfterRetractS].map(f32);
  const [lift, retract] = [liftOf(exposure), retractOf(exposure)];
  return [
    f32(exposure.normalS),
    u8(STATIC_WAITS),
    f32(0), // time that the light is off
    ...waits, // of the first layers
    ...waits,
    f32(exposure.firstS),
    u32(exposure.firstLayers),
    ...[lift, lift, retract, retract].flatMap(motionFields),
    ...[STILL, STILL, STILL, STILL].flatMap(motionFields),
    u16(FULL_LIGHT), // of the first layers
    u16(FULL_LIGHT),
  ];
}

export const motionFields = ({ mm, mmPerMin }: Motion): Field[] => [f32(mm), f32(mmPerMin)];

/** As `2026-11-21 01:19:55`, UTC. */
const fileTime = (date: Date): string => date.toISOString().slice(0, 19).replace("T", " ");

const byteLength = (fields: readonly Field[]): number => fields.reduce((sum, { length }) => sum + length, 0);
