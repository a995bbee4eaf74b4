// AssemblyScript, part of the kernel `strut-kernel.as.ts`: the coverage of a row by one section.

import { addSignedArea, greater, lesser, pixelAt } from "../raster/coverage.as";
import { columns } from "../raster/row-pieces.as";
import { takeCover } from "../raster/touched-pixels.as";
import { NO_LIMIT } from "./conic-piece.as";
import { addFull, addPartial, markPixels } from "./row-coverage.as";
import {
  bottom,
  cutLeft,
  cutRight,
  cutSection,
  keepCut,
  leftAtBottom,
  leftAtTop,
  leftStep,
  rightAtBottom,
  rightAtTop,
  rightStep,
  top,
} from "./strut-sections.as";

/** Strips of a row in which a section begins and ends, or only one of the two and a side moves by more than {@link WIDE} pixels. */
const FINE_STRIPS = 6;
const WIDE: f64 = 6;
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
  const nextLeft = leftAtBottom(section);
  const nextRight = rightAtBottom(section);
  const leftMove = nextLeft - left;
  const rightMove = nextRight - right;
  const leftBend = leftMove - leftStep(section);
  const rightBend = rightMove - rightStep(section);
  keepCut(section, row, nextLeft, nextRight, leftMove, rightMove);
  if (!isStraight(leftMove, leftBend) || !isStraight(rightMove, rightBend)) {
    coverCurved(section, row, left, right, nextLeft, nextRight);
    return true;
  }
  const leftShift = leftBend / BULGE;
  const rightShift = rightBend / BULGE;
  if (!coverTrapezoid(left - leftShift, right - rightShift, nextLeft - leftShift, nextRight - rightShift)) {
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
  const size = abs(bend);
  return size <= BEND || (size <= 2 * BEND && abs(move) <= STEEP);
}

/** Covers a row in which the section begins or ends. */
function coverEnd(section: usize, row: i32, isStart: bool, isEnd: bool): void {
  const from = max(top(section), <f64>row);
  const height = min(bottom(section), <f64>(row + 1)) - from;
  beginStrips();
  if (isStart && isEnd) addFineStrips(section, from, height, true, true);
  else {
    cutSection(section, isStart ? from + TIP * height : from + (1 - TIP) * height);
    const left = cutLeft;
    const right = cutRight;
    cutSection(section, isStart ? from + 0.25 * height : from + 0.75 * height);
    const innerLeft = cutLeft;
    const innerRight = cutRight;
    cutSection(section, isStart ? from + height : from);
    const baseLeft = cutLeft;
    const baseRight = cutRight;
    // The sides have not moved in a row yet: the next one is curved.
    if (isStart) keepCut(section, row, baseLeft, baseRight, NO_LIMIT, NO_LIMIT);
    if (abs(baseLeft - left) > WIDE || abs(baseRight - right) > WIDE) addFineStrips(section, from, height, isStart, isEnd);
    else addTip(left, right, innerLeft, innerRight, baseLeft, baseRight, height);
  }
  addToRow(height);
}

/**
 * Adds the end of a section by its cuts at the tip, at a quarter of its height and at its base. Sides are taken as a + b·s + c·s² at s² of the height: an arc has
 * the part b, a corner only c. Of b, the mean distance from the chord is b/12 in the strip at the tip, and b/36 in the other one.
 */
function addTip(
  left: f64,
  right: f64,
  innerLeft: f64,
  innerRight: f64,
  baseLeft: f64,
  baseRight: f64,
  height: f64,
): void {
  let leftRoot: f64 = 0;
  let rightRoot: f64 = 0;
  if (left < right && innerLeft < innerRight) {
    leftRoot = (4 * innerLeft - 3 * left - baseLeft) / 12;
    rightRoot = (4 * innerRight - 3 * right - baseRight) / 12;
  }
  addStrip(left + leftRoot, right + rightRoot, innerLeft + leftRoot, innerRight + rightRoot, height / 4);
  leftRoot /= 3;
  rightRoot /= 3;
  addStrip(innerLeft + leftRoot, innerRight + rightRoot, baseLeft + leftRoot, baseRight + rightRoot, 0.75 * height);
}

/** Adds strips that are denser towards the ends of the section. */
function addFineStrips(section: usize, from: f64, height: f64, isStart: bool, isEnd: bool): void {
  cutSection(section, isStart ? from + TIP * height : from);
  let left = cutLeft;
  let right = cutRight;
  let last: f64 = 0;
  for (let i = 1; i <= FINE_STRIPS; i++) {
    const share = shareAt(<f64>i / <f64>FINE_STRIPS, isStart, isEnd);
    cutSection(section, from + (i === FINE_STRIPS && isEnd ? 1 - TIP : share) * height);
    addStrip(left, right, cutLeft, cutRight, (share - last) * height);
    last = share;
    left = cutLeft;
    right = cutRight;
  }
}

