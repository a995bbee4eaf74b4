// AssemblyScript, part of the kernel `raster-kernel.as.ts`: the pixels that a layer touches, those to which `grey-runs.as.ts` gives any grey
// value, except where several slivers share a pixel. It is faster: for an outline that crosses a row once, only the first or last solid
// pixel is computed.

import { cover, pixelAt } from "./coverage.as";
import { addOverlapCoverage } from "./overlap-coverage.as";
import { columns, left, member, modelOf, sortRow, x0, x1, y0, y1 } from "./row-pieces.as";
import { addSpan, endRowsBefore } from "./row-spans.as";
import { TOUCH_DISTANCE_PX, isInside, turn, windingChange } from "./winding.as";

/** Pixels with a smaller coverage do not count as touched: their grey value would be 0. */
const MIN_COVERAGE: f64 = 0.5 / 255;

/** The first pixel of the current span; −1 while the sweep of the row is outside. */
let open: i32;

/** Rasterises the rows from `from` to before `to`, in ascending order. */
export function touchedRows(from: i32, to: i32): void {
  for (let row = from; row < to; row++) {
    endRowsBefore(row);
    open = -1;
    sweepRow(sortRow(row));
  }
}

/** The same sweep as in `grey-runs.as.ts`. */
function sweepRow(count: i32): void {
  for (let from = 0; from < count; ) {
    const first = member(from);
    let right = max(x0(first), x1(first));
    let to = from + 1;
    for (; to < count && left(to) <= right + TOUCH_DISTANCE_PX; to++) {
      right = max(right, max(x0(member(to)), x1(member(to))));
    }
    const isLine = to === from + 1 && abs(y1(first) - y0(first)) === 1;
    if (isLine && left(from) >= 0 && right <= <f64>columns) addLine(first, left(from), right);
    else addCluster(from, to, right);
    from = to;
  }
}

/** Adds a cluster whose outlines turn back or meet, or are outside of the row. */
function addOverlapCluster(from: i32, to: i32, right: f64): void {
  const first = pixelAt(left(from), columns);
  const end = <i32>max<f64>(0, min<f64>(<f64>columns, floor(right) + 1));
  let share: f64 = 0;
  if (open >= 0) {
    addSpan(open, first);
    share = 1;
  }
  addOverlapCoverage(from, to, right);
  for (let pixel = first; pixel < end; pixel++) {
    share += load<f64>(cover + (pixel << 3));
    if (share >= MIN_COVERAGE) addSpan(pixel, pixel + 1);
  }
  const cleared = max(0, first - 1);
  memory.fill(cover + (cleared << 3), 0, (min(columns, end) + 2 - cleared) << 3);
  open = isInside() ? end : -1;
}

/** Area, in pixels, between the cluster's outline and column `at`, on one side of the column: −1 left, 1 right. */
function areaBeside(from: i32, to: i32, at: f64, side: f64): f64 {
  let sum: f64 = 0;
  for (let i = from; i < to; i++) {
    const piece = member(i);
    const start = side * (x0(piece) - at);
    const end = side * (x1(piece) - at);
    const near = start < end ? start : end;
    const far = start < end ? end : start;
    if (far <= 0) continue;
    const step = y1(piece) - y0(piece);
    sum += abs(step) * (near >= 0 ? (near + far) / 2 : (far * far) / (2 * (far - near)));
  }
  return sum;
}

/** The first solid pixel at an outline that enters a model. */
function firstPixel(from: i32, to: i32, right: f64): i32 {
  let pixel = floor(left(from));
  if (right <= pixel + 1 - MIN_COVERAGE) return pixelAt(pixel, columns);
  let before: f64 = 0;
  while (true) {
    const area = areaBeside(from, to, pixel + 1, -1);
    if (area - before >= MIN_COVERAGE) return pixelAt(pixel, columns);
    before = area;
    pixel++;
  }
}

/** The pixel after the last solid pixel at an outline that leaves a model. */
function lastPixelEnd(from: i32, to: i32, right: f64): i32 {
  let end = ceil(right);
  if (left(from) >= end - 1 + MIN_COVERAGE) return pixelAt(end, columns);
  let before: f64 = 0;
  while (true) {
    const area = areaBeside(from, to, end - 1, 1);
    if (area - before >= MIN_COVERAGE) return pixelAt(end, columns);
    before = area;
    end--;
  }
}

function addCluster(from: i32, to: i32, right: f64): void {
  const step = windingChange(from, to);
  if (step === 0 || left(from) < -TOUCH_DISTANCE_PX || right > <f64>columns + TOUCH_DISTANCE_PX) {
    addOverlapCluster(from, to, right);
    return;
  }
  turn(modelOf(member(from)), step);
  if (isInside() === open >= 0) return;
  if (open < 0) open = firstPixel(from, to, right);
  else {
    addSpan(open, lastPixelEnd(from, to, right));
    open = -1;
  }
}

/** Adds a cluster of one piece that crosses the row from top to bottom or back, as in most rows. */
function addLine(piece: usize, left: f64, right: f64): void {
  turn(modelOf(piece), <i32>(y1(piece) - y0(piece)));
  if (isInside() === open >= 0) return;
  if (open < 0) {
    let pixel = floor(left);
    if (right > pixel + 1 - MIN_COVERAGE) {
      for (let before: f64 = 0; ; pixel++) {
        const area = areaBesideLine(pixel + 1 - right, pixel + 1 - left);
        if (area - before >= MIN_COVERAGE) break;
        before = area;
      }
    }
    open = pixelAt(pixel, columns);
    return;
  }
  let end = ceil(right);
  if (left < end - 1 + MIN_COVERAGE) {
    for (let before: f64 = 0; ; end--) {
      const area = areaBesideLine(left - (end - 1), right - (end - 1));
      if (area - before >= MIN_COVERAGE) break;
      before = area;
    }
  }
  addSpan(open, pixelAt(end, columns));
  open = -1;
}

/** Area between the top and the bottom of a row, to one side of a line whose ends are at the distances `near` and `far` from that side. */
function areaBesideLine(near: f64, far: f64): f64 {
  if (far <= 0) return 0;
  return near >= 0 ? (near + far) / 2 : (far * far) / (2 * (far - near));
}
