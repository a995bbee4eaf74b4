import { requireAddressable } from "../require-addressable.ts";
import { Buffer } from "node:buffer";
import { isMirrored, layerImageSize } from "../../slice/pixel-grid.ts";
import { rgb15Runs } from "../chitu/rgb15-runs.ts";
import {
  NO_TOTALS,
  type JobMetadata,
  type JobStream,
  type JobThumbnail,
  type JobTotals,
  type JobWriter,
  jobLayerCount,
  meanThicknessMm,
} from "../job.ts";
import { type JobExposure, cycleOf, distanceMm } from "../job-exposure.ts";
import { BIG_ENDIAN, type Field, LITTLE_ENDIAN, byteLength, zeros } from "../record.ts";
import { requireEqualLayers } from "../require-equal-layers.ts";
import { newCrcChecksum } from "./body-checksum.ts";
import { CARRIED_BY_4, fileMark, requireLifts, statedArea } from "./cxdlp-layout.ts";
import type { CrealityLayer } from "./encode-creality-layer.ts";
import { withSharedStages } from "./shared-stages.ts";

const { u16, u32, f32 } = LITTLE_ENDIAN;

const VERSION = 4;
/** Small and large preview. */
const THUMBNAILS = [
  { width: 120, height: 120 },
  { width: 300, height: 300 },
] as const;
/** Sizes of the records. */
const [HEADER_BYTES, PREVIEW_BYTES, PARAMETER_BYTES, SLICER_BYTES, LAYER_HEAD_BYTES] = [80, 32, 68, 76, 44];
const MIRRORED = 1;
const ANTI_ALIASING_LEVEL = 8;
/** As in `.ctb` files, the values of layers agree with the head and do not rule. */
const AS_HEADER_SAYS = 0;
const MS_PER_MINUTE = 60_000;

/** Writes the jobs of Creality's printers in version 4. Throws OPERATION_FAILED for a file beyond 4 GiB, which its addresses cannot reach. */
export const cxdlp4Writer: JobWriter<CrealityLayer> = {
  greyLevels: 128,
  thumbnails: THUMBNAILS,
  carries: CARRIED_BY_4,
  requireCarriable(job) {
    requireEqualLayers(job);
    requireLifts(job, Number.MIN_VALUE);
  },
  stream: cxdlp4Stream,
};

/** What is the same in all parts of a file. */
interface CrealityFile {
  readonly job: JobMetadata;
  readonly exposure: JobExposure;
  readonly previews: readonly { readonly thumbnail: JobThumbnail; readonly runs: Uint8Array }[];
}

/** A layer in the table. */
interface WrittenLayer {
  readonly address: number;
  /** Of its head and its picture. */
  readonly bytes: number;
  readonly exposureS: number;
  readonly area: number;
}

function cxdlp4Stream(job: JobMetadata): JobStream<CrealityLayer> {
  if (job.exposure === undefined) throw new TypeError("A .cxdlp file needs the exposure of a resin job.");
  const previews = job.thumbnails.map((thumbnail) => ({ thumbnail, runs: rgb15Runs(thumbnail) }));
  const file: CrealityFile = { job, exposure: withSharedStages(job.exposure), previews };
  const checksum = newCrcChecksum();
  const layers: WrittenLayer[] = [];
  const missing = Array.from({ length: jobLayerCount(job) }, () => ({ address: 0, bytes: 0, exposureS: 0, area: 0 }));
  let end = 0;
  return {
    begin() {
      const head = fileHead(file, missing, NO_TOTALS);
      end = head.length;
      return [head];
    },
    layer(index, { bytes, largestPixels }, exposureS) {
      const layer = { address: end, bytes: LAYER_HEAD_BYTES + bytes.length, exposureS };
      layers.push({ ...layer, area: statedArea(job, largestPixels) });
      end += layer.bytes;
      requireAddressable(end, `Jobs for the ${job.printer.label}`);
      const chunks = [layerHead(file.exposure, index), bytes];
      chunks.forEach(checksum.add);
      return chunks;
    },
    end(totals) {
      const head = fileHead(file, layers, totals);
      return { chunks: [BIG_ENDIAN.u32(checksum.withHead(head))], head };
    },
  };
}

/** Everything before the layers. Its size depends on the number of layers and the thumbnails alone. */
function fileHead(file: CrealityFile, layers: readonly WrittenLayer[], totals: JobTotals): Uint8Array {
  const mark = fileMark(VERSION, file.job);
  const previews = file.previews.map(({ runs }) => PREVIEW_BYTES + runs.length);
  const smallAt = mark.length + HEADER_BYTES;
  const largeAt = smallAt + previews[0];
  const parametersAt = largeAt + previews[1];
  const slicerAt = parametersAt + PARAMETER_BYTES;
  const layersAt = slicerAt + SLICER_BYTES;
  return Buffer.concat([
    mark,
    ...headerFields(file, layers.length, totals, { smallAt, largeAt, parametersAt, slicerAt, layersAt }),
    ...previewFields(file, 0, smallAt),
    ...previewFields(file, 1, largeAt),
    ...parameterFields(file, totals),
    ...slicerFields(file),
    ...layers.flatMap((layer, index) => entryFields(file, layer, index)),
  ]);
}

