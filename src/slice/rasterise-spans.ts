import type { SpanLayer } from "../geometry/spans.ts";
import { Winding, addOverlapCoverage } from "./coverage.ts";
import type { Segments } from "./outline-segments.ts";
import {
  type NextRow,
  type RowPieces,
  type SortedRow,
  TOUCH_DISTANCE_PX,
  newRowPieces,
  windingChange,
} from "./row-pieces.ts";
import { SpanCollector } from "./span-collector.ts";

/** Pixels with a smaller coverage do not count as touched: their grey value would be 0. */
const MIN_COVERAGE = 0.5 / 255;

/**
 * Finds the pixels, of `width` × `height`, that layers touch: the pixels to which `LayerRasteriser` gives any grey value, except where
 * several slivers share a pixel. It is faster: for an outline that crosses a row once, only the first or last solid pixel is computed.
 */
export class SpanRasteriser {
  readonly #width: number;
  readonly #pieces: RowPieces;
  readonly #spans: SpanCollector;
  readonly #cover: Float64Array;
  #winding = new Winding(0, -1);
  /** The first pixel of the current span; −1 while the sweep of the row is outside. */
  #open = -1;

  constructor(width: number, height: number) {
    this.#width = width;
    this.#pieces = newRowPieces(height);
    this.#spans = new SpanCollector(height, this.#pieces);
    this.#cover = new Float64Array(width + 2);
  }

  /** Parameters as for `LayerRasteriser`. If `nextRow` is given, the rows that it leaves out are empty. */
  rasterise(segments: Segments, winding: Winding, poll: () => void, nextRow?: NextRow): Omit<SpanLayer, "index"> {
    this.#winding = winding;
    return this.#spans.collect(segments, (row) => this.#rasteriseRow(row), poll, nextRow);
  }

  /** The same sweep as in `LayerRasteriser`: a function that finds the clusters for all three takes up to a tenth longer. */
  #rasteriseRow(row: SortedRow): void {
    const { x0, x1, y0, y1 } = this.#pieces;
    const { members, lefts, count } = row;
    this.#open = -1;
    for (let from = 0; from < count;) {
      const first = members[from];
      let right = x0[first] > x1[first] ? x0[first] : x1[first];
      let to = from + 1;
      for (; to < count && lefts[to] <= right + TOUCH_DISTANCE_PX; to++) {
        const piece = members[to];
        const pieceRight = x0[piece] > x1[piece] ? x0[piece] : x1[piece];
        if (pieceRight > right) right = pieceRight;
      }
      const isLine = to === from + 1 && Math.abs(y1[first] - y0[first]) === 1;
      if (isLine && lefts[from] >= 0 && right <= this.#width) this.#addLine(first, lefts[from], right);
      else this.#addCluster(row, from, to, right);
      from = to;
    }
  }

  /** Adds a cluster whose outlines turn back or meet, or are outside of the row. */
  #addOverlapCluster(members: Int32Array, left: number, right: number): void {
    const from = this.#clampToRow(Math.floor(left));
    const to = this.#clampToRow(Math.floor(right) + 1);
    const spans = this.#spans;
    const winding = this.#winding;
    const cover = this.#cover;
    let share = 0;
    if (this.#open >= 0) {
      spans.add(this.#open, from);
      share = 1;
    }
    addOverlapCoverage(this.#pieces, members, right, winding, cover);
    for (let pixel = from; pixel < to; pixel++) {
      share += cover[pixel];
      if (share >= MIN_COVERAGE) spans.add(pixel, pixel + 1);
    }
    cover.fill(0, Math.max(0, from - 1), to + 2);
    this.#open = winding.isInside ? to : -1;
  }

  /** Area, in pixels, between the cluster's outline and column `at`, on one side of the column: −1 left, 1 right. */
  #areaBeside({ members }: SortedRow, from: number, to: number, at: number, side: number): number {
    const { x0, x1, y0, y1 } = this.#pieces;
    let sum = 0;
    for (let i = from; i < to; i++) {
      const piece = members[i];
      const start = side * (x0[piece] - at);
      const end = side * (x1[piece] - at);
      const near = start < end ? start : end;
      const far = start < end ? end : start;
      if (far <= 0) continue;
      const step = y1[piece] - y0[piece];
      sum += (step < 0 ? -step : step) * (near >= 0 ? (near + far) / 2 : (far * far) / (2 * (far - near)));
    }
    return sum;
  }

