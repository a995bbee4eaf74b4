import { ensureCapacity } from "../core/typed-arrays.ts";
import type { LayerRuns } from "../slice/rasterise-layer.ts";

const CHANNELS = 4;

/** The most columns of a layer whose bytes have columns of 16 bits. */
export const MAX_RGBA_COLUMNS = Math.floor(65_535 / CHANNELS);

/** Reused from layer to layer. */
const scratch = {
  rowStarts: new Uint32Array(),
  starts: new Uint16Array(),
  ends: new Uint16Array(),
  values: new Uint8Array(),
};

/**
 * The bytes of opaque grey pixels with four channels, filtered by Sub of PNG (Third Edition, section 9.2): differences to the pixel on the left,
 * modulo 256, so that only the ends of runs are not 0. Overwritten by the next layer.
 */
export function rgbaDifferences({ width, height, rowStarts, starts, ends, values }: LayerRuns): LayerRuns {
  const capacity = 2 * rowStarts[height] + 2 * height;
  const rows = (scratch.rowStarts = ensureCapacity(scratch.rowStarts, height + 1));
  const toStarts = (scratch.starts = ensureCapacity(scratch.starts, capacity));
  const toEnds = (scratch.ends = ensureCapacity(scratch.ends, capacity));
  const toValues = (scratch.values = ensureCapacity(scratch.values, capacity));
  let count = 0;
  const add = (start: number, end: number, value: number): void => {
    toStarts[count] = start;
    toEnds[count] = end;
    toValues[count++] = value;
  };
  /** Red, green and blue of the pixel in a column change by a difference. The opacity of the first pixel is 255. */
  const change = (column: number, difference: number): void => {
    add(CHANNELS * column, CHANNELS * column + 3, difference & 255);
    if (column === 0) add(3, CHANNELS, 255);
  };
  for (let row = 0; row < height; row++) {
    const [first, end] = [rowStarts[row], rowStarts[row + 1]];
    if (first === end || starts[first] > 0) add(3, CHANNELS, 255);
    let [column, value] = [0, 0];
    for (let run = first; run < end; run++) {
      if (value > 0 && starts[run] > column) {
        change(column, -value);
        value = 0;
      }
      change(starts[run], values[run] - value);
      [column, value] = [ends[run], values[run]];
    }
    if (value > 0 && column < width) change(column, -value);
    rows[row + 1] = count;
  }
  return { width: CHANNELS * width, height, rowStarts: rows, starts: toStarts, ends: toEnds, values: toValues };
}
