import type { SpanLayer } from "../geometry/spans.ts";
import { Winding, addOverlapCoverage, addSignedArea } from "./coverage.ts";
import type { Segments } from "./outline-segments.ts";
import { type SortedRow, TOUCH_DISTANCE_PX, newRowPieces, windingChange } from "./row-pieces.ts";
import { newSpanCollector } from "./span-collector.ts";

const FULL = 255;

/** Parameters as for `LayerRasteriser`; `minCoverage` is the least grey value, 1 to 255, of a solid pixel. */
type ThresholdRasteriser = (
  segments: Segments,
  winding: Winding,
  minCoverage: number,
  poll: () => void,
) => Omit<SpanLayer, "index">;

/**
 * Finds the pixels, of `width` × `height`, to which `newLayerRasteriser` gives at least a grey value. The sums are the same, term
 * by term; but those of an outline that shares no pixel with others, as most walls, need no memory for the row. One long function:
 * its inner functions share local variables, which change with every outline piece.
 */
export function newThresholdRasteriser(width: number, height: number): ThresholdRasteriser {
  const pieces = newRowPieces(height);
  const { add: addSpan, collect } = newSpanCollector(height, pieces);
  const cover = new Float64Array(width + 2);

  let winding = new Winding(0, -1);
  let minCoverage = FULL;
  /** Pixels in `cover` whose coverage is not written yet: none while `touchedTo` is −1. */
  let touchedFrom = 0;
  let touchedTo = -1;
  /** Whether the row is inside to the left of these pixels, and the end of the written pixels. */
  let isInsideBefore = false;
  let written = 0;

  const addPixel = (pixel: number, share: number): void => {
    if (Math.round(share * FULL) >= minCoverage) addSpan(pixel, pixel + 1);
  };

  function writeTouched(): void {
    if (touchedTo < 0) return;
    if (isInsideBefore && touchedFrom > written) addSpan(written, touchedFrom);
    let sum = isInsideBefore ? 1 : 0;
    for (let pixel = touchedFrom; pixel <= touchedTo; pixel++) {
      sum += cover[pixel];
      cover[pixel] = 0;
      addPixel(pixel, sum);
    }
    cover.fill(0, touchedTo + 1, touchedTo + 3);
    written = touchedTo + 1;
    touchedTo = -1;
  }

  /** Adds the pixels from `left` to `right` to those that have coverage; `isInside`: whether the row is inside before them. */
  function touch(left: number, right: number, isInside: boolean): void {
    const from = Math.max(0, Math.min(width - 1, Math.floor(left)));
    const to = Math.max(0, Math.min(width - 1, Math.floor(right)));
    // The pixel after the last one has an entry in `cover`, too.
    if (touchedTo >= 0 && from <= touchedTo + 1) {
      touchedTo = Math.max(touchedTo, to);
      return;
    }
    writeTouched();
    touchedFrom = from;
    touchedTo = to;
    isInsideBefore = isInside;
  }

  /** Begins an outline that shares no pixel with others: writes what is to the left of its first pixel. */
  function writeBefore(pixel: number, isInside: boolean): void {
    writeTouched();
    if (isInside && pixel > written) addSpan(written, pixel);
  }

  /** Adds an outline that is within one pixel. */
  function addWithinPixel(members: Int32Array, from: number, to: number, pixel: number, isInside: boolean): void {
    const { x0, x1, y0, y1 } = pieces;
    let sum = 0;
    for (let i = from; i < to; i++) {
      const piece = members[i];
      sum += (y1[piece] - y0[piece]) * (1 - ((x0[piece] + x1[piece]) / 2 - pixel));
    }
    writeBefore(pixel, isInside);
    addPixel(pixel, (isInside ? 1 : 0) + sum);
    written = pixel + 1;
  }

  /** Adds a line over several pixels, in the terms of {@link addSignedArea}. */
  function addLine(left: number, right: number, step: number, isInside: boolean): void {
    const first = Math.floor(left);
    const last = Math.floor(right);
    const perPixel = step / (right - left);
    const into = first + 1 - left;
    const firstCover = (perPixel * into * into) / 2;
    let before = firstCover;
    let sum = (isInside ? 1 : 0) + firstCover;
    writeBefore(first, isInside);
    addPixel(first, sum);
    if (last - first > 1) {
      addPixel(first + 1, (sum += perPixel * (into + 0.5) - firstCover));
      for (let pixel = first + 2; pixel < last; pixel++) addPixel(pixel, (sum += perPixel));
      before = perPixel * (into + (last - first - 2) + 0.5);
    }
    const out = right - last;
    addPixel(last, sum + (perPixel * (last - left) + perPixel * out * (1 - out / 2) - before));
    written = last + 1;
  }

  /** Adds the cluster of `members` from index `from` to before `to`. */
  function addCluster({ members, lefts, count: total }: SortedRow, from: number, to: number, right: number): void {
    const { x0, x1, y0, y1, models } = pieces;
    const first = members[from];
    const left = lefts[from];
    const step = y1[first] - y0[first];
    const isLine = to === from + 1 && (step === 1 || step === -1);
    const turns = isLine ? step : windingChange(pieces, members, from, to);
    const isInside = winding.isInside;
    if (turns === 0 || left < -TOUCH_DISTANCE_PX || right > width + TOUCH_DISTANCE_PX) {
      touch(left, right, isInside);
      addOverlapCoverage(pieces, members.subarray(from, to), right, winding, cover);
      return;
    }
    winding.add(models[first], turns);
    if (winding.isInside === isInside) return;
    if (left >= 0 && right < width) {
      const pixel = Math.floor(left);
      const last = Math.floor(right);
      const isApart = touchedTo < 0 || pixel > touchedTo + 1;
      if (isApart && (to === total || Math.min(width - 1, Math.floor(lefts[to])) > last + 1)) {
        if (pixel === last) return addWithinPixel(members, from, to, pixel, isInside);
        if (isLine) return addLine(left, right, step, isInside);
      }
    }
    touch(left, right, isInside);
    for (let i = from; i < to; i++) {
      const piece = members[i];
      if (y0[piece] !== y1[piece]) addSignedArea(cover, x0[piece], x1[piece], y1[piece] - y0[piece]);
    }
  }

  /** The sweep of `newLayerRasteriser`, repeated here: one function with a callback for both takes a tenth longer. */
  function rasteriseRow(row: SortedRow): void {
    const { x0, x1 } = pieces;
    const { members, lefts, count: pieceCount } = row;
    written = 0;
    for (let from = 0; from < pieceCount;) {
      const first = members[from];
      let right = x0[first] > x1[first] ? x0[first] : x1[first];
      let to = from + 1;
      for (; to < pieceCount && lefts[to] <= right + TOUCH_DISTANCE_PX; to++) {
        const piece = members[to];
        const pieceRight = x0[piece] > x1[piece] ? x0[piece] : x1[piece];
        if (pieceRight > right) right = pieceRight;
      }
      addCluster(row, from, to, right);
      from = to;
    }
    writeTouched();
  }

  return (segments, windingOfLayer, least, poll) => {
    winding = windingOfLayer;
    minCoverage = least;
    return collect(segments, rasteriseRow, poll);
  };
}
