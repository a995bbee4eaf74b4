import { ensureCapacity } from "../core/typed-arrays.ts";
import { Winding, addOverlapCoverage, addSignedArea } from "./coverage.ts";
import type { Segments } from "./outline-segments.ts";
import {
  type RowPieces,
  type SortedRow,
  TOUCH_DISTANCE_PX,
  cutIntoRows,
  newRowPieces,
  newRowSorter,
  windingChange,
} from "./row-pieces.ts";

/**
 * A run-length encoded 8-bit layer. Row 0 is the top of the image; the runs of row y are those from `rowStarts[y]` to before
 * `rowStarts[y + 1]`, sorted, without overlap; adjacent runs differ in value. Pixels without a run are 0. The arrays may be
 * longer than their content and are overwritten by the next layer.
 */
export interface LayerRuns {
  /** Pixels per row, at most 65,535. */
  readonly width: number;
  readonly height: number;
  /** `height + 1` entries. */
  readonly rowStarts: Uint32Array;
  /** First column of a run. */
  readonly starts: Uint16Array;
  /** The column after the last column of a run. */
  readonly ends: Uint16Array;
  /** 1 to 255. */
  readonly values: Uint8Array;
}

const ROWS_PER_POLL = 64;

export interface RasterisedLayer {
  /** Overwritten by the next layer. */
  readonly runs: LayerRuns;
  /** Sum of the exact coverages, not of the rounded grey values. */
  readonly areaPixels: number;
}

/**
 * Rasterises layers of `width` × `height` pixels with exact coverage: the value of a pixel is the fraction of it inside the union of
 * the models, 0 to 255.
 *
 * A row is swept from left to right over clusters: groups of outline pieces whose extents in x touch. Between two clusters the winding
 * number is constant over the height of the row. A cluster that is a single outline crossing the row separates inside from outside, or
 * changes nothing; only in clusters in which outlines turn back or meet must the inside be computed.
 */
export class LayerRasteriser {
  readonly #width: number;
  readonly #height: number;
  readonly #pieces: RowPieces;
  readonly #sortRow: (row: number) => SortedRow;
  readonly #runs: RunWriter;
  #winding = new Winding(0, -1);

  constructor(width: number, height: number) {
    this.#width = width;
    this.#height = height;
    this.#pieces = newRowPieces(height);
    this.#sortRow = newRowSorter(this.#pieces);
    this.#runs = new RunWriter(width, height);
  }

  /** The winding numbers of `winding` are 0 before and after the call. `poll` is called every few rows and may throw to cancel. */
  rasterise(segments: Segments, winding: Winding, poll: () => void): RasterisedLayer {
    this.#winding = winding;
    const pieces = this.#pieces;
    const runs = this.#runs;
    cutIntoRows(segments, pieces);
    runs.begin();
    for (let row = pieces.firstRow; row < pieces.endRow; row++) {
      if (row % ROWS_PER_POLL === 0) poll();
      runs.endRowsBefore(row);
      this.#rasteriseRow(this.#sortRow(row));
    }
    runs.endRowsBefore(this.#height);
    return { runs: runs.runs, areaPixels: runs.areaPixels };
  }

  #rasteriseRow(row: SortedRow): void {
    const { x0, x1 } = this.#pieces;
    const { members, lefts, count } = row;
    for (let from = 0; from < count;) {
      let right = -Infinity;
      let to = from;
      do {
        const piece = members[to];
        const pieceRight = x0[piece] > x1[piece] ? x0[piece] : x1[piece];
        if (pieceRight > right) right = pieceRight;
        to++;
      } while (to < count && lefts[to] <= right + TOUCH_DISTANCE_PX);
      this.#addCluster(row, from, to, right);
      from = to;
    }
    this.#runs.writeTouched();
  }

  /** Adds the cluster of `members` from index `from` to before `to`. */
  #addCluster({ members, lefts }: SortedRow, from: number, to: number, right: number): void {
    const pieces = this.#pieces;
    const winding = this.#winding;
    const runs = this.#runs;
    const { cover } = runs;
    const { x0, x1, y0, y1, models } = pieces;
    const turns = windingChange(pieces, members, from, to);
    const isInside = winding.isInside;
    if (turns === 0 || lefts[from] < -TOUCH_DISTANCE_PX || right > this.#width + TOUCH_DISTANCE_PX) {
      runs.touch(lefts[from], right, isInside);
      addOverlapCoverage(pieces, members.subarray(from, to), right, winding, cover);
      return;
    }
    winding.add(models[members[from]], turns);
    if (winding.isInside === isInside) return;
    runs.touch(lefts[from], right, isInside);
    for (let i = from; i < to; i++) {
      const piece = members[i];
      if (y0[piece] !== y1[piece]) addSignedArea(cover, x0[piece], x1[piece], y1[piece] - y0[piece]);
    }
  }
}

