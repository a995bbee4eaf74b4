import { Buffer } from "node:buffer";
import {
  type JobMetadata,
  type JobStream,
  type JobThumbnail,
  type JobTotals,
  type JobWriter,
  jobLayerCount,
  meanThicknessMm,
} from "../job.ts";
import { type JobExposure, cycleOf, distanceMm, inOneStage, lightOffS, stagedMotion } from "../job-exposure.ts";
import { type Field, LITTLE_ENDIAN, byteLength, u8, zeros } from "../record.ts";
import { requireEqualLayers } from "../require-equal-layers.ts";
import { maskLayer } from "./mask-layer.ts";
import { rgb15Runs } from "./rgb15-runs.ts";

// Chitubox's `.ctb` files, version 3. No description by the maker is public; the layout is that of catibo, checked against a file of Chitubox 1.6.5.1.

const { u16, u32, f32 } = LITTLE_ENDIAN;

const MAGIC = 0x12fd_0086;
const VERSION = 3;
/** Sizes of the records. */
const [PREVIEW_BYTES, PARAMETER_BYTES, SLICER_BYTES, ENTRY_BYTES, LAYER_HEAD_BYTES] = [32, 60, 76, 36, 84];
const HEADER_BYTES = 112;
/** Large and small preview. */
const THUMBNAILS = [
  { width: 400, height: 300 },
  { width: 200, height: 125 },
] as const;
/** The flag that lets the values of the layers rule confuses the boards of many of these printers (UVtools, change log of 2.19). */
const AS_HEADER_SAYS = 0;
const MIRRORED = 1;
const ANTI_ALIASED = 0x0f;
const ANTI_ALIASING_LEVEL = 8;
/** What Chitubox 1.6.3 writes. */
const SOFTWARE_VERSION = 0x0106_0300;
const PAGE_BYTES = 2 ** 32;

export const ctbWriter: JobWriter<Uint8Array> = {
  thumbnails: THUMBNAILS,
  carries: ["MOTIONS", "FIRST_LIFT", "WAIT_SUM", "FIRST_WAITS", "LIGHT", "FIRST_LIGHT"],
  requireCarriable: requireEqualLayers,
  stream: ctbStream,
};

/** The picture of a layer in the file. */
interface WrittenLayer {
  /** Behind the head of the layer. */
  readonly address: number;
  readonly bytes: number;
  readonly exposureS: number;
}

function ctbStream(job: JobMetadata): JobStream<Uint8Array> {
  if (job.exposure === undefined) throw new TypeError("A .ctb file needs the exposure of a resin job.");
  const exposure = withOneRetraction(job.exposure);
  const key = keyOf(job);
  const previews = job.thumbnails.map((thumbnail) => ({ thumbnail, runs: rgb15Runs(thumbnail) }));
  const file: CtbFile = { job, exposure, key, previews };
  const layers: WrittenLayer[] = [];
  const missing = Array.from({ length: jobLayerCount(job) }, () => ({ address: 0, bytes: 0, exposureS: 0 }));
  let end = 0;
  return {
    begin() {
      const head = fileHead(file, missing, { printTimeS: 0, materialMl: 0, materialG: 0 });
      end = head.length;
      return [head];
    },
    layer(index, data, exposureS) {
      maskLayer(data, key, index);
      const layer = { address: end + LAYER_HEAD_BYTES, bytes: data.length, exposureS };
      layers.push(layer);
      end = layer.address + data.length;
      return [layerHead(file, layer, index), data];
    },
    end: (totals) => ({ chunks: [], head: fileHead(file, layers, totals) }),
  };
}

/** What is the same in all parts of a file. */
interface CtbFile {
  readonly job: JobMetadata;
  readonly exposure: JobExposure;
  readonly key: number;
  readonly previews: readonly { readonly thumbnail: JobThumbnail; readonly runs: Uint8Array }[];
}

/** The file has one speed of retractions: first layers, whose lifts may have another distance, return at that of the others. */
function withOneRetraction(exposure: JobExposure): JobExposure {
  const { mmPerMin } = inOneStage(exposure.normalCycle.retract);
  const retract = stagedMotion({ mm: distanceMm(exposure.firstCycle.lift), mmPerMin });
  return { ...exposure, firstCycle: { ...exposure.firstCycle, retract } };
}

/** A key from the id of the job: never 0, with which some firmware refuses a file (uv3dp, issue 41). */
const keyOf = ({ id }: JobMetadata): number => Number.parseInt(id.slice(0, 8), 16) || 1;

