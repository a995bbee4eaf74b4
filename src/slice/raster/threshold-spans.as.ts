// AssemblyScript, part of the kernel `raster-kernel.as.ts`: the pixels of a layer with at least a grey value. The sums are those of
// `grey-runs.as.ts`, term by term; but an outline that shares no pixel with others, as most walls, needs no memory for the row.

import { addSignedArea } from "./coverage.as";
import { addOverlapCoverage } from "./overlap-coverage.as";
import { columns, left, member, modelOf, sortRow, x0, x1, y0, y1 } from "./row-pieces.as";
import { addSpan, endRowsBefore } from "./row-spans.as";
import {
  beginRow,
  beginTouched,
  endTouched,
  isInsideBefore,
  joinTouched,
  setWritten,
  takeCover,
  touchedFrom,
  touchedTo,
  written,
} from "./touched-pixels.as";
import { TOUCH_DISTANCE_PX, isInside, turn, windingChange } from "./winding.as";

const FULL: f64 = 255;
/** Least coverage, of 255, of a solid pixel. */
export let leastGrey: f64;

/** Rasterises the rows from `from` to before `to`, in ascending order. */
export function thresholdRows(from: i32, to: i32): void {
  for (let row = from; row < to; row++) {
    endRowsBefore(row);
    beginRow();
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
    addCluster(from, to, right, count);
    from = to;
  }
  writeTouched();
}

/** Adds the cluster of the members from `from` to before `to`, of `count` members. */
function addCluster(from: i32, to: i32, right: f64, count: i32): void {
  const first = member(from);
  const leftEnd = left(from);
  const height = y1(first) - y0(first);
  const isLine = to === from + 1 && (height === 1 || height === -1);
  const step = isLine ? <i32>height : windingChange(from, to);
  const wasInside = isInside();
  if (step === 0 || leftEnd < -TOUCH_DISTANCE_PX || right > <f64>columns + TOUCH_DISTANCE_PX) {
    touch(leftEnd, right, wasInside);
    addOverlapCoverage(from, to, right);
    return;
  }
  turn(modelOf(first), step);
  if (isInside() === wasInside) return;
  if (leftEnd >= 0 && right < <f64>columns) {
    const pixel = <i32>floor(leftEnd);
    const last = <i32>floor(right);
    const isApart = touchedTo < 0 || pixel > touchedTo + 1;
    if (isApart && (to === count || min<f64>(<f64>(columns - 1), floor(left(to))) > <f64>(last + 1))) {
      if (pixel === last) return addWithinPixel(from, to, pixel, wasInside);
      if (isLine) return addLine(leftEnd, right, height, wasInside);
    }
  }
  touch(leftEnd, right, wasInside);
  for (let i = from; i < to; i++) {
    const piece = member(i);
    if (y0(piece) !== y1(piece)) addSignedArea(x0(piece), x1(piece), y1(piece) - y0(piece));
  }
}

function touch(left: f64, right: f64, wasInside: bool): void {
  if (joinTouched(left, right)) return;
  writeTouched();
  beginTouched(left, right, wasInside);
}

function writeTouched(): void {
  if (touchedTo < 0) return;
  if (isInsideBefore) addSpan(written, touchedFrom);
  let sum: f64 = isInsideBefore ? 1 : 0;
  for (let pixel = touchedFrom; pixel <= touchedTo; pixel++) {
    sum += takeCover(pixel);
    addPixel(pixel, sum);
  }
  endTouched();
}

/** Begins an outline that shares no pixel with others: writes the pixels to the left of its first pixel. */
function writeBefore(pixel: i32, wasInside: bool): void {
  writeTouched();
  if (wasInside) addSpan(written, pixel);
}

/** Adds an outline within one pixel. */
function addWithinPixel(from: i32, to: i32, pixel: i32, wasInside: bool): void {
  let sum: f64 = 0;
  for (let i = from; i < to; i++) {
    const piece = member(i);
    sum += (y1(piece) - y0(piece)) * (1 - ((x0(piece) + x1(piece)) / 2 - <f64>pixel));
  }
  writeBefore(pixel, wasInside);
  addPixel(pixel, (wasInside ? 1.0 : 0.0) + sum);
  setWritten(pixel + 1);
}

/** Adds a line over several pixels, in the terms of `addSignedArea`. */
function addLine(left: f64, right: f64, height: f64, wasInside: bool): void {
  const first = floor(left);
  const last = floor(right);
  const firstPixel = <i32>first;
  const lastPixel = <i32>last;
  const perPixel = height / (right - left);
  const into = first + 1 - left;
  const firstCover = (perPixel * into * into) / 2;
  let before = firstCover;
  let sum = (wasInside ? 1.0 : 0.0) + firstCover;
  writeBefore(firstPixel, wasInside);
  addPixel(firstPixel, sum);
  if (lastPixel - firstPixel > 1) {
    sum += perPixel * (into + 0.5) - firstCover;
    addPixel(firstPixel + 1, sum);
    for (let pixel = firstPixel + 2; pixel < lastPixel; pixel++) {
      sum += perPixel;
      addPixel(pixel, sum);
    }
    before = perPixel * (into + (last - first - 2) + 0.5);
  }
  const out = right - last;
  addPixel(lastPixel, sum + (perPixel * (last - left) + perPixel * out * (1 - out / 2) - before));
  setWritten(lastPixel + 1);
}

// @ts-ignore: a decorator of AssemblyScript.
@inline
function addPixel(pixel: i32, share: f64): void {
  if (share * FULL >= leastGrey) addSpan(pixel, pixel + 1);
}
