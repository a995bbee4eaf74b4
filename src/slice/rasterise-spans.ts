import type { SpanLayer } from "../geometry/spans.ts";
import { Winding, addOverlapCoverage } from "./coverage.ts";
import type { Segments } from "./outline-segments.ts";
import { type NextRow, type SortedRow, TOUCH_DISTANCE_PX, newRowPieces, windingChange } from "./row-pieces.ts";
import { newSpanCollector } from "./span-collector.ts";

/** Pixels with a smaller coverage do not count as touched: their grey value would be 0. */
const MIN_COVERAGE = 0.5 / 255;

/** Parameters as for `LayerRasteriser`; `nextRow` leaves out rows, which are empty then. */
type SpanRasteriser = (
  segments: Segments,
  winding: Winding,
  poll: () => void,
  nextRow?: NextRow,
) => Omit<SpanLayer, "index">;

/**
 * Finds the pixels, of `width` × `height`, that layers touch: those to which `newLayerRasteriser` gives any grey value, except
 * where several slivers share a pixel. It is faster: for an outline that crosses a row once, only the first or last solid pixel is
 * computed. One long function: its inner functions share local variables, which change with every outline piece.
 */
export function newSpanRasteriser(width: number, height: number): SpanRasteriser {
  const pieces = newRowPieces(height);
  const { add: addSpan, collect } = newSpanCollector(height, pieces);
  const cover = new Float64Array(width + 2);

  let winding = new Winding(0, -1);
  /** The first pixel of the present span; −1 while the sweep of the row is outside. */
  let open = -1;

  const clampToRow = (pixel: number): number => Math.max(0, Math.min(width, pixel));

  /** Adds a cluster whose outlines turn back or meet, or are outside of the row. */
  function addOverlapCluster(members: Int32Array, left: number, right: number): void {
    const from = clampToRow(Math.floor(left));
    const to = clampToRow(Math.floor(right) + 1);
    let share = 0;
    if (open >= 0) {
      addSpan(open, from);
      share = 1;
    }
    addOverlapCoverage(pieces, members, right, winding, cover);
    for (let pixel = from; pixel < to; pixel++) {
      share += cover[pixel];
      if (share >= MIN_COVERAGE) addSpan(pixel, pixel + 1);
    }
    cover.fill(0, Math.max(0, from - 1), to + 2);
    open = winding.isInside ? to : -1;
  }

  /** Area between the cluster's outline and column `at`, on the given side of that: −1 left, 1 right. Pixels. */
  function areaBeside({ members }: SortedRow, from: number, to: number, at: number, side: number): number {
    const { x0, x1, y0, y1 } = pieces;
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

  /** The first solid pixel of an outline that enters a model. */
  function firstPixel(row: SortedRow, from: number, to: number, right: number): number {
    let pixel = Math.floor(row.lefts[from]);
    if (right <= pixel + 1 - MIN_COVERAGE) return clampToRow(pixel);
    for (let before = 0; ; pixel++) {
      const area = areaBeside(row, from, to, pixel + 1, -1);
      if (area - before >= MIN_COVERAGE) return clampToRow(pixel);
      before = area;
    }
  }

  /** The pixel after the last solid one of an outline that leaves a model. */
  function lastPixelEnd(row: SortedRow, from: number, to: number, right: number): number {
    let end = Math.ceil(right);
    if (row.lefts[from] >= end - 1 + MIN_COVERAGE) return clampToRow(end);
    for (let before = 0; ; end--) {
      const area = areaBeside(row, from, to, end - 1, 1);
      if (area - before >= MIN_COVERAGE) return clampToRow(end);
      before = area;
    }
  }

  function addCluster(row: SortedRow, from: number, to: number, right: number): void {
    const { members, lefts } = row;
    const turns = windingChange(pieces, members, from, to);
    if (turns === 0 || lefts[from] < -TOUCH_DISTANCE_PX || right > width + TOUCH_DISTANCE_PX) {
      addOverlapCluster(members.subarray(from, to), lefts[from], right);
      return;
    }
    winding.add(pieces.models[members[from]], turns);
    if (winding.isInside === open >= 0) return;
    if (open < 0) open = firstPixel(row, from, to, right);
    else {
      addSpan(open, lastPixelEnd(row, from, to, right));
      open = -1;
    }
  }

  /** Adds a cluster of one piece that crosses the row from top to bottom or back, as in most rows. */
  function addLine(piece: number, left: number, right: number): void {
    winding.add(pieces.models[piece], pieces.y1[piece] - pieces.y0[piece]);
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
      open = clampToRow(pixel);
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
    addSpan(open, clampToRow(end));
    open = -1;
  }

  /** The sweep of `newLayerRasteriser`, repeated here: one function with a callback for both takes a tenth longer. */
  function rasteriseRow(row: SortedRow): void {
    const { x0, x1, y0, y1 } = pieces;
    const { members, lefts, count: pieceCount } = row;
    open = -1;
    for (let from = 0; from < pieceCount;) {
      const first = members[from];
      let right = x0[first] > x1[first] ? x0[first] : x1[first];
      let to = from + 1;
      for (; to < pieceCount && lefts[to] <= right + TOUCH_DISTANCE_PX; to++) {
        const piece = members[to];
        const pieceRight = x0[piece] > x1[piece] ? x0[piece] : x1[piece];
        if (pieceRight > right) right = pieceRight;
      }
      const isLine = to === from + 1 && Math.abs(y1[first] - y0[first]) === 1;
      if (isLine && lefts[from] >= 0 && right <= width) addLine(first, lefts[from], right);
      else addCluster(row, from, to, right);
      from = to;
    }
  }

  return (segments, windingOfLayer, poll, nextRow) => {
    winding = windingOfLayer;
    return collect(segments, rasteriseRow, poll, nextRow);
  };
}

/** The area to one side of a line between the top and the bottom of a row, whose ends are `near` and `far` from there. */
function areaBesideLine(near: number, far: number): number {
  if (far <= 0) return 0;
  return near >= 0 ? (near + far) / 2 : (far * far) / (2 * (far - near));
}