/** Everything before the layers. Its size depends on the number of layers and the thumbnails alone. */
function fileHead(file: CtbFile, layers: readonly WrittenLayer[], totals: JobTotals): Uint8Array {
  const name = new TextEncoder().encode(file.job.printer.nameInJobs);
  const previews = file.previews.map(({ runs }) => PREVIEW_BYTES + runs.length);
  const largeAt = HEADER_BYTES;
  const smallAt = largeAt + previews[0];
  const parametersAt = smallAt + previews[1];
  const slicerAt = parametersAt + PARAMETER_BYTES;
  const layersAt = slicerAt + SLICER_BYTES + name.length;
  const addresses = { largeAt, smallAt, parametersAt, slicerAt, layersAt };
  return Buffer.concat([
    ...headerFields(file, layers.length, totals, addresses),
    ...previewFields(file, 0, largeAt),
    ...previewFields(file, 1, smallAt),
    ...parameterFields(file, totals),
    ...slicerFields(file, slicerAt + SLICER_BYTES, name.length),
    name,
    ...layers.flatMap((layer, index) => entryFields(file, layer, index)),
  ]);
}

interface Addresses {
  readonly largeAt: number;
  readonly smallAt: number;
  readonly parametersAt: number;
  readonly slicerAt: number;
  readonly layersAt: number;
}

function headerFields(
  { job, exposure, key }: CtbFile,
  layerCount: number,
  totals: JobTotals,
  { largeAt, smallAt, parametersAt, slicerAt, layersAt }: Addresses,
): Field[] {
  const { printer, boundariesMm } = job;
  return [
    u32(MAGIC),
    u32(VERSION),
    ...printer.volumeMm.map(f32),
    zeros(8),
    f32(boundariesMm.at(-1) ?? 0),
    f32(meanThicknessMm(job)),
    f32(exposure.normalS),
    f32(exposure.firstS),
    f32(lightOffS(exposure.normalCycle)),
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
    u32(1), // planes
    u16(exposure.normalCycle.light),
    u16(exposure.firstCycle.light),
    u32(key),
    u32(slicerAt),
    u32(SLICER_BYTES),
  ];
}

function previewFields({ previews }: CtbFile, index: number, at: number): Field[] {
  const { thumbnail, runs } = previews[index];
  return [u32(thumbnail.width), u32(thumbnail.height), u32(at + PREVIEW_BYTES), u32(runs.length), zeros(16), runs];
}

function parameterFields({ exposure }: CtbFile, totals: JobTotals): Field[] {
  const { firstCycle, normalCycle } = exposure;
  const [firstLift, lift] = [inOneStage(firstCycle.lift), inOneStage(normalCycle.lift)];
  return [
    f32(firstLift.mm),
    f32(firstLift.mmPerMin),
    f32(lift.mm),
    f32(lift.mmPerMin),
    f32(inOneStage(normalCycle.retract).mmPerMin),
    f32(totals.materialMl),
    f32(totals.materialG),
    f32(0), // price
    f32(lightOffS(firstCycle)),
    f32(lightOffS(normalCycle)),
    u32(exposure.firstLayers),
    zeros(16),
  ];
}

const MS_PER_MINUTE = 60_000;

function slicerFields({ job, exposure }: CtbFile, nameAt: number, nameBytes: number): Field[] {
  const fields = [
    zeros(28), // motions in two stages, of later versions
    u32(nameAt),
    u32(nameBytes),
    u8(ANTI_ALIASED),
    u16(0),
    u8(AS_HEADER_SAYS),
    u32(Math.floor(job.created.getTime() / MS_PER_MINUTE)),
    u32(ANTI_ALIASING_LEVEL),
    u32(SOFTWARE_VERSION),
    zeros(8), // waits of later versions
    u32(exposure.fadingLayers),
  ];
  return [...fields, zeros(SLICER_BYTES - byteLength(fields))];
}

/** A layer in the table. */
function entryFields({ job, exposure }: CtbFile, { address, bytes, exposureS }: WrittenLayer, index: number): Field[] {
  return [
    f32(job.boundariesMm[index + 1]),
    f32(exposureS),
    f32(lightOffS(cycleOf(exposure, index))),
    u32(address % PAGE_BYTES),
    u32(bytes),
    u32(Math.floor(address / PAGE_BYTES)),
    u32(LAYER_HEAD_BYTES),
    zeros(ENTRY_BYTES - 28),
  ];
}

/** The record before the data of a layer. */
function layerHead(file: CtbFile, layer: WrittenLayer, index: number): Uint8Array {
  const cycle = cycleOf(file.exposure, index);
  const [lift, retract] = [inOneStage(cycle.lift), inOneStage(cycle.retract)];
  return Buffer.concat([
    ...entryFields(file, layer, index),
    u32(LAYER_HEAD_BYTES + layer.bytes),
    ...[lift.mm, lift.mmPerMin, 0, 0, retract.mmPerMin, 0, 0].map(f32),
    f32(cycle.waitBeforeLiftS),
    f32(cycle.waitAfterLiftS),
    f32(cycle.waitAfterRetractS),
    f32(cycle.light),
  ]);
}
