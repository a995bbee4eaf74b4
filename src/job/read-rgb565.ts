import type { FieldReader } from "../codec/big-endian-reader.ts";
import type { JobPicture } from "./job-reader.ts";

/** Reads a preview of 16-bit pixels with 5, 6 and 5 bits of red, green and blue, red in the highest bits. */
export function readRgb565(from: FieldReader, width: number, height: number): JobPicture {
  const rgba = new Uint8Array(4 * width * height);
  for (let at = 0; at < rgba.length; at += 4) {
    const word = from.u16();
    rgba[at] = Math.round((255 * (word >> 11)) / 31);
    rgba[at + 1] = Math.round((255 * ((word >> 5) & 63)) / 63);
    rgba[at + 2] = Math.round((255 * (word & 31)) / 31);
    rgba[at + 3] = 255;
  }
  return { width, height, rgba };
}