interface Addresses {
  readonly smallAt: number;
  readonly largeAt: number;
  readonly parametersAt: number;
  readonly slicerAt: number;
  readonly layersAt: number;
}

function headerFields(
  { job, exposure }: CrealityFile,
  layerCount: number,
  totals: JobTotals,
  { smallAt, largeAt, parametersAt, slicerAt, layersAt }: Addresses,
): Field[] {
  const { printer, boundariesMm } = job;
  return [
    ...layerImageSize(printer).pixels.map(u16),
    ...printer.volumeMm.map(f32),
    f32(boundariesMm.at(-1) ?? 0),
    f32(meanThicknessMm(job)),
    u32(exposure.firstLayers),
    u32(smallAt),
    u32(layersAt),
    u32(layerCount),
    u32(largeAt),
    u32(Math.round(totals.printTimeS)),
    u32(isMirrored(printer) ? MIRRORED : 0),
    u32(parametersAt),
    u32(PARAMETER_BYTES),
    u32(1), // planes
    u16(exposure.normalCycle.light),
    u16(exposure.firstCycle.light),
    u32(0), // no key
    u32(slicerAt),
    u32(SLICER_BYTES),
  ];
}

function previewFields({ previews }: CrealityFile, index: number, at: number): Field[] {
  const { thumbnail, runs } = previews[index];
  return [u32(thumbnail.width), u32(thumbnail.height), u32(at + PREVIEW_BYTES), u32(runs.length), zeros(16), runs];
}

function parameterFields({ exposure }: CrealityFile, totals: JobTotals): Field[] {
  const { firstCycle, normalCycle } = exposure;
  const fields = [
    f32(distanceMm(firstCycle.lift)),
    f32(firstCycle.lift.stages[0].mmPerMin),
    f32(distanceMm(normalCycle.lift)),
    f32(normalCycle.lift.stages[0].mmPerMin),
    f32(normalCycle.retract.stages[0].mmPerMin),
    f32(totals.materialMl),
    f32(totals.materialG),
    f32(0), // price
    zeros(8), // times without light, instead of which there are waits
    u32(exposure.firstLayers),
    f32(exposure.normalS),
    f32(exposure.firstS),
  ];
  return [...fields, zeros(PARAMETER_BYTES - byteLength(fields))];
}

function slicerFields({ job, exposure }: CrealityFile): Field[] {
  const { firstCycle, normalCycle } = exposure;
  const seconds = [firstCycle.lift, normalCycle.lift, normalCycle.retract].map(({ stages }) => stages[1]);
  return [
    ...seconds.flatMap(({ mm, mmPerMin }) => [f32(mm), f32(mmPerMin)]),
    f32(normalCycle.waitAfterLiftS),
    u32(AS_HEADER_SAYS),
    u32(Math.floor(job.created.getTime() / MS_PER_MINUTE)),
    u32(ANTI_ALIASING_LEVEL),
    u32(0),
    f32(normalCycle.waitAfterRetractS),
    f32(normalCycle.waitBeforeLiftS),
    f32(exposure.normalS),
    f32(exposure.firstS),
    f32(normalCycle.waitAfterLiftS),
    u32(exposure.fadingLayers),
    zeros(8),
  ];
}

function entryFields({ job }: CrealityFile, layer: WrittenLayer, index: number): Field[] {
  return [
    f32(job.boundariesMm[index + 1]),
    f32(layer.exposureS),
    f32(0), // time without light
    u32(layer.address),
    u32(layer.bytes),
    zeros(8),
    u32(layer.area),
    zeros(8),
  ];
}

/** The record before the picture of a layer. */
function layerHead(exposure: JobExposure, index: number): Uint8Array {
  const { lift, retract, ...cycle } = cycleOf(exposure, index);
  const [[lift1, lift2], [retract1, retract2]] = [lift.stages, retract.stages];
  return Buffer.concat(
    [
      distanceMm(lift),
      lift1.mmPerMin,
      lift2.mm,
      lift2.mmPerMin,
      retract1.mmPerMin,
      retract2.mm,
      retract2.mmPerMin,
      cycle.waitBeforeLiftS,
      cycle.waitAfterLiftS,
      cycle.waitAfterRetractS,
      cycle.light,
    ].map(f32),
  );
}
