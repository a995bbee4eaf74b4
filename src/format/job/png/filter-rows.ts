import type { LayerRuns } from "../layer-runs.ts";
import type { ByteRuns } from "./byte-runs.ts";

// PNG (Third Edition), section 9.2.
const NONE = 0;
const UP = 2;

let values = new Uint8Array();
let lengths = new Uint32Array();

/**
 * The layer's rows, filtered, good until the next call. A row like the one above becomes zeros by the filter Up: one
 * long run instead of all its own again. Other rows stay as they are (filtering them, too, measured the same size and
 * took longer), as do empty ones, which go on the run of zeros before them.
 */
export function filterRows(layer: LayerRuns): ByteRuns {
  const { width, height, rowStarts } = layer;
  // At most: each row's filter and what is left of it, and two for each run.
  const capacity = 2 * rowStarts[height] + 2 * height;
  if (capacity > values.length) {
    values = new Uint8Array(2 * capacity);
    lengths = new Uint32Array(2 * capacity);
  }
  const [toValues, toLengths] = [values, lengths];
  let size = 0;
  let value = NONE;
  let length = 0;
  const add = (nextValue: number, nextLength: number): void => {
    if (nextValue === value) {
      length += nextLength;
    } else if (nextLength > 0) {
      toValues[size] = value;
      toLengths[size++] = length;
      value = nextValue;
      length = nextLength;
    }
  };
  for (let row = 0; row < height; row++) {
    const end = rowStarts[row + 1];
    if (end - rowStarts[row] > 1 && isLikeAbove(layer, row)) {
      add(UP, 1);
      add(0, width);
      continue;
    }
    add(NONE, 1);
    let column = 0;
    for (let run = rowStarts[row]; run < end; run++) {
      add(0, layer.starts[run] - column);
      add(layer.values[run], layer.ends[run] - layer.starts[run]);
      column = layer.ends[run];
    }
    add(0, width - column);
  }
  toValues[size] = value;
  toLengths[size++] = length;
  return { values, lengths, size };
}

function isLikeAbove({ rowStarts, starts, ends, values }: LayerRuns, row: number): boolean {
  if (row === 0) return false;
  const first = rowStarts[row];
  const above = rowStarts[row - 1];
  const count = rowStarts[row + 1] - first;
  if (count !== first - above) return false;
  for (let i = 0; i < count; i++) {
    const isLike =
      starts[first + i] === starts[above + i] &&
      ends[first + i] === ends[above + i] &&
      values[first + i] === values[above + i];
    if (!isLike) return false;
  }
  return true;
}
