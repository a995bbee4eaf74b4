// AssemblyScript, part of the kernel `strut-kernel.as.ts`: the coverage of a row by one section.

import { addSignedArea, pixelAt, rounded } from "../coverage.as";
import { columns } from "../row-pieces.as";
import { takeCover } from "../touched-pixels.as";
import { NO_LIMIT } from "./conic-piece.as";
import { addFull, addPartial } from "./row-coverage.as";
import { bottom, cutLeft, cutRight, cutSection, keepCut, leftAtTop, rightAtTop, top } from "./strut-sections.as";

/** Strips of a row in which a section begins or ends, and of one in which it does both. */
const END_STRIPS = 4;
const BOTH_STRIPS = 6;
/** Strips of a row in which a side runs over more than {@link STEEP} pixels, where its curve may leave the chord. */
const SIDE_STRIPS = 4;
const STEEP: f64 = 1;
/** Ends are cut at this share of the strips' height from the tip, because rounding may miss the tip. */
const TIP: f64 = 1e-4;
const FULL: f64 = 255;

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
  const from = max(top(section), <f64>row);
  const height = min(bottom(section), <f64>(row + 1)) - from;
  leftMin = rightMin = NO_LIMIT;
  leftMax = rightMax = -NO_LIMIT;
  let above = leftAtTop(section);
  let aboveRight = rightAtTop(section);
  let strips = isStart ? (isEnd ? BOTH_STRIPS : END_STRIPS) : isEnd ? END_STRIPS : 1;
  if (isStart) {
    cutSection(section, from + TIP * height);
    above = cutLeft;
    aboveRight = cutRight;
  } else if (!isEnd) {
    cutSection(section, from + height);
    keepCut(section);
    if (abs(cutLeft - above) > STEEP || abs(cutRight - aboveRight) > STEEP) strips = SIDE_STRIPS;
  }
  let last: f64 = 0;
  for (let i = 1; i <= strips; i++) {
    const share = shareAt(<f64>i / <f64>strips, isStart, isEnd);
    if (strips > 1) cutSection(section, from + (i === strips && isEnd ? share - TIP : share) * height);
    addStrip(above, aboveRight, cutLeft, cutRight, (share - last) * height);
    last = share;
    above = cutLeft;
    aboveRight = cutRight;
  }
  if (isStart && !isEnd) keepCut(section);
  if (leftMin < rightMax) addToRow(height);
  return !isEnd;
}

/** The share of the height of a row above a cut. */
// @ts-ignore: a decorator of AssemblyScript.
@inline
function shareAt(part: f64, isStart: bool, isEnd: bool): f64 {
  if (isStart && isEnd) return part < 0.5 ? 2 * part * part : 1 - 2 * (1 - part) * (1 - part);
  if (isStart) return part * part;
  if (isEnd) return 1 - (1 - part) * (1 - part);
  return part;
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

/** Moves the coverage of the section to that of the row. */
function addToRow(height: f64): void {
  const from = pixelAt(leftMin, columns);
  const to = pixelAt(rightMax, columns) + 1;
  const innerFrom = pixelAt(leftMax, columns) + 1;
  const innerTo = pixelAt(rightMin, columns);
  let sum: f64 = 0;
  let pixel = from;
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
  const value = rounded(min<f64>(1, share) * FULL);
  if (value > 0 && pixel < columns) addPartial(pixel, value);
}
