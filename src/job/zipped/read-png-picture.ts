import { PNG_CHANNELS, readPng, readPngRows } from "../../codec/png-reader.ts";
import type { ErrorFactory } from "../../core/api-error.ts";
import type { JobPicture } from "../job-reader.ts";

/** Previews have less than a million pixels. */
const MAX_PIXELS = 2 ** 22;

/** Reads a preview with 8 bits a channel, on black. Throws the error of `refuse` for a damaged, unsupported or too large one. */
export async function readPngPicture(file: Uint8Array, refuse: ErrorFactory): Promise<JobPicture> {
  const png = readPng(file, refuse);
  const { width, height, bits, colour, palette } = png;
  if (width * height > MAX_PIXELS) throw refuse(`a preview has ${width} × ${height} pixels; make it smaller`);
  if (bits !== 8) throw refuse(`a preview has ${bits} bits a pixel; save it with 8 bits a channel`);
  const rgba = new Uint8Array(4 * width * height).fill(255);
  const channels = PNG_CHANNELS[colour];
  const hasAlpha = colour === "GREY_ALPHA" || colour === "RGB_ALPHA";
  // From a channel to the next one; the three colours of a grey are the same channel.
  const step = channels < 3 ? 0 : 1;
  let to = 0;
  await readPngRows(png, refuse, (row) => {
    for (let at = 0; at < row.length; at += channels, to += 4) {
      const alpha = hasAlpha ? row[at + channels - 1] / 255 : 1;
      for (let i = 0; i < 3; i++) {
        const value = row[at + i * step];
        rgba[to + i] = colour === "INDEX" ? (palette[3 * value + i] ?? 0) : Math.round(alpha * value);
      }
    }
  });
  return { width, height, rgba };
}
