import { ensureCapacity } from "../core/typed-arrays.ts";
import type { LayerRuns } from "./raster/rasterise-layer.ts";

export type WrittenRuns = ReturnType<typeof newWrittenRuns>;

/** Runs that are written from left to right, row by row; equal neighbours become one. */
export function newWrittenRuns(height: number) {
  const rowStarts = new Uint32Array(height + 1);
  let [starts, ends] = [new Uint16Array(), new Uint16Array()];
  let values = new Uint8Array();
  let [count, rowStart] = [0, 0];
  return {
    /** Begins a layer of at most so many runs. */
    reserve(runs: number): void {
      [count, rowStart] = [0, 0];
      [starts, ends] = [ensureCapacity(starts, runs), ensureCapacity(ends, runs)];
      values = ensureCapacity(values, runs);
    },
    add(start: number, end: number, value: number): void {
      const joins = count > rowStart && ends[count - 1] === start && values[count - 1] === value;
      if (!joins) [starts[count], values[count++]] = [start, value];
      ends[count - 1] = end;
    },
    endRow(row: number): void {
      rowStart = rowStarts[row + 1] = count;
    },
    arrays: () => ({ rowStarts, starts, ends, values }),
  };
}

/** Adds a row of a layer. */
export function addRow(written: WrittenRuns, { rowStarts, starts, ends, values }: LayerRuns, row: number): void {
  for (let run = rowStarts[row]; run < rowStarts[row + 1]; run++) written.add(starts[run], ends[run], values[run]);
}

export const emptyRuns = ([width, height]: readonly [width: number, height: number]): LayerRuns => ({
  width,
  height,
  ...newWrittenRuns(height).arrays(),
});

/** A copy that the next layer does not overwrite. */
export function copyOfRuns({ width, height, rowStarts, starts, ends, values }: LayerRuns): LayerRuns {
  const count = rowStarts[height];
  return {
    width,
    height,
    rowStarts: rowStarts.slice(),
    starts: starts.slice(0, count),
    ends: ends.slice(0, count),
    values: values.slice(0, count),
  };
}
