import { requireAddressable } from "../require-addressable.ts";
import { Buffer } from "node:buffer";
import {
  NO_TOTALS,
  type JobMetadata,
  type JobStream,
  type JobTotals,
  type JobWriter,
  jobLayerCount,
  meanThicknessMm,
} from "../job.ts";
import { type JobCycle, type JobExposure, type StagedMotion, isLifting } from "../job-exposure.ts";
import { CARRIED_FACTS } from "../losses.ts";
import { type Field, LITTLE_ENDIAN, text, u8, zeros } from "../record.ts";
import { requireEqualLayers } from "../require-equal-layers.ts";
import { type GooEdition, gooHead, layerValues } from "./goo-head.ts";
import { DELIMITER, HEAD_BYTES, LAYER_BYTES, THUMBNAILS } from "./goo-layout.ts";
import { ENTRY_BYTES, FOOTER_BYTES, PANELS, PREAMBLE_BYTES, TABLE_MARKS } from "./goo5-tables.ts";

const { u32, f32 } = LITTLE_ENDIAN;

/** The only maker's program whose files the printer takes: it checks the name. */
const SOFTWARE = "ELEGOO SatelLite";
/** The printer takes only files whose footer has the name of the print setting of the head. */
const PROFILE = "Normal";
const BITS_OF_PIXELS = 8;
/** Fields of unknown meaning at the begin and at the end of the footer, with the values of other files. */
const [FOOTER_MARK, FOOTER_FACTOR] = [0x66, 1.15];

/**
 * Writes `.goo` files of version 5.1, for the Jupiter 2. The layout is that of one other program; no file of ours was tried on a machine. Throws
 * OPERATION_FAILED for a file beyond 4 GiB, which its addresses cannot reach.
 */
export const goo5Writer: JobWriter<readonly Uint8Array[]> = {
  greyLevels: 256,
  thumbnails: THUMBNAILS,
  carries: CARRIED_FACTS,
  requireCarriable: requireEqualLayers,
  stream: goo5Stream,
};

interface WrittenLayer {
  /** Bytes of the picture of each half. */
  readonly sizes: readonly number[];
  readonly exposureS: number;
}

function goo5Stream(job: JobMetadata): JobStream<readonly Uint8Array[]> {
  if (job.exposure === undefined) throw new TypeError("A .goo file needs the exposure of a resin job.");
  const exposure = withShorterRetractions(job.exposure, meanThicknessMm(job));
  const missing = Array.from({ length: jobLayerCount(job) }, () => ({ sizes: [0, 0], exposureS: 0 }));
  const layers: WrittenLayer[] = [];
  let end = 0;
  return {
    begin() {
      const head = fileHead(job, exposure, missing, NO_TOTALS);
      end = head.length;
      return [head];
    },
    layer(_, panels, exposureS) {
      layers.push({ sizes: panels.map(({ length }) => length), exposureS });
      for (const { length } of panels) end += length;
      requireAddressable(end + FOOTER_BYTES, `Jobs for the ${job.printer.label}`);
      return panels;
    },
    end: (totals) => ({
      chunks: footer(),
      head: fileHead(job, exposure, layers, totals),
      tail: (md5) => Buffer.from(Buffer.from(md5).toString("hex"), "latin1"),
    }),
  };
}

/**
 * The platform returns to the height of the next layer: other programs state retractions that are shorter than the lifts by the thickness
 * of a layer.
 */
function withShorterRetractions(exposure: JobExposure, thicknessMm: number): JobExposure {
  const shorter = ({ stages: [first, second], seconds }: StagedMotion): StagedMotion => ({
    seconds,
    stages: [{ ...first, mm: Math.max(0, first.mm - thicknessMm) }, second],
  });
  const cycle = (one: JobCycle): JobCycle => (isLifting(one) ? { ...one, retract: shorter(one.retract) } : one);
  return { ...exposure, firstCycle: cycle(exposure.firstCycle), normalCycle: cycle(exposure.normalCycle) };
}

/** Head, tables and the values of all layers. */
function fileHead(
  job: JobMetadata,
  exposure: JobExposure,
  layers: readonly WrittenLayer[],
  totals: JobTotals,
): Uint8Array {
  const edition: GooEdition = {
    version: "V5.1",
    fields: LITTLE_ENDIAN,
    software: SOFTWARE,
    printerType: job.printer.nameInJobs,
    profile: PROFILE,
    layersRule: true,
  };
  return Buffer.concat([
    gooHead(job, exposure, totals, edition),
    ...tableFields(layers),
    ...layers.flatMap(({ exposureS }, index) => layerValues(job, exposure, index, exposureS, LITTLE_ENDIAN)),
  ]);
}

function tableFields(layers: readonly WrittenLayer[]): Field[] {
  const layersAt = HEAD_BYTES + PREAMBLE_BYTES;
  const blocksAt = layersAt + 1 + ENTRY_BYTES * layers.length;
  const endAt = blocksAt + 1 + ENTRY_BYTES * PANELS * layers.length;
  const valuesAt = endAt + 1 + 4 + ENTRY_BYTES;
  let at = valuesAt + LAYER_BYTES * layers.length;
  const blocks = layers.flatMap(({ sizes }) =>
    sizes.map((size) => {
      at += size;
      return [u32(at - size), u32(size)];
    }),
  );
  return [
    u8(PANELS),
    ...[layersAt, blocksAt, endAt].map(u32),
    u8(0),
    u8(BITS_OF_PIXELS),
    u8(TABLE_MARKS.layers),
    ...layers.flatMap((_, index) => [u32(valuesAt + LAYER_BYTES * index), u32(LAYER_BYTES)]),
    u8(TABLE_MARKS.blocks),
    ...blocks.flat(),
    u8(TABLE_MARKS.end),
    ...[1, at, FOOTER_BYTES].map(u32),
  ];
}

function footer(): Field[] {
  const end = [f32(FOOTER_FACTOR), zeros(4), DELIMITER];
  return [u8(FOOTER_MARK), text(PROFILE, FOOTER_BYTES - 1 - 10), ...end];
}
