import { CHUNK_FRAME_BYTES, PNG_SIGNATURE, endChunk, frameChunk, headerChunk } from "../codec/png.ts";
import { type PackedContent, deflated } from "../codec/zip-writer.ts";
import type { LayerRuns } from "../slice/rasterise-layer.ts";
import { byteLength, writeBits } from "./bit-list.ts";
import { type ByteRuns, deflateRuns } from "./deflate-runs.ts";

/**
 * Deflate needs at least two bits per 258 pixels of a run, so that even an empty layer takes kilobytes of a repeated pattern.
 * A second pass at the fastest level reduces it to between a fifth and four fifths.
 */
const SECOND_PASS_LEVEL = 1;

/** The layer as a PNG file, deflated again as the entry of a zip archive. */
export const packedPngLayer = (layer: LayerRuns): PackedContent => deflated([encodePngLayer(layer)], SECOND_PASS_LEVEL);

/** Deflate with a window of 32 KiB; the second byte makes both together a multiple of 31 (RFC 1950, section 2.2). */
const ZLIB_HEADER = [0x78, 0x01] as const;
const ADLER_BYTES = 4;

let scratch = new Uint8Array();

/**
 * The layer as a PNG file, 8-bit greyscale; the next layer overwrites it. Runs are encoded directly, without an array of
 * pixels, in time proportional to the number of runs and rows.
 */
export function encodePngLayer(layer: LayerRuns): Uint8Array {
  const runs = filterRows(layer);
  const deflated = deflateRuns(runs);
  const header = headerChunk(layer.width, layer.height, "grey");
  const end = endChunk();
  const chunkAt = PNG_SIGNATURE.length + header.length;
  const dataAt = chunkAt + 8;
  const deflateAt = dataAt + ZLIB_HEADER.length;
  const adlerAt = deflateAt + byteLength(deflated);
  const dataBytes = adlerAt + ADLER_BYTES - dataAt;
  const endAt = chunkAt + CHUNK_FRAME_BYTES + dataBytes;
  const length = endAt + end.length;
  if (length > scratch.length) scratch = new Uint8Array(2 * length);
  const bytes = scratch.subarray(0, length);
  bytes.set(PNG_SIGNATURE, 0);
  bytes.set(header, PNG_SIGNATURE.length);
  bytes.set(ZLIB_HEADER, dataAt);
  writeBits(deflated, bytes, deflateAt);
  new DataView(scratch.buffer).setUint32(adlerAt, adler32OfRuns(runs));
  frameChunk(bytes, chunkAt, "IDAT", dataBytes);
  bytes.set(end, endAt);
  return bytes;
}

// PNG (Third Edition), section 9.2.
const NONE = 0;
const UP = 2;

let values = new Uint8Array();
let lengths = new Uint32Array();

/**
 * The filtered rows of a layer; the next call overwrites them. A row equal to the row above gets the filter Up, which leaves
 * one run of zeros. All other rows are unfiltered: filtering them was measured to take longer and to give the same size.
 * Empty rows are unfiltered, too, and extend the run of zeros before them.
 */
function filterRows(layer: LayerRuns): ByteRuns {
  const { width, height, rowStarts } = layer;
  // Upper bound: two runs for each row (its filter and its end) and two for each run of pixels.
  const capacity = 2 * rowStarts[height] + 2 * height;
  if (capacity > values.length) {
    values = new Uint8Array(2 * capacity);
    lengths = new Uint32Array(2 * capacity);
  }
  const [toValues, toLengths] = [values, lengths];
  let size = 0;
  let value = NONE;
  let length = 0;
  const add = (nextValue: number, nextLength: number): void => {
    if (nextValue === value) {
      length += nextLength;
    } else if (nextLength > 0) {
      toValues[size] = value;
      toLengths[size++] = length;
      value = nextValue;
      length = nextLength;
    }
  };
  for (let row = 0; row < height; row++) {
    const end = rowStarts[row + 1];
    if (end - rowStarts[row] > 1 && equalsRowAbove(layer, row)) {
      add(UP, 1);
      add(0, width);
      continue;
    }
    add(NONE, 1);
    let column = 0;
    for (let run = rowStarts[row]; run < end; run++) {
      add(0, layer.starts[run] - column);
      add(layer.values[run], layer.ends[run] - layer.starts[run]);
      column = layer.ends[run];
    }
    add(0, width - column);
  }
  toValues[size] = value;
  toLengths[size++] = length;
  return { values, lengths, size };
}

function equalsRowAbove({ rowStarts, starts, ends, values }: LayerRuns, row: number): boolean {
  if (row === 0) return false;
  const first = rowStarts[row];
  const above = rowStarts[row - 1];
  const count = rowStarts[row + 1] - first;
  if (count !== first - above) return false;
  for (let i = 0; i < count; i++) {
    const isEqual =
      starts[first + i] === starts[above + i] &&
      ends[first + i] === ends[above + i] &&
      values[first + i] === values[above + i];
    if (!isEqual) return false;
  }
  return true;
}

/** The largest prime below 2¹⁶ (RFC 1950, section 8.2). */
const ADLER_BASE = 65_521;
/**
 * The sums are reduced only when needed, and stay below 2⁵³: while the second sum is at most MAX_SUM, the first one is below 2²⁵ (at most
 * 93,000 bytes of 255 were added), and MAX_LENGTH more bytes add less than 2⁴⁸.
 */
const MAX_SUM = 2 ** 40;
const MAX_LENGTH = 2 ** 22;

/** The Adler-32 checksum, unsigned. Runs of bytes other than 0 are at most 2¹⁶ long (a row and its filter). */
export function adler32OfRuns({ values, lengths, size }: ByteRuns): number {
  let a = 1;
  let b = 0;
  for (let i = 0; i < size; i++) {
    const length = lengths[i];
    if (b > MAX_SUM || length > MAX_LENGTH) {
      a %= ADLER_BASE;
      b %= ADLER_BASE;
    }
    const sum = values[i] * length;
    b += length * a + (sum * (length + 1)) / 2;
    a += sum;
  }
  return (b % ADLER_BASE) * 0x1_0000 + (a % ADLER_BASE);
}
