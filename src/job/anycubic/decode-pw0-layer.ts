import type { LayerRuns } from "../../slice/raster/rasterise-layer.ts";
import type { RunsBuilder } from "../runs-builder.ts";

const WHITE = 15;
/** Value of a pixel of level 1. */
const STEP = 17;

/**
 * Decodes Anycubic's runs of 4 bits (`pw0Img`) of a picture with so many pixels. A run of black or white whose length is missing extends to
 * the end of the picture, no data at all are a black picture, and bytes after the last pixel do not count: older programs have a checksum
 * there. Throws the error of the builder for runs that do not make the picture.
 */
export function decodePw0Layer(data: Uint8Array, pixels: number, into: RunsBuilder): LayerRuns {
  into.begin();
  let left = pixels;
  if (data.length === 0) into.add(0, left);
  for (let at = 0; at < data.length && left > 0;) {
    const head = data[at++];
    const level = head >> 4;
    let length = head & 15;
    if (level === 0 || level === WHITE) length = at < data.length ? (length << 8) | data[at++] : left;
    into.add(STEP * level, length);
    left -= length;
  }
  return into.finish();
}
