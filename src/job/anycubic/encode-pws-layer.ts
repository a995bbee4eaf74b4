import type { LayerRuns } from "../../slice/rasterise-layer.ts";
import { greyRuns } from "./grey-runs.ts";

/** Number of pictures that follow one another in a layer; the machine shows each for a part of the exposure, which makes greys. */
export const TIME_SLICES = 4;
/** The longest run that other programs write; readers take 127. */
const MAX_LENGTH = 125;

/** Whether a pixel is lit in each time slice, by its value. */
const LIT = Array.from({ length: TIME_SLICES }, (_, slice) => {
  const least = Math.floor((255 * (slice + 1)) / (TIME_SLICES + 1)) + 1;
  return Uint8Array.from({ length: 256 }, (_, value) => Number(value >= least));
});

/**
 * A layer in Anycubic's time slices (`pwsImg`): whole pictures of one bit, one behind the other. The highest bit of a byte is the colour,
 * the others are the length of its run. Runs continue from row to row, not from slice to slice.
 */
export function encodePwsLayer(layer: LayerRuns): Uint8Array {
  const bytes: number[] = [];
  for (const lit of LIT) {
    const { count, levels, lengths } = greyRuns(layer, lit);
    for (let run = 0; run < count; run++) {
      for (let left = lengths[run]; left > 0; left -= MAX_LENGTH) {
        bytes.push((levels[run] << 7) | Math.min(left, MAX_LENGTH));
      }
    }
  }
  return Uint8Array.from(bytes);
}
