import { Buffer } from "node:buffer";
import type { JobThumbnail } from "../job-facts.ts";

/** The picture on black, 5, 6 and 5 bits of red, green and blue in two bytes, row by row. */
export function preview({ rgba }: JobThumbnail): Uint8Array {
  const bytes = Buffer.alloc(rgba.length / 2);
  for (let from = 0, to = 0; from < rgba.length; from += 4, to += 2) {
    const share = rgba[from + 3] / (255 * 255);
    const [red, green, blue] = [31, 63, 31].map((most, i) => Math.round(rgba[from + i] * share * most));
    bytes.writeUInt16BE((red << 11) | (green << 5) | blue, to);
  }
  return bytes;
}
