import { VERSION } from "../../core/version.ts";
import { type JobMetadata, type JobThumbnail, type JobTotals, meanThicknessMm } from "../job.ts";
import { type JobCycle, type JobExposure, cycleOf, distanceMm, inOneStage } from "../job-exposure.ts";
import { type Field, LITTLE_ENDIAN, byteLength, text, u8, zeros } from "../record.ts";
import { TIME_SLICES } from "./encode-pws-layer.ts";
import { type PixelBox, boxMm, isEmptyBox } from "./lit-pixels.ts";
import { perSecond, zonesOf } from "./zones.ts";

// The tables of a file. Lengths are in mm, speeds in mm/s.

const { u16, u32, f32, rgb565 } = LITTLE_ENDIAN;

/** The versions of the format that are written; each adds tables and fields. */
export type AnycubicVersion = 1 | 516 | 517 | 518;

/** How the panel shows greys: 16 levels, none that a file could ask for, or as pictures of one bit in turn. */
export type Greys = "GREY" | "BINARY" | "TIME_SLICES";

/** What the tables of a file show. */
export interface AnycubicFile {
  readonly version: AnycubicVersion;
  readonly greys: Greys;
  readonly job: JobMetadata;
  readonly exposure: JobExposure;
}

/** The picture of a layer in the file. */
export interface WrittenLayer {
  readonly address: number;
  readonly bytes: number;
  readonly litPixels: number;
  readonly exposureS: number;
}

/** Printers of this maker misbehave with exposures and motions of single layers (UVtools, issues 742, 941 and 997). */
const AS_HEADER_SAYS = 0;
export const GREY_LEVELS = 16;
export const CURRENCY = "$";

/** Lift of the platform, and its speeds up and down, mm/s, in one stage. */
export function liftOf({ lift, retract }: JobCycle): { liftMm: number; up: number; down: number } {
  return { liftMm: distanceMm(lift), up: perSecond(inOneStage(lift)), down: perSecond(inOneStage(retract)) };
}

/** Whether motions have two zones, or those of the first layers differ: the table of motions counts then, otherwise the header. */
export const hasOwnMotions = ({ firstCycle, normalCycle }: JobExposure): boolean =>
  JSON.stringify(zonesOf(firstCycle)) !== JSON.stringify(zonesOf(normalCycle)) || zonesOf(normalCycle)[1].mm > 0;

/** Exposure, first layers and motions of all layers, sizes and totals. */
export function headerTable(file: AnycubicFile, totals: JobTotals): Field[] {
  const { version, greys, job, exposure } = file;
  const { printer } = job;
  const { liftMm, up, down } = liftOf(exposure.normalCycle);
  const fields = [
    f32(1000 * Math.max(...printer.pixelMm)),
    f32(meanThicknessMm(job)),
    f32(exposure.normalS),
    f32(exposure.normalCycle.waitAfterRetractS),
    f32(exposure.firstS),
    f32(exposure.firstLayers),
    f32(liftMm),
    f32(up),
    f32(down),
    f32(totals.materialMl),
    u32(ANTI_ALIASING[greys]),
    ...printer.pixels.map(u32),
    f32(totals.materialG),
    f32(0), // price
    text(CURRENCY, 4),
    u32(AS_HEADER_SAYS),
    u32(Math.round(totals.printTimeS)),
    u32(exposure.fadingLayers),
    u32(0), // linear transition
    ...(version >= 516 ? [u32(hasOwnMotions(exposure) ? 1 : 0)] : []),
    ...(version >= 517 ? [u16(0), u16(0), u32(0)] : []), // grey, blur, type of resin
    ...(version >= 518 ? [u32(0)] : []), // the machine keeps the exposures
  ];
  return [text("HEADER", 12), u32(byteLength(fields)), ...fields];
}

const ANTI_ALIASING: Readonly<Record<Greys, number>> = { GREY: GREY_LEVELS, BINARY: 1, TIME_SLICES };

/** What follows the width of a preview: 42 in the first version, "x" in later ones. */
const PREVIEW_MARKS = { first: 42, later: 0x78 };

export function previewTable(thumbnail: JobThumbnail, version: AnycubicVersion): Field[] {
  const pixels = rgb565(thumbnail);
  const body = 12 + pixels.length;
  const isFirst = version === 1;
  return [
    text("PREVIEW", 12),
    // Of the body in the first version, of the whole table in later ones.
    u32(isFirst ? body : 16 + body),
    u32(thumbnail.width),
    u32(isFirst ? PREVIEW_MARKS.first : PREVIEW_MARKS.later),
    u32(thumbnail.height),
    pixels,
  ];
}

/** Background of the large preview. */
const BACKGROUND = 0x10c5;