const FULL = 255;
const FIRST_CAPACITY = 4096;

/** Collects the coverage of a layer and writes it as runs: row by row from the top, each from left to right. */
class RunWriter {
  readonly #width: number;
  readonly #rowStarts: Uint32Array<ArrayBuffer>;
  #starts = new Uint16Array(FIRST_CAPACITY);
  #ends = new Uint16Array(FIRST_CAPACITY);
  #values = new Uint8Array(FIRST_CAPACITY);
  #count = 0;
  #rowStart = 0;
  #row = 0;
  /** Covered area of the finished rows, in pixels. */
  #area = 0;
  #rowArea = 0;
  /** Coverage of the touched pixels, as {@link addSignedArea} adds it. */
  readonly cover: Float64Array;
  /** Pixels whose coverage is not written yet: none if `touchedTo` is −1. */
  #touchedFrom = 0;
  #touchedTo = -1;
  /** Whether the row is inside to the left of the touched pixels. */
  #isInsideBefore = false;
  /** End of the written pixels of the row. */
  #written = 0;

  constructor(width: number, height: number) {
    this.#width = width;
    this.cover = new Float64Array(width + 2);
    this.#rowStarts = new Uint32Array(height + 1);
  }

  /** Starts a new layer. */
  begin(): void {
    this.#count = 0;
    this.#rowStart = 0;
    this.#row = 0;
    this.#area = 0;
    this.#rowArea = 0;
  }

  /** Ends the rows up to `row` − 1: the current row and the empty rows after it. */
  endRowsBefore(row: number): void {
    this.#area += this.#rowArea;
    this.#rowArea = 0;
    this.#rowStarts.fill(this.#count, this.#row + 1, row + 1);
    this.#rowStart = this.#count;
    this.#row = row;
    this.#written = 0;
  }

  /**
   * Adds the pixels from `left` to `right` to the touched pixels; writes the earlier ones if there is a gap between them. `isInside`:
   * whether the row is inside to the left of `left`.
   */
  touch(left: number, right: number, isInside: boolean): void {
    const lastPixel = this.#width - 1;
    const from = Math.max(0, Math.min(lastPixel, Math.floor(left)));
    const to = Math.max(0, Math.min(lastPixel, Math.floor(right)));
    // The pixel after the last one has an entry in `cover`, too.
    if (this.#touchedTo >= 0 && from <= this.#touchedTo + 1) {
      this.#touchedTo = Math.max(this.#touchedTo, to);
      return;
    }
    this.writeTouched();
    this.#touchedFrom = from;
    this.#touchedTo = to;
    this.#isInsideBefore = isInside;
  }

  writeTouched(): void {
    const to = this.#touchedTo;
    if (to < 0) return;
    const from = this.#touchedFrom;
    const { cover } = this;
    if (this.#isInsideBefore && from > this.#written) this.#full(this.#written, from);
    let sum = this.#isInsideBefore ? 1 : 0;
    for (let pixel = from; pixel <= to; pixel++) {
      sum += cover[pixel];
      cover[pixel] = 0;
      this.#pixel(pixel, sum < 0 ? 0 : sum > 1 ? 1 : sum);
    }
    cover.fill(0, to + 1, to + 3);
    this.#written = to + 1;
    this.#touchedTo = -1;
  }

  get areaPixels(): number {
    return this.#area;
  }

  /** The runs of all rows, overwritten after the next `begin`. */
  get runs(): LayerRuns {
    return {
      width: this.#width,
      height: this.#rowStarts.length - 1,
      rowStarts: this.#rowStarts,
      starts: this.#starts,
      ends: this.#ends,
      values: this.#values,
    };
  }

  /** Adds the fully covered pixels `start` to `end` − 1. */
  #full(start: number, end: number): void {
    this.#rowArea += end - start;
    this.#add(start, end, FULL);
  }

  /** Adds one pixel with a coverage of 0 to 1. */
  #pixel(at: number, cover: number): void {
    this.#rowArea += cover;
    const value = Math.round(cover * FULL);
    if (value > 0) this.#add(at, at + 1, value);
  }

  #add(start: number, end: number, value: number): void {
    const last = this.#count - 1;
    if (last >= this.#rowStart && this.#ends[last] === start && this.#values[last] === value) {
      this.#ends[last] = end;
      return;
    }
    if (this.#count === this.#values.length) this.#grow();
    this.#starts[this.#count] = start;
    this.#ends[this.#count] = end;
    this.#values[this.#count++] = value;
  }

  #grow(): void {
    this.#starts = ensureCapacity(this.#starts, this.#count + 1);
    this.#ends = ensureCapacity(this.#ends, this.#count + 1);
    this.#values = ensureCapacity(this.#values, this.#count + 1);
  }
}
