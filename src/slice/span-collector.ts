import { ensureCapacity } from "../core/typed-arrays.ts";
import type { SpanLayer } from "../geometry/spans.ts";
import type { Segments } from "./outline-segments.ts";
import { type NextRow, type RowPieces, type SortedRow, cutIntoRows, newRowSorter } from "./row-pieces.ts";

const ROWS_PER_POLL = 64;

/** Collects the spans of a layer: row by row from the top, each from left to right. */
export interface SpanCollector {
  /** Adds the pixels `from` to `to` − 1 of the present row; they join the last span where they touch or overlap it. */
  readonly add: (from: number, to: number) => void;
  /**
   * Cuts segments into rows, calls `rasteriseRow` for each row that has any, and returns the spans that it adds. `poll` is
   * called every few rows and may throw to cancel.
   */
  readonly collect: (
    segments: Segments,
    rasteriseRow: (row: SortedRow) => void,
    poll: () => void,
    nextRow?: NextRow,
  ) => Omit<SpanLayer, "index">;
}

/** `pieces` has `height` rows; `collect` overwrites it. */
export function newSpanCollector(height: number, pieces: RowPieces): SpanCollector {
  const sortRow = newRowSorter(pieces);
  const rowStarts = new Uint32Array(height + 1);
  let starts = new Uint16Array(1024);
  let ends = new Uint16Array(1024);
  let count = 0;
  let rowStart = 0;
  return {
    add(from, to) {
      if (from >= to) return;
      if (count > rowStart && from <= ends[count - 1]) {
        if (to > ends[count - 1]) ends[count - 1] = to;
        return;
      }
      if (count === starts.length) {
        starts = ensureCapacity(starts, count + 1);
        ends = ensureCapacity(ends, count + 1);
      }
      starts[count] = from;
      ends[count++] = to;
    },
    collect(segments, rasteriseRow, poll, nextRow) {
      cutIntoRows(segments, pieces, nextRow);
      count = 0;
      rowStarts.fill(0, 0, Math.min(height, pieces.firstRow) + 1);
      for (let row = pieces.firstRow; row < pieces.endRow; row++) {
        if (row % ROWS_PER_POLL === 0) poll();
        rowStart = count;
        rasteriseRow(sortRow(row));
        rowStarts[row + 1] = count;
      }
      rowStarts.fill(count, Math.max(pieces.endRow, Math.min(height, pieces.firstRow)) + 1);
      return { rowStarts: rowStarts.slice(), starts: starts.slice(0, count), ends: ends.slice(0, count) };
    },
  };
}
