import { ensureCapacity } from "../core/typed-arrays.ts";
import type { SpanLayer } from "../geometry/spans.ts";
import type { Segments } from "./outline-segments.ts";
import { type NextRow, type RowPieces, type SortedRow, cutIntoRows, newRowSorter } from "./row-pieces.ts";

const ROWS_PER_POLL = 64;
const FIRST_CAPACITY = 1024;

/** Collects the spans of a layer: row by row from the top, each from left to right. */
export class SpanCollector {
  readonly #pieces: RowPieces;
  readonly #sortRow: (row: number) => SortedRow;
  readonly #rowStarts: Uint32Array;
  #starts = new Uint16Array(FIRST_CAPACITY);
  #ends = new Uint16Array(FIRST_CAPACITY);
  #count = 0;
  /** Number of spans before the current row. */
  #rowStart = 0;

  /** `pieces` has `height` rows; `collect` overwrites it. */
  constructor(height: number, pieces: RowPieces) {
    this.#pieces = pieces;
    this.#sortRow = newRowSorter(pieces);
    this.#rowStarts = new Uint32Array(height + 1);
  }

  /** Adds the pixels `from` to `to` − 1 of the current row; they join the last span if they touch or overlap it. */
  add(from: number, to: number): void {
    if (from >= to) return;
    const count = this.#count;
    const ends = this.#ends;
    if (count > this.#rowStart && from <= ends[count - 1]) {
      if (to > ends[count - 1]) ends[count - 1] = to;
      return;
    }
    if (count === ends.length) this.#grow();
    this.#starts[count] = from;
    this.#ends[count] = to;
    this.#count = count + 1;
  }

  /**
   * Cuts segments into rows, calls `rasteriseRow` for each row that has any, and returns the spans that it adds. `poll` is
   * called every few rows and may throw to cancel.
   */
  collect(
    segments: Segments,
    rasteriseRow: (row: SortedRow) => void,
    poll: () => void,
    nextRow?: NextRow,
  ): Omit<SpanLayer, "index"> {
    const pieces = this.#pieces;
    const rowStarts = this.#rowStarts;
    cutIntoRows(segments, pieces, nextRow);
    const firstRow = Math.min(rowStarts.length - 1, pieces.firstRow);
    this.#count = 0;
    rowStarts.fill(0, 0, firstRow + 1);
    for (let row = pieces.firstRow; row < pieces.endRow; row++) {
      if (row % ROWS_PER_POLL === 0) poll();
      this.#rowStart = this.#count;
      rasteriseRow(this.#sortRow(row));
      rowStarts[row + 1] = this.#count;
    }
    rowStarts.fill(this.#count, Math.max(pieces.endRow, firstRow) + 1);
    return {
      rowStarts: rowStarts.slice(),
      starts: this.#starts.slice(0, this.#count),
      ends: this.#ends.slice(0, this.#count),
    };
  }

  #grow(): void {
    this.#starts = ensureCapacity(this.#starts, this.#count + 1);
    this.#ends = ensureCapacity(this.#ends, this.#count + 1);
  }
}
