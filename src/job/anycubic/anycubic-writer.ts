import { requireAddressable } from "../require-addressable.ts";
import { Buffer } from "node:buffer";
import type { AnycubicLayer } from "./encode-anycubic-layer.ts";
import { MARK, MARK_BYTES, type TableName, addressNames } from "./file-mark.ts";
import { NO_TOTALS, type JobMetadata, type JobStream, type JobTotals, type JobWriter, jobLayerCount } from "../job.ts";
import type { CarriedFact } from "../losses.ts";
import { TIME_SLICES } from "./encode-pws-layer.ts";
import { EMPTY_BOX, type PixelBox, unionOfBoxes } from "./lit-pixels.ts";
import { type Field, LITTLE_ENDIAN, byteLength, text } from "../record.ts";
import { requireEqualLayers } from "../require-equal-layers.ts";
import {
  type AnycubicFile,
  type AnycubicVersion,
  COLOUR_TABLES,
  GREY_LEVELS,
  type Greys,
  SOFTWARE_TABLE,
  type WrittenLayer,
  headerTable,
  largePreviewTable,
  layerTable,
  machineTable,
  modelTable,
  motionTable,
  previewTable,
  subImageTable,
} from "./tables.ts";

// Anycubic's binary jobs. No description by the maker is public; the layout is that of several programs that write and read these files, and of
// files that printers accept. Each model takes its own extension and some versions only.

const { u32 } = LITTLE_ENDIAN;

const PREVIEW = { width: 224, height: 168 };
const LARGE_PREVIEW = { width: 330, height: 190 };

/** The only wait in the tables is that before the exposure. */
const CARRIED_BY_FIRST = ["MOTIONS", "FIRST_LIFT", "WAIT_AFTER_RETRACT"] as const;
const CARRIED = [...CARRIED_BY_FIRST, "STAGES", "FIRST_RETRACT"] as const;

/** The facts of an exposure that files of a version state. */
export const carriedBy = (version: number): readonly CarriedFact[] => (version < 516 ? CARRIED_BY_FIRST : CARRIED);

/** Levels of brightness in a file; time slices add up. */
const LEVELS: Readonly<Record<Greys, number>> = { GREY: GREY_LEVELS, BINARY: 2, TIME_SLICES: TIME_SLICES + 1 };

/** Writes the jobs of Anycubic's printers in one version of the format. Throws OPERATION_FAILED for a file beyond 4 GiB, which its addresses cannot reach. */
export const anycubicWriter = (version: AnycubicVersion, greys: Greys): JobWriter<AnycubicLayer> => ({
  greyLevels: LEVELS[greys],
  thumbnails: version === 518 ? [PREVIEW, LARGE_PREVIEW] : [PREVIEW],
  carries: carriedBy(version),
  requireCarriable: requireEqualLayers,
  stream: (job) => anycubicStream(version, greys, job),
});

function anycubicStream(version: AnycubicVersion, greys: Greys, job: JobMetadata): JobStream<AnycubicLayer> {
  const { exposure } = job;
  if (exposure === undefined) throw new TypeError("A job for a printer of Anycubic needs the exposure of a resin job.");
  const file: AnycubicFile = { version, greys, job, exposure };
  const layers: WrittenLayer[] = [];
  let box = EMPTY_BOX;
  const missing = Array.from({ length: jobLayerCount(job) }, () => NO_LAYER);
  let address = 0;
  return {
    begin() {
      const head = fileHead(file, missing, EMPTY_BOX, NO_TOTALS);
      address = head.length;
      return [head];
    },
    layer(_, { bytes, litPixels: lit, box: own }, exposureS) {
      layers.push({ address, bytes: bytes.length, litPixels: lit, exposureS });
      box = unionOfBoxes(box, own);
      address += bytes.length;
      requireAddressable(address, `Jobs for the ${job.printer.label}`);
      return [bytes];
    },
    end: (totals) => ({ chunks: [], head: fileHead(file, layers, box, totals) }),
  };
}

const NO_LAYER: WrittenLayer = { address: 0, bytes: 0, litPixels: 0, exposureS: 0 };

/** The tables before the pictures of the layers. Their size depends on the number of layers alone. */
function fileHead(file: AnycubicFile, layers: readonly WrittenLayer[], box: PixelBox, totals: JobTotals): Uint8Array {
  const { version, job } = file;
  const [preview, largePreview] = job.thumbnails;
  const tables: [TableName, readonly Field[]][] = [
    ["HEADER", headerTable(file, totals)],
    ["PREVIEW", previewTable(preview, version)],
  ];
  if (version >= 516) tables.push(["COLOURS", COLOUR_TABLES[file.greys]]);
  tables.push(["LAYERDEF", layerTable(file, layers)]);
  if (version >= 516) tables.push(["EXTRA", motionTable(file)], ["MACHINE", machineTable(file)]);
  if (version >= 517) tables.push(["SOFTWARE", SOFTWARE_TABLE], ["MODEL", modelTable(file, box, totals)]);
  if (version >= 518) tables.push(["SUBIMGS", subImageTable(layers)], ["PREVIEW2", largePreviewTable(largePreview)]);
  return withMark(version, tables);
}

/** The number of tables that the mark states. */
const TABLE_COUNTS: Readonly<Record<AnycubicVersion, number>> = { 1: 4, 516: 8, 517: 9, 518: 11 };

/** The file mark, followed by the tables. Addresses of tables that a version lacks are 0. */
function withMark(version: AnycubicVersion, tables: readonly (readonly [TableName, readonly Field[]])[]): Uint8Array {
  const names = addressNames(version);
  const addressOf = new Map<TableName, number>();
  let at = MARK_BYTES + 4 * names.length;
  for (const [name, fields] of tables) {
    addressOf.set(name, at);
    at += byteLength(fields);
  }
  addressOf.set("IMAGES", at);
  return Buffer.concat([
    text(MARK, 12),
    u32(version),
    u32(TABLE_COUNTS[version]),
    ...names.map((name) => u32(addressOf.get(name) ?? 0)),
    ...tables.flatMap(([, fields]) => fields),
  ]);
}
