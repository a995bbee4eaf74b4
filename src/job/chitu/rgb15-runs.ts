import type { ErrorFactory } from "../../core/api-error.ts";
import type { JobThumbnail } from "../job.ts";
import type { JobPicture } from "../job-reader.ts";

const RUN_FOLLOWS = 0x20;
/** Marks the length of a run; the low 12 bits are its length less one. */
const LENGTH_MARK = 0x3000;
const MAX_LENGTH = 0xfff + 1;
/** Shorter runs are written pixel by pixel. */
const MIN_LENGTH = 3;

/** A thumbnail on black as runs of pixels with 5 bits for red, green and blue, little-endian. Runs continue from row to row. */
export function rgb15Runs({ rgba }: JobThumbnail): Uint8Array {
  const words: number[] = [];
  const count = rgba.length / 4;
  const inBits = (at: number): number => Math.round((31 * rgba[at] * rgba[at | 3]) / (255 * 255));
  const colourAt = (pixel: number): number =>
    (inBits(4 * pixel) << 11) | (inBits(4 * pixel + 1) << 6) | inBits(4 * pixel + 2);
  for (let first = 0; first < count;) {
    const colour = colourAt(first);
    let end = first + 1;
    while (end < count && end - first < MAX_LENGTH && colourAt(end) === colour) end++;
    const length = end - first;
    if (length < MIN_LENGTH) for (let k = 0; k < length; k++) words.push(colour);
    else words.push(colour | RUN_FOLLOWS, LENGTH_MARK | (length - 1));
    first = end;
  }
  const bytes = new Uint8Array(2 * words.length);
  const view = new DataView(bytes.buffer);
  words.forEach((word, i) => view.setUint16(2 * i, word, true));
  return bytes;
}

/** The picture of {@link rgb15Runs}. Throws the error of `refuse` for runs of more or fewer pixels. */
export function picturedRuns(bytes: Uint8Array, width: number, height: number, refuse: ErrorFactory): JobPicture {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const words = Math.floor(bytes.length / 2);
  const rgba = new Uint8Array(4 * width * height);
  const pixels = new Uint32Array(rgba.buffer);
  let pixel = 0;
  for (let i = 0; i < words; i++) {
    const word = view.getUint16(2 * i, true);
    const isRun = (word & RUN_FOLLOWS) !== 0 && i + 1 < words;
    const length = isRun ? (view.getUint16(2 * ++i, true) & (MAX_LENGTH - 1)) + 1 : 1;
    if (pixel + length > width * height) break;
    pixels.fill(opaque(word >> 11, (word >> 6) & 31, word & 31), pixel, pixel + length);
    pixel += length;
  }
  if (pixel !== width * height) throw refuse("one of its previews is damaged; take another copy of it");
  return { width, height, rgba };
}

/** A pixel of three channels of 5 bits as a little-endian word of the bytes red, green, blue, alpha. */
function opaque(red: number, green: number, blue: number): number {
  const inByte = (value: number): number => Math.round((255 * value) / 31);
  return inByte(red) | (inByte(green) << 8) | (inByte(blue) << 16) | 0xff00_0000;
}