export function largePreviewTable(thumbnail: JobThumbnail): Field[] {
  const pixels = rgb565(thumbnail);
  return [
    text("PREVIEW2", 12),
    u32(28 + pixels.length),
    u32(thumbnail.width),
    u16(BACKGROUND),
    u16(0),
    u32(thumbnail.height),
    pixels,
  ];
}

/** Light of each level that layers may have; level 0, black, is not among them. */
const colourTable = (levels: number): Field[] => [
  u32(0), // not all greys of 8 bits
  u32(GREY_LEVELS),
  ...Array.from({ length: GREY_LEVELS }, (_, i) => u8(Math.min(255, Math.floor(((i + 1) * 255) / levels)))),
  u32(0),
];

export const COLOUR_TABLES: Readonly<Record<Greys, readonly Field[]>> = {
  GREY: colourTable(ANTI_ALIASING.GREY),
  BINARY: colourTable(ANTI_ALIASING.BINARY),
  TIME_SLICES: colourTable(ANTI_ALIASING.TIME_SLICES),
};

export const SOFTWARE_TABLE: readonly Field[] = [
  text("Printwright", 32),
  u32(164),
  text(VERSION, 32),
  text("", 64), // operating system
  text("", 32), // OpenGL
];

/** Where the picture of each layer is, and its exposure. The motions are those of the header. */
export function layerTable(file: AnycubicFile, layers: readonly WrittenLayer[]): Field[] {
  const { boundariesMm } = file.job;
  const records = layers.flatMap(({ address, bytes, exposureS, litPixels }, k) => {
    const { liftMm, up } = liftOf(cycleOf(file.exposure, k));
    return [
      u32(address),
      u32(bytes),
      f32(liftMm),
      f32(up),
      f32(exposureS),
      f32(boundariesMm[k + 1] - boundariesMm[k]),
      u32(litPixels),
      u32(0),
    ];
  });
  return [text("LAYERDEF", 12), u32(4 + byteLength(records)), u32(layers.length), ...records];
}

/** The length that all known files have in this table, although its body has 56 bytes. */
const MOTION_TABLE_LENGTH = 24;

/** The two zones of the motions of the first layers, and of the others. */
export const motionTable = ({ exposure }: AnycubicFile): Field[] => [
  text("EXTRA", 12),
  u32(MOTION_TABLE_LENGTH),
  ...[exposure.firstCycle, exposure.normalCycle].flatMap((cycle) => [
    u32(2),
    ...zonesOf(cycle).flatMap(({ mm, upMmPerS, downMmPerS }) => [f32(mm), f32(upMmPerS), f32(downMmPerS)]),
  ]),
];

/** Properties of machines by version, as other programs write them. */
const PROPERTIES: Readonly<Record<AnycubicVersion, number>> = { 1: 1, 516: 1, 517: 7, 518: 15 };
/** A constant of all known files. */
const MACHINE_MARK = 6_506_241;

/** The machine: it refuses files with another name, or of a later version than it takes. */
export function machineTable({ version, greys, job: { printer } }: AnycubicFile): Field[] {
  const fields = [
    text(printer.nameInJobs, 96),
    text(greys === "TIME_SLICES" ? "pwsImg" : "pw0Img", 16),
    u32(GREY_LEVELS),
    u32(PROPERTIES[version]),
    ...printer.volumeMm.map(f32),
    u32(printer.maxVersion ?? version),
    u32(MACHINE_MARK),
    ...(version >= 518
      ? [
          ...printer.pixelMm.map((mm) => f32(1000 * mm)),
          zeros(32),
          u32(1),
          u32(0),
          ...printer.pixels.map(u16),
          zeros(16),
        ]
      : []),
  ];
  return [text("MACHINE", 12), u32(16 + byteLength(fields)), ...fields];
}

/** Density of the resin, g/ml. */
export const densityOf = ({ materialMl, materialG }: JobTotals): number =>
  materialMl > 0 ? materialG / materialMl : 0;

/** The box around the parts, from the centre of the platform, and whether there are supports. */
export function modelTable({ job }: AnycubicFile, box: PixelBox, totals: JobTotals): Field[] {
  const { min, max } = boxMm(box, job.printer);
  const [bottomMm, topMm] = isEmptyBox(box) ? [0, 0] : [job.boundariesMm[0], job.boundariesMm.at(-1) ?? 0];
  const ends = [...min, bottomMm, ...max, topMm];
  return [text("MODEL", 12), u32(48), ...ends.map(f32), u32(0), f32(densityOf(totals))];
}

/** The pictures again, for machines with two panels. */
export function subImageTable(layers: readonly WrittenLayer[]): Field[] {
  const records = layers.flatMap(({ address, bytes, litPixels }) => [
    u32(address),
    u32(bytes),
    u32(litPixels),
    zeros(32),
  ]);
  return [text("SUBIMGS", 12), u32(24 + byteLength(records)), u32(layers.length), u32(1), ...records];
}
