import type { SpanLayer } from "../geometry/spans.ts";
import { Winding, addOverlapCoverage, addSignedArea } from "./coverage.ts";
import type { Segments } from "./outline-segments.ts";
import { type RowPieces, type SortedRow, TOUCH_DISTANCE_PX, newRowPieces, windingChange } from "./row-pieces.ts";
import { SpanCollector } from "./span-collector.ts";

const FULL = 255;

/**
 * Finds the pixels, of `width` × `height`, to which `LayerRasteriser` gives at least a grey value. The sums are the same, term by
 * term; but an outline that shares no pixel with others, as most walls, needs no memory for the row.
 */
export class ThresholdRasteriser {
  readonly #width: number;
  readonly #pieces: RowPieces;
  readonly #spans: SpanCollector;
  readonly #cover: Float64Array;
  #winding = new Winding(0, -1);
  /** Least coverage, of 255, that rounds to the grey value of a solid pixel. */
  #leastGrey = FULL;
  /** Pixels in `cover` whose coverage is not written yet: none if `touchedTo` is −1. */
  #touchedFrom = 0;
  #touchedTo = -1;
  /** Whether the row is inside to the left of these pixels. */
  #isInsideBefore = false;
  /** End of the written pixels of the row. */
  #written = 0;

  constructor(width: number, height: number) {
    this.#width = width;
    this.#pieces = newRowPieces(height);
    this.#spans = new SpanCollector(height, this.#pieces);
    this.#cover = new Float64Array(width + 2);
  }

  /** Parameters as for `LayerRasteriser`; `minCoverage` is the least grey value, 1 to 255, of a solid pixel. */
  rasterise(segments: Segments, winding: Winding, minCoverage: number, poll: () => void): Omit<SpanLayer, "index"> {
    this.#winding = winding;
    this.#leastGrey = minCoverage - 0.5;
    return this.#spans.collect(segments, (row) => this.#rasteriseRow(row), poll);
  }

