import { requireAddressable } from "../require-addressable.ts";
import { Buffer } from "node:buffer";
import { VERSION as PROGRAM_VERSION } from "../../core/version.ts";
import { layerImageSize } from "../../slice/pixel-grid.ts";
import { CHITU_START, chituEnd, chituLayer } from "../gcode-zip/chitu-gcode.ts";
import {
  NO_TOTALS,
  type JobMetadata,
  type JobStream,
  type JobTotals,
  type JobWriter,
  jobLayerCount,
  meanThicknessMm,
} from "../job.ts";
import { type JobExposure, type Motion, cycleOf } from "../job-exposure.ts";
import { CARRIED_FACTS } from "../losses.ts";
import { type Field, LITTLE_ENDIAN, byteLength, text, u8 } from "../record.ts";
import type { OslaLayer } from "./encode-osla-layer.ts";
import {
  END_MARK,
  FILE_BYTES,
  HEADER_BYTES,
  LAYER_BYTES,
  LAYER_TYPE,
  MARK,
  PREVIEW_BYTES,
  PREVIEW_TYPE,
  VERSION,
} from "./osla-layout.ts";

const { u16, u32, f32, rgb565 } = LITTLE_ENDIAN;

const THUMBNAILS = [
  { width: 400, height: 300 },
  { width: 200, height: 125 },
] as const;

/**
 * Writes `.osla` files, an open format to pass jobs from program to program: pictures, and all values of each layer. Throws
 * OPERATION_FAILED for a file beyond 4 GiB, which its addresses cannot reach.
 */
export const oslaWriter: JobWriter<OslaLayer> = {
  greyLevels: 256,
  thumbnails: THUMBNAILS,
  carries: CARRIED_FACTS,
  stream: oslaStream,
};

/** A layer in the table. */
interface WrittenLayer extends Omit<OslaLayer, "png"> {
  readonly address: number;
  readonly exposureS: number;
}

const NO_LAYER: WrittenLayer = {
  address: 0,
  exposureS: 0,
  litPixels: 0,
  box: { left: 0, top: 0, right: 0, bottom: 0 },
};

function oslaStream(job: JobMetadata): JobStream<OslaLayer> {
  const { exposure } = job;
  if (exposure === undefined) throw new TypeError("An .osla file needs the exposure of a resin job.");
  const layers: WrittenLayer[] = [];
  const missing = Array.from({ length: jobLayerCount(job) }, () => NO_LAYER);
  let end = 0;
  return {
    begin() {
      const head = fileHead(job, exposure, missing, 0, NO_TOTALS);
      end = head.length;
      return [head];
    },
    layer(_, { png, ...facts }, exposureS) {
      layers.push({ ...facts, address: end, exposureS });
      end += 4 + png.length;
      requireAddressable(end, "Files of type .osla");
      return [u32(png.length), png];
    },
    end(totals) {
      const gcode = new TextEncoder().encode(gcodeOf(job, exposure, layers));
      const chunks = [u32(gcode.length), gcode, new TextEncoder().encode(END_MARK)];
      return { chunks, head: fileHead(job, exposure, layers, end, totals) };
    },
  };
}

/** Everything before the pictures. Its size depends on the number of layers and the thumbnails alone. */
function fileHead(
  job: JobMetadata,
  exposure: JobExposure,
  layers: readonly WrittenLayer[],
  gcodeAt: number,
  totals: JobTotals,
): Uint8Array {
  const previews = previewFields(job);
  const layersAt = FILE_BYTES + HEADER_BYTES + CUSTOM_TABLE.length + byteLength(previews);
  return Buffer.concat([
    ...fileFields(job),
    ...headerFields(job, exposure, totals, layersAt, gcodeAt),
    CUSTOM_TABLE,
    ...previews,
    ...layers.flatMap((layer, index) => layerFields(job, exposure, layer, index)),
  ]);
}

/** The size of a table of values of other programs. */
const CUSTOM_TABLE: Field = u32(0);

function fileFields({ created }: JobMetadata): Field[] {
  // Format `2026-11-21 01:19:55Z`, which fills its field.
  const time = Buffer.from(created.toISOString().replace("T", " ").replace(/\.\d+/, ""), "latin1");
  const program = text(`Printwright ${PROGRAM_VERSION}`, 50);
  return [Buffer.from(MARK, "latin1"), u16(VERSION), time, program, time, program];
}

function headerFields(
  job: JobMetadata,
  exposure: JobExposure,
  totals: JobTotals,
  layersAt: number,
  gcodeAt: number,
): Field[] {
  const { printer } = job;
  const { pixels, pixelMm } = layerImageSize(printer);
  return [
    u32(HEADER_BYTES),
    ...pixels.map(u32),
    f32(printer.volumeMm[2]),
    f32(pixels[0] * pixelMm[0]),
    f32(pixels[1] * pixelMm[1]),
    u8((printer.mirrorX ? 1 : 0) + (printer.mirrorY ? 2 : 0)),
    text(PREVIEW_TYPE, 16),
    text(LAYER_TYPE, 16),
    u32(PREVIEW_BYTES),
    u32(job.thumbnails.length),
    f32(meanThicknessMm(job)),
    u16(exposure.firstLayers),
    u32(jobLayerCount(job)),
    u32(LAYER_BYTES),
    u32(layersAt),
    u32(gcodeAt),
    u32(Math.round(totals.printTimeS)),
    f32(totals.materialMl),
    f32(0), // price
    text(job.material.label, 50),
    text(printer.nameInJobs, 50),
  ];
}

const previewFields = ({ thumbnails }: JobMetadata): Field[] =>
  thumbnails.flatMap((thumbnail) => {
    const pixels = rgb565(thumbnail);
    return [u16(thumbnail.width), u16(thumbnail.height), u32(pixels.length), pixels];
  });

function layerFields(job: JobMetadata, exposure: JobExposure, layer: WrittenLayer, index: number): Field[] {
  const { lift, retract, ...cycle } = cycleOf(exposure, index);
  const { left, top, right, bottom } = layer.box;
  return [
    u32(layer.address),
    f32(job.boundariesMm[index + 1]),
    ...lift.stages.flatMap(motionFields),
    f32(cycle.waitAfterLiftS),
    f32(retract.stages[0].mmPerMin),
    ...motionFields(retract.stages[1]),
    f32(cycle.waitAfterRetractS),
    f32(layer.exposureS),
    f32(cycle.waitBeforeLiftS),
    u8(cycle.light),
    u32(layer.litPixels),
    ...[left, top, right - left, bottom - top].map(u32),
  ];
}

const motionFields = ({ mm, mmPerMin }: Motion): Field[] => [f32(mm), f32(mmPerMin)];

/** The job as a machine without tables would carry it out: pictures are shown by their number. */
const gcodeOf = (job: JobMetadata, exposure: JobExposure, layers: readonly WrittenLayer[]): string =>
  [
    ...CHITU_START,
    ...layers.flatMap(({ exposureS }, index) =>
      chituLayer(exposure, index, job.boundariesMm[index + 1], exposureS, `M6054 ${index} ;Show image`),
    ),
    ...chituEnd(job),
    "",
  ].join("\n");
