// AssemblyScript, part of the kernel `strut-kernel.as.ts`: the coverage of a row by one section.

import { addSignedArea, pixelAt } from "../coverage.as";
import { columns } from "../row-pieces.as";
import { takeCover } from "../touched-pixels.as";
import { NO_LIMIT } from "./conic-piece.as";
import { addFull, addPartial } from "./row-coverage.as";
import {
  bottom,
  cutLeft,
  cutRight,
  cutSection,
  keepCut,
  leftAtTop,
  leftStep,
  rightAtTop,
  rightStep,
  top,
} from "./strut-sections.as";

/** Strips of a row in which a section begins or ends, and of one in which it does both. */
const END_STRIPS = 4;
const BOTH_STRIPS = 6;
/** Strips of a row in which a side leaves its chord. */
const CURVED_STRIPS = 4;
/** A side is straight in a row if its move changes by less than {@link BEND}, pixels, from row to row; twice as much if it moves by less than {@link STEEP}. */
const STEEP: f64 = 1;
const BEND: f64 = 0.5;
/** The mean distance of a parabola from its chord is this part of the change of its move. */
const BULGE: f64 = 12;
/** Ends are cut at this share of the strips' height from the tip, because rounding may miss the tip. */
const TIP: f64 = 1e-4;

let leftMin: f64;
let leftMax: f64;
let rightMin: f64;
let rightMax: f64;

/**
 * Adds the coverage of a row by a section, as the exact area of trapezoids between cuts. The cuts are at the borders of the row, and
 * denser towards the ends of the section, where its width grows like a root. Returns whether it reaches the next row.
 */
export function coverRow(section: usize, row: i32): bool {
  const isStart = top(section) >= <f64>row;
  const isEnd = bottom(section) <= <f64>(row + 1);
  if (isStart || isEnd) {
    coverEnd(section, row, isStart, isEnd);
    return !isEnd;
  }
  const left = leftAtTop(section);
  const right = rightAtTop(section);
  cutSection(section, <f64>(row + 1));
  const nextLeft = cutLeft;
  const nextRight = cutRight;
  const leftMove = nextLeft - left;
  const rightMove = nextRight - right;
  const leftBend = leftMove - leftStep(section);
  const rightBend = rightMove - rightStep(section);
  keepCut(section, leftMove, rightMove);
  if (!isStraight(leftMove, leftBend) || !isStraight(rightMove, rightBend)) {
    coverCurved(section, row, left, right, nextLeft, nextRight);
    return true;
  }
  const leftShift = leftBend / BULGE;
  const rightShift = rightBend / BULGE;
  if (!coverNarrow(left - leftShift, right - rightShift, nextLeft - leftShift, nextRight - rightShift)) {
    beginStrips();
    addStrip(left - leftShift, right - rightShift, nextLeft - leftShift, nextRight - rightShift, 1);
    addToRow(1);
  }
  return true;
}

/** Whether a side is a line in a row, from its move there and the change of that. */
// @ts-ignore: a decorator of AssemblyScript.
@inline
function isStraight(move: f64, bend: f64): bool {
  return abs(bend) <= (abs(move) > STEEP ? BEND : 2 * BEND);
}

/** Covers a row in which the section begins or ends. */
function coverEnd(section: usize, row: i32, isStart: bool, isEnd: bool): void {
  const from = max(top(section), <f64>row);
  const height = min(bottom(section), <f64>(row + 1)) - from;
  beginStrips();
  let left = leftAtTop(section);
  let right = rightAtTop(section);
  if (isStart) {
    cutSection(section, from + TIP * height);
    left = cutLeft;
    right = cutRight;
  }
  const strips = isStart && isEnd ? BOTH_STRIPS : END_STRIPS;
  let last: f64 = 0;
  for (let i = 1; i <= strips; i++) {
    const share = shareAt(<f64>i / <f64>strips, isStart, isEnd);
    cutSection(section, from + (i === strips && isEnd ? share - TIP : share) * height);
    addStrip(left, right, cutLeft, cutRight, (share - last) * height);
    last = share;
    left = cutLeft;
    right = cutRight;
  }
  // The sides have not moved in a row yet: the next one is curved.
  if (!isEnd) keepCut(section, NO_LIMIT, NO_LIMIT);
  addToRow(height);
}

function coverCurved(section: usize, row: i32, left: f64, right: f64, nextLeft: f64, nextRight: f64): void {
  beginStrips();
  for (let i = 1; i < CURVED_STRIPS; i++) {
    cutSection(section, <f64>row + <f64>i / <f64>CURVED_STRIPS);
    addStrip(left, right, cutLeft, cutRight, 1 / <f64>CURVED_STRIPS);
    left = cutLeft;
    right = cutRight;
  }
  addStrip(left, right, nextLeft, nextRight, 1 / <f64>CURVED_STRIPS);
  addToRow(1);
}