  /** The same sweep as in `LayerRasteriser`: a function that finds the clusters for all three takes up to a tenth longer. */
  #rasteriseRow(row: SortedRow): void {
    const { x0, x1 } = this.#pieces;
    const { members, lefts, count } = row;
    this.#written = 0;
    for (let from = 0; from < count;) {
      const first = members[from];
      let right = x0[first] > x1[first] ? x0[first] : x1[first];
      let to = from + 1;
      for (; to < count && lefts[to] <= right + TOUCH_DISTANCE_PX; to++) {
        const piece = members[to];
        const pieceRight = x0[piece] > x1[piece] ? x0[piece] : x1[piece];
        if (pieceRight > right) right = pieceRight;
      }
      this.#addCluster(row, from, to, right);
      from = to;
    }
    this.#writeTouched();
  }

  /** Adds the cluster of `members` from index `from` to before `to`. */
  #addCluster({ members, lefts, count: total }: SortedRow, from: number, to: number, right: number): void {
    const pieces = this.#pieces;
    const winding = this.#winding;
    const width = this.#width;
    const { x0, x1, y0, y1, models } = pieces;
    const first = members[from];
    const left = lefts[from];
    const step = y1[first] - y0[first];
    const isLine = to === from + 1 && (step === 1 || step === -1);
    const turns = isLine ? step : windingChange(pieces, members, from, to);
    const isInside = winding.isInside;
    if (turns === 0 || left < -TOUCH_DISTANCE_PX || right > width + TOUCH_DISTANCE_PX) {
      this.#touch(left, right, isInside);
      addOverlapCoverage(pieces, members.subarray(from, to), right, winding, this.#cover);
      return;
    }
    winding.add(models[first], turns);
    if (winding.isInside === isInside) return;
    if (left >= 0 && right < width) {
      const pixel = Math.floor(left);
      const last = Math.floor(right);
      const isApart = this.#touchedTo < 0 || pixel > this.#touchedTo + 1;
      if (isApart && (to === total || Math.min(width - 1, Math.floor(lefts[to])) > last + 1)) {
        if (pixel === last) return this.#addWithinPixel(members, from, to, pixel, isInside);
        if (isLine) return this.#addLine(left, right, step, isInside);
      }
    }
    this.#touch(left, right, isInside);
    for (let i = from; i < to; i++) {
      const piece = members[i];
      if (y0[piece] !== y1[piece]) addSignedArea(this.#cover, x0[piece], x1[piece], y1[piece] - y0[piece]);
    }
  }

  #writeTouched(): void {
    const to = this.#touchedTo;
    if (to < 0) return;
    const from = this.#touchedFrom;
    const cover = this.#cover;
    if (this.#isInsideBefore && from > this.#written) this.#spans.add(this.#written, from);
    let sum = this.#isInsideBefore ? 1 : 0;
    for (let pixel = from; pixel <= to; pixel++) {
      sum += cover[pixel];
      cover[pixel] = 0;
      this.#addPixel(pixel, sum);
    }
    cover.fill(0, to + 1, to + 3);
    this.#written = to + 1;
    this.#touchedTo = -1;
  }

  /**
   * Adds the pixels from `left` to `right` to the touched pixels; writes the earlier ones if there is a gap between them. `isInside`:
   * whether the row is inside to the left of `left`.
   */
  #touch(left: number, right: number, isInside: boolean): void {
    const from = Math.max(0, Math.min(this.#width - 1, Math.floor(left)));
    const to = Math.max(0, Math.min(this.#width - 1, Math.floor(right)));
    // The pixel after the last one has an entry in `cover`, too.
    if (this.#touchedTo >= 0 && from <= this.#touchedTo + 1) {
      this.#touchedTo = Math.max(this.#touchedTo, to);
      return;
    }
    this.#writeTouched();
    this.#touchedFrom = from;
    this.#touchedTo = to;
    this.#isInsideBefore = isInside;
  }

  /** Begins an outline that shares no pixel with others: writes the pixels to the left of its first pixel. */
  #writeBefore(pixel: number, isInside: boolean): void {
    this.#writeTouched();
    if (isInside && pixel > this.#written) this.#spans.add(this.#written, pixel);
  }

  /** Adds an outline within one pixel. */
  #addWithinPixel(members: Int32Array, from: number, to: number, pixel: number, isInside: boolean): void {
    const { x0, x1, y0, y1 } = this.#pieces;
    let sum = 0;
    for (let i = from; i < to; i++) {
      const piece = members[i];
      sum += (y1[piece] - y0[piece]) * (1 - ((x0[piece] + x1[piece]) / 2 - pixel));
    }
    this.#writeBefore(pixel, isInside);
    this.#addPixel(pixel, (isInside ? 1 : 0) + sum);
    this.#written = pixel + 1;
  }

  /** Adds a line over several pixels, in the terms of {@link addSignedArea}. */
  #addLine(left: number, right: number, step: number, isInside: boolean): void {
    const first = Math.floor(left);
    const last = Math.floor(right);
    const perPixel = step / (right - left);
    const into = first + 1 - left;
    const firstCover = (perPixel * into * into) / 2;
    let before = firstCover;
    let sum = (isInside ? 1 : 0) + firstCover;
    this.#writeBefore(first, isInside);
    this.#addPixel(first, sum);
    if (last - first > 1) {
      this.#addPixel(first + 1, (sum += perPixel * (into + 0.5) - firstCover));
      for (let pixel = first + 2; pixel < last; pixel++) this.#addPixel(pixel, (sum += perPixel));
      before = perPixel * (into + (last - first - 2) + 0.5);
    }
    const out = right - last;
    this.#addPixel(last, sum + (perPixel * (last - left) + perPixel * out * (1 - out / 2) - before));
    this.#written = last + 1;
  }

  #addPixel(pixel: number, share: number): void {
    if (share * FULL >= this.#leastGrey) this.#spans.add(pixel, pixel + 1);
  }
}
