import type { LayerRuns } from "../slice/raster/rasterise-layer.ts";
import { greyRuns } from "./grey-runs.ts";

/** The longest run that other programs write; readers take 127. */
const MAX_LENGTH = 125;

/** Whether a pixel is lit, by its value, if it must have at least this value. */
export const litFrom = (least: number): Uint8Array =>
  Uint8Array.from({ length: 256 }, (_, value) => Number(value >= least));

/**
 * A picture of one bit as bytes: the highest bit is the colour, the others are the length of its run. Runs continue from row to row.
 * `lit`: whether a pixel is lit, by its value.
 */
export function bitRuns(layer: LayerRuns, lit: Uint8Array): Uint8Array {
  const { count, levels, lengths } = greyRuns(layer, lit);
  let size = 0;
  for (let run = 0; run < count; run++) size += Math.ceil(lengths[run] / MAX_LENGTH);
  const bytes = new Uint8Array(size);
  let at = 0;
  for (let run = 0; run < count; run++) {
    for (let left = lengths[run]; left > 0; left -= MAX_LENGTH) {
      bytes[at++] = (levels[run] << 7) | Math.min(left, MAX_LENGTH);
    }
  }
  return bytes;
}
