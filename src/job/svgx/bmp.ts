import { Buffer } from "node:buffer";
import type { FieldReader } from "../../codec/big-endian-reader.ts";
import type { ErrorFactory } from "../../core/api-error.ts";
import type { JobThumbnail } from "../job.ts";
import type { JobPicture } from "../job-reader.ts";
import { LITTLE_ENDIAN } from "../record.ts";

const { u32 } = LITTLE_ENDIAN;

const HEAD_BYTES = 54;
const INFO_BYTES = 40;
/** One plane of 24 bits. */
const PLANES_AND_BITS = 0x0018_0001;
/** 96 dpi. */
const PIXELS_PER_METRE = 3780;

/** Rows have a multiple of 4 bytes. */
const rowBytes = (width: number): number => (3 * width + 3) & ~3;

/** A thumbnail on black as a BMP file of 24 bits. */
export function bmpOf({ width, height, rgba }: JobThumbnail): Uint8Array {
  const rows = Buffer.alloc(rowBytes(width) * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const from = 4 * (y * width + x);
      const to = rowBytes(width) * (height - 1 - y) + 3 * x;
      // Blue, green and red.
      for (let channel = 0; channel < 3; channel++) {
        rows[to + 2 - channel] = Math.round((rgba[from + channel] * rgba[from + 3]) / 255);
      }
    }
  }
  return Buffer.concat([
    Buffer.from("BM", "latin1"),
    ...[HEAD_BYTES + rows.length, 0, HEAD_BYTES].map(u32),
    ...[INFO_BYTES, width, height, PLANES_AND_BITS, 0, rows.length, PIXELS_PER_METRE, PIXELS_PER_METRE, 0, 0].map(u32),
    rows,
  ]);
}

const MAX_SIDE = 4096;

/** Reads a BMP file of 24 bits with rows from the bottom up. */
export function readBmp(from: FieldReader, refuse: ErrorFactory): JobPicture {
  const mark = from.take(2).toString("latin1");
  from.skip(16);
  const [width, height, planesAndBits] = [from.u32(), from.u32(), from.u32()];
  const isKnown = mark === "BM" && planesAndBits === PLANES_AND_BITS;
  if (!isKnown || width > MAX_SIDE || height > MAX_SIDE) {
    throw refuse("one of its previews is no picture of 24 bits: it is damaged; take another copy of it");
  }
  from.skip(24);
  const rows = from.take(rowBytes(width) * height);
  const rgba = new Uint8Array(4 * width * height).fill(255);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = rowBytes(width) * (height - 1 - y) + 3 * x;
      for (let channel = 0; channel < 3; channel++) rgba[4 * (y * width + x) + channel] = rows[at + 2 - channel];
    }
  }
  return { width, height, rgba };
}
