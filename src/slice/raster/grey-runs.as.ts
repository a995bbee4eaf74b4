// AssemblyScript, part of the kernel `raster-kernel.as.ts`: the exact coverage of the pixels of a layer.

import { addSignedArea, rounded } from "./coverage.as";
import { addOverlapCoverage } from "./overlap-coverage.as";
import { columns, left, member, modelOf, sortRow, x0, x1, y0, y1 } from "./row-pieces.as";
import { addRun, endRowsBefore } from "./row-spans.as";
import {
  beginRow,
  beginTouched,
  endTouched,
  isInsideBefore,
  joinTouched,
  takeCover,
  touchedFrom,
  touchedTo,
  written,
} from "./touched-pixels.as";
import { TOUCH_DISTANCE_PX, isInside, turn, windingChange } from "./winding.as";

const FULL: f64 = 255;

/** Sum of the exact coverages, in pixels, not of the rounded grey values. */
export let area: f64 = 0;
let rowArea: f64;

export function beginArea(): void {
  area = 0;
}

/**
 * Rasterises the rows from `from` to before `to`, in ascending order. A row is swept from left to right over clusters: groups of outline
 * pieces whose extents in x touch. Between two clusters the winding number is constant over the height of the row. A cluster that is a
 * single outline crossing the row separates inside from outside, or changes nothing; only in clusters in which outlines turn back or meet
 * must the inside be computed.
 */
export function greyRows(from: i32, to: i32): void {
  for (let row = from; row < to; row++) {
    endRowsBefore(row);
    beginRow();
    rowArea = 0;
    sweepRow(sortRow(row));
    area += rowArea;
  }
}

function sweepRow(count: i32): void {
  for (let from = 0; from < count; ) {
    const first = member(from);
    let right = max(x0(first), x1(first));
    let to = from + 1;
    for (; to < count && left(to) <= right + TOUCH_DISTANCE_PX; to++) {
      right = max(right, max(x0(member(to)), x1(member(to))));
    }
    addCluster(from, to, right);
    from = to;
  }
  writeTouched();
}

/** Adds the cluster of the members from `from` to before `to`. */
function addCluster(from: i32, to: i32, right: f64): void {
  const step = windingChange(from, to);
  const wasInside = isInside();
  if (step === 0 || left(from) < -TOUCH_DISTANCE_PX || right > <f64>columns + TOUCH_DISTANCE_PX) {
    touch(left(from), right, wasInside);
    addOverlapCoverage(from, to, right);
    return;
  }
  turn(modelOf(member(from)), step);
  if (isInside() === wasInside) return;
  touch(left(from), right, wasInside);
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
  if (isInsideBefore && touchedFrom > written) {
    rowArea += <f64>(touchedFrom - written);
    addRun(written, touchedFrom, <i32>FULL);
  }
  let sum: f64 = isInsideBefore ? 1 : 0;
  for (let pixel = touchedFrom; pixel <= touchedTo; pixel++) {
    sum += takeCover(pixel);
    const share = sum < 0 ? 0 : sum > 1 ? 1 : sum;
    rowArea += share;
    const value = rounded(share * FULL);
    if (value > 0) addRun(pixel, pixel + 1, value);
  }
  endTouched();
}