  /** The first solid pixel at an outline that enters a model. */
  #firstPixel(row: SortedRow, from: number, to: number, right: number): number {
    let pixel = Math.floor(row.lefts[from]);
    if (right <= pixel + 1 - MIN_COVERAGE) return this.#clampToRow(pixel);
    for (let before = 0; ; pixel++) {
      const area = this.#areaBeside(row, from, to, pixel + 1, -1);
      if (area - before >= MIN_COVERAGE) return this.#clampToRow(pixel);
      before = area;
    }
  }

  /** The pixel after the last solid pixel at an outline that leaves a model. */
  #lastPixelEnd(row: SortedRow, from: number, to: number, right: number): number {
    let end = Math.ceil(right);
    if (row.lefts[from] >= end - 1 + MIN_COVERAGE) return this.#clampToRow(end);
    for (let before = 0; ; end--) {
      const area = this.#areaBeside(row, from, to, end - 1, 1);
      if (area - before >= MIN_COVERAGE) return this.#clampToRow(end);
      before = area;
    }
  }

  #addCluster(row: SortedRow, from: number, to: number, right: number): void {
    const { members, lefts } = row;
    const pieces = this.#pieces;
    const winding = this.#winding;
    const turns = windingChange(pieces, members, from, to);
    if (turns === 0 || lefts[from] < -TOUCH_DISTANCE_PX || right > this.#width + TOUCH_DISTANCE_PX) {
      this.#addOverlapCluster(members.subarray(from, to), lefts[from], right);
      return;
    }
    winding.add(pieces.models[members[from]], turns);
    if (winding.isInside === this.#open >= 0) return;
    if (this.#open < 0) this.#open = this.#firstPixel(row, from, to, right);
    else {
      this.#spans.add(this.#open, this.#lastPixelEnd(row, from, to, right));
      this.#open = -1;
    }
  }

  /** Adds a cluster of one piece that crosses the row from top to bottom or back, as in most rows. */
  #addLine(piece: number, left: number, right: number): void {
    const { models, y0, y1 } = this.#pieces;
    const winding = this.#winding;
    const open = this.#open;
    winding.add(models[piece], y1[piece] - y0[piece]);
    if (winding.isInside === open >= 0) return;
    if (open < 0) {
      let pixel = Math.floor(left);
      if (right > pixel + 1 - MIN_COVERAGE) {
        for (let before = 0; ; pixel++) {
          const area = areaBesideLine(pixel + 1 - right, pixel + 1 - left);
          if (area - before >= MIN_COVERAGE) break;
          before = area;
        }
      }
      this.#open = this.#clampToRow(pixel);
      return;
    }
    let end = Math.ceil(right);
    if (left < end - 1 + MIN_COVERAGE) {
      for (let before = 0; ; end--) {
        const area = areaBesideLine(left - (end - 1), right - (end - 1));
        if (area - before >= MIN_COVERAGE) break;
        before = area;
      }
    }
    this.#spans.add(open, this.#clampToRow(end));
    this.#open = -1;
  }

  #clampToRow(pixel: number): number {
    return Math.max(0, Math.min(this.#width, pixel));
  }
}

/** Area between the top and the bottom of a row, to one side of a line whose ends are at the distances `near` and `far` from that side. */
function areaBesideLine(near: number, far: number): number {
  if (far <= 0) return 0;
  return near >= 0 ? (near + far) / 2 : (far * far) / (2 * (far - near));
}