/** The share of the height of a row above a cut. */
// @ts-ignore: a decorator of AssemblyScript.
@inline
function shareAt(part: f64, isStart: bool, isEnd: bool): f64 {
  if (isStart && isEnd) return part < 0.5 ? 2 * part * part : 1 - 2 * (1 - part) * (1 - part);
  return isStart ? part * part : 1 - (1 - part) * (1 - part);
}

/** Covers a row by a trapezoid each of whose sides is in at most two pixels, if that is so and these are inside of the layer. */
// @ts-ignore: a decorator of AssemblyScript.
@inline
function coverNarrow(left: f64, right: f64, nextLeft: f64, nextRight: f64): bool {
  const leftFrom = min(left, nextLeft);
  const leftTo = max(left, nextLeft);
  const rightFrom = min(right, nextRight);
  const rightTo = max(right, nextRight);
  if (!(leftFrom >= 0 && rightTo < <f64>columns)) return false;
  const first = <i32>leftFrom;
  const innerFrom = <i32>leftTo;
  const innerTo = <i32>rightFrom;
  const last = <i32>rightTo;
  if (innerFrom - first > 1 || last - innerTo > 1 || innerFrom >= innerTo) return false;
  addSide(first, innerFrom, leftFrom, leftTo, 1);
  addSide(innerTo, last, rightFrom, rightTo, -1);
  if (innerFrom + 1 < innerTo) addFull(innerFrom + 1, innerTo);
  return true;
}

/** Adds the pixels of a side from `from` to `to`. `sign`: 1 if the section is to the right of it, −1 if it is to the left. */
// @ts-ignore: a decorator of AssemblyScript.
@inline
function addSide(first: i32, last: i32, from: f64, to: f64, sign: f64): void {
  if (first === last) {
    const share = <f64>(first + 1) - (from + to) / 2;
    addShare(first, sign > 0 ? share : 1 - share);
    return;
  }
  const half = 0.5 / (to - from);
  const before = <f64>last - from;
  const after = to - <f64>last;
  const right = before * before * half;
  const left = after * after * half;
  addShare(first, sign > 0 ? right : 1 - right);
  addShare(last, sign > 0 ? 1 - left : left);
}

function beginStrips(): void {
  leftMin = rightMin = NO_LIMIT;
  leftMax = rightMax = -NO_LIMIT;
}

/** Adds the area between two cuts. If rounding has missed one of them, it is as the other. */
function addStrip(left: f64, right: f64, nextLeft: f64, nextRight: f64, height: f64): void {
  if (!(left < right)) {
    left = nextLeft;
    right = nextRight;
  } else if (!(nextLeft < nextRight)) {
    nextLeft = left;
    nextRight = right;
  }
  if (!(left < right)) return;
  if (max(right, nextRight) <= 0 || min(left, nextLeft) >= <f64>columns) return;
  addSignedArea(left, nextLeft, height);
  addSignedArea(right, nextRight, -height);
  leftMin = min(leftMin, min(left, nextLeft));
  leftMax = max(leftMax, max(left, nextLeft));
  rightMin = min(rightMin, min(right, nextRight));
  rightMax = max(rightMax, max(right, nextRight));
}

/** Moves the coverage of the strips, of this height together, to that of the row. */
function addToRow(height: f64): void {
  if (!(leftMin < rightMax)) return;
  const to = pixelAt(rightMax, columns) + 1;
  const innerFrom = pixelAt(leftMax, columns) + 1;
  const innerTo = pixelAt(rightMin, columns);
  let sum: f64 = 0;
  let pixel = pixelAt(leftMin, columns);
  if (height >= 1 - TIP && innerTo > innerFrom) {
    for (; pixel < innerFrom; pixel++) {
      sum += takeCover(pixel);
      addShare(pixel, sum);
    }
    // The pixel after a side has the rest of its area.
    sum += takeCover(pixel);
    addFull(innerFrom, innerTo);
    pixel = innerTo;
  }
  for (; pixel < to; pixel++) {
    sum += takeCover(pixel);
    addShare(pixel, sum);
  }
  takeCover(to);
}

// @ts-ignore: a decorator of AssemblyScript.
@inline
function addShare(pixel: i32, share: f64): void {
  const value = <i32>(max<f64>(0, min<f64>(1, share)) * 255 + 0.5);
  if (value > 0 && pixel < columns) addPartial(pixel, value);
}
