import { cycleOf } from "../job-exposure.ts";
import { jobLayerCount } from "../job.ts";
import { type Field, LITTLE_ENDIAN, byteLength, u8, zeros } from "../record.ts";
import {
  type ChituFile,
  LAYER_HEAD_BYTES,
  SLICER_BYTES,
  type WrittenLayer,
  entryFields,
  statedMotion,
} from "./chitu-records.ts";

// The records that only `.ctb` files have.

const { u16, u32, f32 } = LITTLE_ENDIAN;

/** The record that version 4 adds. */
export const EXTENSION_BYTES = 464;
/** The flag that lets the values of the layers rule confuses the boards of many of these printers (UVtools, change log of 2.19). */
const AS_HEADER_SAYS = 0;
const ANTI_ALIASED = 0x0f;
const ANTI_ALIASING_LEVEL = 8;
/** What Chitubox writes: 1.6.3 up to version 3, then 1.9. */
const SOFTWARE_VERSION = { 2: 0x0106_0300, 3: 0x0106_0300, 4: 0x0109_0000 } as const;
const MS_PER_MINUTE = 60_000;
/** Fields of unknown meaning, in which other programs write these values. */
const [UNKNOWN_MM, UNKNOWN_COUNT] = [4, 5];

/** `extensionAt`: address of the record that version 4 adds, else 0. */
export function slicerFields(file: ChituFile, nameAt: number, nameBytes: number, extensionAt: number): Field[] {
  const { job, exposure, version } = file;
  const { firstCycle, normalCycle } = exposure;
  const isStaged = version === 4;
  const seconds = [firstCycle.lift, normalCycle.lift, normalCycle.retract].map((m) => statedMotion(file, m).second);
  const fields = [
    ...seconds.flatMap(({ mm, mmPerMin }) => [f32(mm), f32(mmPerMin)]),
    f32(isStaged ? normalCycle.waitAfterLiftS : 0),
    u32(nameAt),
    u32(nameBytes),
    u8(ANTI_ALIASED),
    u16(0),
    u8(AS_HEADER_SAYS),
    u32(Math.floor(job.created.getTime() / MS_PER_MINUTE)),
    u32(ANTI_ALIASING_LEVEL),
    u32(SOFTWARE_VERSION[version]),
    f32(isStaged ? normalCycle.waitAfterRetractS : 0),
    f32(isStaged ? normalCycle.waitAfterLiftS : 0),
    u32(version === 2 ? 0 : exposure.fadingLayers),
    u32(extensionAt),
  ];
  return [...fields, zeros(SLICER_BYTES - byteLength(fields))];
}

/** The record of version 4: retractions of the first layers, waits, and the place of the maker's notice. */
export function extensionFields(file: ChituFile, noticeAt: number, noticeBytes: number): Field[] {
  const { firstCycle, normalCycle } = file.exposure;
  const retract = statedMotion(file, firstCycle.retract);
  const fields = [
    f32(retract.mmPerMin),
    f32(retract.second.mmPerMin),
    ...[0, UNKNOWN_MM, 0, UNKNOWN_MM].map(f32),
    f32(normalCycle.waitAfterRetractS),
    f32(normalCycle.waitAfterLiftS),
    f32(normalCycle.waitBeforeLiftS),
    f32(retract.second.mm),
    zeros(8),
    u32(UNKNOWN_COUNT),
    u32(jobLayerCount(file.job) - 1),
    zeros(16),
    u32(noticeAt),
    u32(noticeBytes),
  ];
  return [...fields, zeros(EXTENSION_BYTES - byteLength(fields))];
}

/** The record before the data of a layer, from version 3 on. */
export function layerHeadFields(file: ChituFile, layer: WrittenLayer, index: number): Field[] {
  const cycle = cycleOf(file.exposure, index);
  const [lift, retract] = [statedMotion(file, cycle.lift), statedMotion(file, cycle.retract)];
  return [
    ...entryFields(file, layer, index, 0),
    u32(LAYER_HEAD_BYTES + layer.planes[0].bytes),
    ...[lift.mm, lift.mmPerMin, lift.second.mm, lift.second.mmPerMin].map(f32),
    ...[retract.mmPerMin, retract.second.mm, retract.second.mmPerMin].map(f32),
    ...[cycle.waitBeforeLiftS, cycle.waitAfterLiftS, cycle.waitAfterRetractS, cycle.light].map(f32),
  ];
}
