import { Buffer } from "node:buffer";
import { operationFailed } from "../../core/api-error.ts";
import { VERSION } from "../../core/version.ts";
import { layerImageSize } from "../../slice/pixel-grid.ts";
import {
  type JobFacts,
  type JobMetadata,
  type JobStream,
  type JobWriter,
  jobLayerCount,
  meanThicknessMm,
} from "../job.ts";
import type { JobExposure } from "../job-exposure.ts";
import { BIG_ENDIAN, type Field, u8, zeros } from "../record.ts";
import { requireEqualLayers } from "../require-equal-layers.ts";
import { newCrcChecksum, newXorChecksum } from "./body-checksum.ts";
import {
  CARRIED,
  DELIMITER,
  MARK,
  countedText,
  fileMark,
  requireLifts,
  statedArea,
  LINE_BYTES,
  MAX_COLUMNS,
  MAX_ROWS,
} from "./cxdlp-layout.ts";
import type { CrealityLayer } from "./encode-creality-layer.ts";
import { roundingLosses, statedValues } from "./stated-values.ts";

const { u16, u32, rgb565 } = BIG_ENDIAN;

const THUMBNAILS = [
  { width: 116, height: 116 },
  { width: 290, height: 290 },
  { width: 290, height: 290 },
] as const;
const MAX_LAYERS = 0xffff;
/** Lifts below it would be rounded to 0. */
const LEAST_LIFT_MM = 0.5;

/** Writes the jobs of Creality's printers in versions 2 and 3, whose values are whole numbers. */
export const cxdlpWriter = (version: 2 | 3): JobWriter<CrealityLayer> => ({
  greyLevels: 256,
  thumbnails: THUMBNAILS,
  carries: CARRIED,
  otherLosses: roundingLosses,
  requireCarriable(job) {
    requireEqualLayers(job);
    requireCounts(job);
    requireLifts(job, LEAST_LIFT_MM);
  },
  stream: (job) => cxdlpStream(version, job),
});

function requireCounts(job: JobFacts): void {
  const [columns, rows] = layerImageSize(job.printer).pixels;
  if (columns > MAX_COLUMNS || rows > MAX_ROWS) {
    throw operationFailed(
      `Files of type .cxdlp have at most ${MAX_COLUMNS} × ${MAX_ROWS} pixels, and the ${job.printer.label} has ${columns} × ${rows}: choose a printer with another type of jobs.`,
    );
  }
  if (jobLayerCount(job) > MAX_LAYERS) {
    throw operationFailed(`Files of type .cxdlp have at most ${MAX_LAYERS} layers: choose thicker layers.`);
  }
}

function cxdlpStream(version: 2 | 3, job: JobMetadata): JobStream<CrealityLayer> {
  const { exposure } = job;
  if (exposure === undefined) throw new TypeError("A .cxdlp file needs the exposure of a resin job.");
  const checksum = version === 2 ? newXorChecksum() : newCrcChecksum();
  const areas: number[] = [];
  const checked = (chunks: Field[]): Field[] => {
    chunks.forEach(checksum.add);
    return chunks;
  };
  return {
    begin: () => [
      fileHead(
        version,
        job,
        exposure,
        Array.from({ length: jobLayerCount(job) }, () => 0),
      ),
    ],
    layer(_, { bytes, largestPixels }) {
      const area = statedArea(job, largestPixels);
      areas.push(area);
      return checked([u32(area), u32(bytes.length / LINE_BYTES), bytes, DELIMITER]);
    },
    end() {
      const head = fileHead(version, job, exposure, areas);
      const mark = checked([countedText(MARK)]);
      return { chunks: [...mark, u32(checksum.withHead(head))], head };
    },
  };
}

/** Everything before the layers. Its size depends on the number of layers alone. */
function fileHead(version: 2 | 3, job: JobMetadata, exposure: JobExposure, areas: readonly number[]): Uint8Array {
  return Buffer.concat([
    fileMark(version, job),
    u16(jobLayerCount(job)),
    ...layerImageSize(job.printer).pixels.map(u16),
    zeros(64),
    ...job.thumbnails.flatMap((thumbnail) => [rgb565(thumbnail), DELIMITER]),
    ...processFields(job, exposure),
    ...areas.map(u32),
    DELIMITER,
    ...(version === 3 ? softwareFields(job) : []),
  ]);
}

function processFields(job: JobMetadata, exposure: JobExposure): Field[] {
  const { pixels, pixelMm } = layerImageSize(job.printer);
  const stated = statedValues(exposure);
  return [
    ...[pixels[0] * pixelMm[0], pixels[1] * pixelMm[1], meanThicknessMm(job)].map(digits),
    u16(stated.exposureDs),
    u16(stated.waitS),
    u16(stated.firstExposureS),
    u16(stated.firstLayers),
    u16(stated.firstLiftMm),
    u16(stated.firstLiftMmPerS),
    u16(stated.liftMm),
    u16(stated.liftMmPerS),
    u16(stated.retractMmPerS),
    u16(exposure.firstCycle.light),
    u16(exposure.normalCycle.light),
  ];
}

const MAX_DECIMALS = 4;

/** A number as big-endian UTF-16, behind its number of bytes. */
function digits(value: number): Field {
  const text = Buffer.from(String(Number(value.toFixed(MAX_DECIMALS))), "utf16le").swap16();
  return Buffer.concat([u32(text.length), text]);
}

/** The program, the resin, and what the machine itself should change of the pictures: nothing. */
const softwareFields = ({ material }: JobMetadata): Field[] => [
  countedText(`Printwright ${VERSION}`),
  countedText(material.label),
  // Compensation of distortions: off, with the thickness and the focal length that UVtools writes.
  u8(0),
  u32(600),
  u32(300_000),
  // Compensation of x and y by 0.
  u8(1),
  u16(0),
  // Compensation of light that reaches below a layer: off.
  u8(0),
  u16(1000),
  // Greys from 1 to 255, as they are.
  u8(1),
  u8(1),
  u8(255),
  // No blur; its level.
  u8(0),
  u8(2),
  DELIMITER,
];
