import { type JobMetadata, type JobThumbnail, type JobTotals, meanThicknessMm } from "../job.ts";
import {
  type JobExposure,
  type Motion,
  NO_MOTION,
  type StagedMotion,
  cycleOf,
  distanceMm,
  inOneStage,
  lightOffS,
} from "../job-exposure.ts";
import { CARRIED_FACTS, type CarriedFact } from "../losses.ts";
import { type Field, LITTLE_ENDIAN, zeros } from "../record.ts";

// The records that all files of Chitubox's family have. No description by the maker is public; the layout is that of catibo and UVtools, and
// version 3 of `.ctb` was checked against a file of Chitubox 1.6.5.1.

const { u16, u32, f32 } = LITTLE_ENDIAN;

/** Sizes of the records. */
export const [HEADER_BYTES, PREVIEW_BYTES, PARAMETER_BYTES, SLICER_BYTES, ENTRY_BYTES] = [112, 32, 60, 76, 36];
/** The record before the data of a layer, from version 3 on. */
export const LAYER_HEAD_BYTES = 84;
/** Addresses of layers are within a page of the file. */
export const PAGE_BYTES = 2 ** 32;
export const MIRRORED = 1;
/** The last field of the parameters in version 2 of `.ctb`. */
const PARAMETER_MARK = 0x1234;

/** What is the same in all parts of a file. */
export interface ChituFile {
  readonly isCtb: boolean;
  readonly version: 2 | 3 | 4;
  readonly job: JobMetadata;
  /** As the version can state it. */
  readonly exposure: JobExposure;
  /** Pictures of one bit that make up the greys of a layer; 1 in `.ctb`. */
  readonly planes: number;
  /** Masks the data of the layers; 0: they are not masked. */
  readonly key: number;
  readonly previews: readonly { readonly thumbnail: JobThumbnail; readonly runs: Uint8Array }[];
}

export interface WrittenLayer {
  /** The data of each plane; in version 3 and later behind the head of the layer. */
  readonly planes: readonly { readonly address: number; readonly bytes: number }[];
  readonly exposureS: number;
}

/** Where the records are; 0 for those that the file lacks. */
export interface Addresses {
  readonly largeAt: number;
  readonly smallAt: number;
  readonly parametersAt: number;
  readonly slicerAt: number;
  readonly layersAt: number;
}

/** Up to version 3: waits as one time without light, motions of one stage. */
const CARRIED_IN_ONE: readonly CarriedFact[] = [
  "MOTIONS",
  "FIRST_LIFT",
  "WAIT_SUM",
  "FIRST_WAITS",
  "LIGHT",
  "FIRST_LIGHT",
];

/** The facts of an exposure that a version states. Version 4 states waits once for all layers. */
export const carriedFacts = (version: number): readonly CarriedFact[] =>
  version < 4 ? CARRIED_IN_ONE : CARRIED_FACTS.filter((fact) => fact !== "FIRST_WAITS");

/** The first four bytes. `gkTwo`: version 4 of UniFormation. */
export const MAGICS = {
  cbddlp: 0x12fd_0019,
  ctb: 0x12fd_0086,
  ctb4: 0x12fd_0106,
  gkTwo: 0xff22_0810,
  encrypted: 0x12fd_0107,
} as const;

/** Files of version 4 state the waits, and then no time without light. */
const statedLightOffS = ({ version, exposure }: ChituFile, layer: "firstCycle" | "normalCycle"): number =>
  version === 4 ? 0 : lightOffS(exposure[layer]);

export function headerFields(file: ChituFile, layerCount: number, totals: JobTotals, addresses: Addresses): Field[] {
  const { job, exposure, version } = file;
  const { printer, boundariesMm } = job;
  const { largeAt, smallAt, parametersAt, slicerAt, layersAt } = addresses;
  return [
    u32(file.isCtb ? (version === 4 ? MAGICS.ctb4 : MAGICS.ctb) : MAGICS.cbddlp),
    u32(version),
    ...printer.volumeMm.map(f32),
    zeros(8),
    f32(boundariesMm.at(-1) ?? 0),
    f32(meanThicknessMm(job)),
    f32(exposure.normalS),
    f32(exposure.firstS),
    f32(statedLightOffS(file, "normalCycle")),
    u32(exposure.firstLayers),
    ...printer.pixels.map(u32),
    u32(largeAt),
    u32(layersAt),
    u32(layerCount),
    u32(smallAt),
    u32(Math.round(totals.printTimeS)),
    u32(printer.mirrorX ? MIRRORED : 0),
    u32(parametersAt),
    u32(PARAMETER_BYTES),
    u32(file.planes),
    u16(exposure.normalCycle.light),
    u16(exposure.firstCycle.light),
    u32(file.key),
    u32(slicerAt),
    u32(slicerAt > 0 ? SLICER_BYTES : 0),
  ];
}

export function previewFields({ previews }: ChituFile, index: number, at: number): Field[] {
  const { thumbnail, runs } = previews[index];
  return [u32(thumbnail.width), u32(thumbnail.height), u32(at + PREVIEW_BYTES), u32(runs.length), zeros(16), runs];
}

export function parameterFields(file: ChituFile, totals: JobTotals): Field[] {
  const { firstCycle, normalCycle, firstLayers } = file.exposure;
  const [firstLift, lift, retract] = [firstCycle.lift, normalCycle.lift, normalCycle.retract].map((motion) =>
    statedMotion(file, motion),
  );
  return [
    f32(firstLift.mm),
    f32(firstLift.mmPerMin),
    f32(lift.mm),
    f32(lift.mmPerMin),
    f32(retract.mmPerMin),
    f32(totals.materialMl),
    f32(totals.materialG),
    f32(0), // price
    f32(statedLightOffS(file, "firstCycle")),
    f32(statedLightOffS(file, "normalCycle")),
    u32(firstLayers),
    zeros(12),
    u32(file.isCtb && file.version === 2 ? PARAMETER_MARK : 0),
  ];
}

/** A motion as records state it: the distance of both stages, the speed of the first one, and the second stage. */
export function statedMotion({ version }: ChituFile, motion: StagedMotion): Motion & { readonly second: Motion } {
  if (version < 4) return { ...inOneStage(motion), second: NO_MOTION };
  const [{ mmPerMin }, second] = motion.stages;
  return { mm: distanceMm(motion), mmPerMin, second };
}

/** A layer in the table, which begins with those of the first plane. */
export function entryFields(
  file: ChituFile,
  { planes, exposureS }: WrittenLayer,
  index: number,
  plane: number,
): Field[] {
  const { address, bytes } = planes[plane];
  return [
    f32(file.job.boundariesMm[index + 1]),
    f32(exposureS),
    f32(file.version === 4 ? 0 : lightOffS(cycleOf(file.exposure, index))),
    u32(address % PAGE_BYTES),
    u32(bytes),
    u32(Math.floor(address / PAGE_BYTES)),
    u32(file.version < 3 ? 0 : LAYER_HEAD_BYTES),
    zeros(ENTRY_BYTES - 28),
  ];
}
