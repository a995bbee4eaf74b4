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
  const colourAt = (pixel: number): number => {
    const alpha = rgba[4 * pixel + 3] / (255 * 255);
    const [red, green, blue] = [0, 1, 2].map((channel) => Math.round(31 * rgba[4 * pixel + channel] * alpha));
    return (red << 11) | (green << 6) | blue;
  };
  for (let first = 0; first < count;) {
    const colour = colourAt(first);
    let end = first + 1;
    while (end < count && end - first < MAX_LENGTH && colourAt(end) === colour) end++;
    const length = end - first;
    if (length < MIN_LENGTH) words.push(...Array.from({ length }, () => colour));
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
  let pixel = 0;
  for (let i = 0; i < words; i++) {
    const word = view.getUint16(2 * i, true);
    const isRun = (word & RUN_FOLLOWS) !== 0 && i + 1 < words;
    const length = isRun ? (view.getUint16(2 * ++i, true) & (MAX_LENGTH - 1)) + 1 : 1;
    if (pixel + length > width * height) break;
    const channels = [word >> 11, (word >> 6) & 31, word & 31].map((value) => Math.round((255 * value) / 31));
    for (let end = pixel + length; pixel < end; pixel++) rgba.set([...channels, 255], 4 * pixel);
  }
  if (pixel !== width * height) throw refuse("one of its previews is damaged; take another copy of it");
  return { width, height, rgba };
}