/** The share of the height of a row above a cut. */
// @ts-ignore: a decorator of AssemblyScript.
@inline
function shareAt(part: f64, isStart: bool, isEnd: bool): f64 {
  if (isStart && isEnd) return part < 0.5 ? 2 * part * part : 1 - 2 * (1 - part) * (1 - part);
  return isStart ? part * part : 1 - (1 - part) * (1 - part);
}

/** Covers a row in which a side leaves its chord, by half rows or by quarters. */
function coverCurved(section: usize, row: i32, left: f64, right: f64, nextLeft: f64, nextRight: f64): void {
  cutSection(section, <f64>row + 0.5);
  const midLeft = cutLeft;
  const midRight = cutRight;
  beginStrips();
  if (isHalvesStraight(left, midLeft, nextLeft) && isHalvesStraight(right, midRight, nextRight)) {
    addHalves(left, right, midLeft, midRight, nextLeft, nextRight, 0.5);
  } else {
    cutSection(section, <f64>row + 0.25);
    addHalves(left, right, cutLeft, cutRight, midLeft, midRight, 0.25);
    cutSection(section, <f64>row + 0.75);
    addHalves(midLeft, midRight, cutLeft, cutRight, nextLeft, nextRight, 0.25);
  }
  addToRow(1);
}

/** Whether a side is a line in each half of a row, by its places at the top, in the middle and at the bottom. */
// @ts-ignore: a decorator of AssemblyScript.
@inline
function isHalvesStraight(from: f64, mid: f64, to: f64): bool {
  return isStraight(to - from, from - 2 * mid + to);
}

/** Adds two strips, each of this height, whose sides are parabolas. */
function addHalves(left: f64, right: f64, midLeft: f64, midRight: f64, nextLeft: f64, nextRight: f64, height: f64): void {
  const leftShift = (left - 2 * midLeft + nextLeft) / BULGE;
  const rightShift = (right - 2 * midRight + nextRight) / BULGE;
  addStrip(left - leftShift, right - rightShift, midLeft - leftShift, midRight - rightShift, height);
  addStrip(midLeft - leftShift, midRight - rightShift, nextLeft - leftShift, nextRight - rightShift, height);
}

/** Covers a row by a trapezoid, if its sides share no pixel and are inside of the layer. */
// @ts-ignore: a decorator of AssemblyScript.
@inline
function coverTrapezoid(left: f64, right: f64, nextLeft: f64, nextRight: f64): bool {
  const leftFrom = lesser(left, nextLeft);
  const leftTo = greater(left, nextLeft);
  const rightFrom = lesser(right, nextRight);
  const rightTo = greater(right, nextRight);
  if (!(leftFrom >= 0 && rightTo < <f64>columns)) return false;
  const innerFrom = <i32>leftTo;
  const innerTo = <i32>rightFrom;
  if (innerFrom >= innerTo) return false;
  const first = <i32>leftFrom;
  const last = <i32>rightTo;
  addSide(first, innerFrom, leftFrom, leftTo, 1);
  addSide(innerTo, last, rightFrom, rightTo, -1);
  markPixels(first, innerFrom);
  markPixels(innerTo, last);
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
  const perPixel = 1 / (to - from);
  const before = <f64>(first + 1) - from;
  const after = to - <f64>last;
  const right = (before * before * perPixel) / 2;
  const left = (after * after * perPixel) / 2;
  addShare(first, sign > 0 ? right : 1 - right);
  for (let pixel = first + 1; pixel < last; pixel++) {
    const share = (<f64>pixel + 0.5 - from) * perPixel;
    addShare(pixel, sign > 0 ? share : 1 - share);
  }
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
  const from = lesser(left, nextLeft);
  const to = greater(right, nextRight);
  if (to <= 0 || from >= <f64>columns) return;
  addSignedArea(left, nextLeft, height);
  addSignedArea(right, nextRight, -height);
  leftMin = lesser(leftMin, from);
  leftMax = greater(leftMax, greater(left, nextLeft));
  rightMin = lesser(rightMin, lesser(right, nextRight));
  rightMax = greater(rightMax, to);
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
    markPixels(pixel, innerFrom - 1);
    for (; pixel < innerFrom; pixel++) {
      sum += takeCover(pixel);
      addShare(pixel, sum);
    }
    // The pixel after a side has the rest of its area.
    sum += takeCover(pixel);
    addFull(innerFrom, innerTo);
    pixel = innerTo;
  }
  markPixels(pixel, to - 1);
  for (; pixel < to; pixel++) {
    sum += takeCover(pixel);
    addShare(pixel, sum);
  }
  takeCover(to);
}

// @ts-ignore: a decorator of AssemblyScript.
@inline
function addShare(pixel: i32, share: f64): void {
  // Strips that rounding has crossed may sum to a little less than none or more than all.
  const value = min(255, <i32>(share * 255 + 0.5));
  if (value > 0 && pixel < columns) addPartial(pixel, value);
}
