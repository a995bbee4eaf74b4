// AssemblyScript, part of the kernel `shape-kernel.as.ts`: outlines of the pixels of a layer that are at least half covered, by marching
// squares. They pass between the centres of neighbouring pixels at the coverage of one half, interpolated, so that they follow the part
// within a small fraction of a pixel, and a program that tests the centres of pixels finds those that are at least half covered. Pixels that
// touch at a corner alone are apart. Takes time in proportion to the runs.

import { height } from "./layer-runs.as";
import { TRACE_OUTLINES, sweepRow } from "./swept-rows.as";

/** Points of outlines. They follow each other in closed loops with the solid on the same side. */
export let pointCount: u32;
/** {@link POINT_BYTES} for each point: pixels across and down as fractions of {@link ONE}, the centre of the first pixel being 0, 0, and the point after it. */
export let points: usize;
export const X: usize = 0;
export const Y: usize = 4;
export const NEXT: usize = 8;
/** 4 bytes for each pixel of a row and one more: points at which outlines cross the centres of the row above and of the present one. */
export let crossingsAbove: usize;
export let crossingsHere: usize;

/** A pixel in coordinates of points, so that 65,535 pixels are less than 2³¹. */
export const ONE: i32 = 1 << 14;
/** The least distance of outlines to the centre of a pixel: they stay on the right side of centres when coordinates are rounded. */
export const LEAST_DISTANCE: i32 = ONE / 50;

/** The least value of a pixel that is inside: the highest bit of values. */
const INSIDE: u32 = 128;
const NONE: u32 = u32.MAX_VALUE;

/** The last point of the outline that runs along the band between two rows, up to the present column; {@link NONE} if there is none. */
let active: u32;
/** The sides of the band. */
const TOP: u32 = 1;
const BOTTOM: u32 = 2;
const BOTH: u32 = 3;
/** The side at which an outline has entered the band in the last column, if it has not been given its point there, and the y of that point. */
let pendingSide: u32;
let pendingY: i32;
/** Numbers of crossings of the row above that have been passed, and of those found in the row. */
let taken: u32;
let found: u32;

export function traceOutlines(): void {
  pointCount = 0;
  for (let row: u32 = 0; row <= height; row++) {
    taken = 0;
    found = 0;
    active = NONE;
    pendingSide = 0;
    sweepRow(row, TRACE_OUTLINES);
    const free = crossingsAbove;
    crossingsAbove = crossingsHere;
    crossingsHere = free;
  }
}

/** Links the outlines up to the end of a piece behind another one. */
// @ts-ignore: a decorator of AssemblyScript.
@inline
export function tracePiece(row: u32, from: u32, to: u32, above: u32, here: u32, lastAbove: u32, lastHere: u32): void {
  // Most pieces are inside in both rows, or outside.
  if ((((above ^ lastAbove) | (here ^ lastHere) | (above ^ here)) & INSIDE) === 0) return;
  const isAbove = isInside(above);
  const isHere = isInside(here);
  const crossesAbove = isInside(lastAbove) !== isAbove;
  const crossesHere = isInside(lastHere) !== isHere;
  const sides: u32 = (crossesAbove ? TOP : 0) | (crossesHere ? BOTTOM : 0);
  if (pendingSide > 0) {
    // An outline that goes on to the other row is as near without the point.
    if ((sides ^ pendingSide) !== BOTH) extend(addPoint(ONE * (from - 1), pendingY), isInside(lastAbove));
    pendingSide = 0;
  }
  if (sides > 0) {
    const top = crossesAbove ? load<u32>(crossingsAbove + (taken++ << 2)) : NONE;
    const bottom = crossesHere ? addPoint(ONE * (<i32>from - 1) + crossing(lastHere, here), ONE * row) : NONE;
    if (crossesHere) store<u32>(crossingsHere + (found++ << 2), bottom);
    passCrossings(top, bottom, isAbove, isInside(lastAbove), isInside(lastHere));
  }
  if (isAbove === isHere) return;
  const y = ONE * (<i32>row - 1) + crossing(above, here);
  if ((sides === TOP || sides === BOTTOM) && to - from === 1) {
    pendingSide = sides;
    pendingY = y;
    return;
  }
  extend(addPoint(ONE * from, y), isAbove);
  if (to - from > 1) extend(addPoint(ONE * (to - 1), y), isAbove);
}

/**
 * Where an outline passes between two pixels, from the centre of the first (0) to that of the second ({@link ONE}). Their coverages add up to the
 * distance of a straight edge from the far side of the pixel inside: exactly if its angle to the side between them is at most 45°, else within a
 * twentieth of a pixel.
 */
// @ts-ignore: a decorator of AssemblyScript.
@inline
function crossing(first: u32, second: u32): i32 {
  const sum = first + second;
  // Divided by 255 by multiplication.
  const inside = <i32>((<u64>(sum * ONE) * 0x8080_8081) >> 39) - ONE / 2;
  const fromFirst = isInside(first) ? inside : ONE - inside;
  return min(ONE - LEAST_DISTANCE, max(LEAST_DISTANCE, fromFirst));
}

// @ts-ignore: a decorator of AssemblyScript.
@inline
function isInside(value: u32): bool {
  return value >= INSIDE;
}

// @ts-ignore: a decorator of AssemblyScript.
@inline
export function addressOf(point: u32): usize {
  return points + (point << 4);
}

// @ts-ignore: a decorator of AssemblyScript.
@inline
function addPoint(x: i32, y: i32): u32 {
  const point = pointCount++;
  store<i32>(addressOf(point), x, X);
  store<i32>(addressOf(point), y, Y);
  return point;
}

/** Links two points of which the first is left of the second. The solid is above an outline that runs to the right. */
// @ts-ignore: a decorator of AssemblyScript.
@inline
function link(isSolidAbove: bool, left: u32, right: u32): void {
  if (isSolidAbove) store<u32>(addressOf(left), right, NEXT);
  else store<u32>(addressOf(right), left, NEXT);
}

/** Lets the outline along the band run on to a point. */
// @ts-ignore: a decorator of AssemblyScript.
@inline
function extend(point: u32, isSolidAbove: bool): void {
  link(isSolidAbove, active, point);
  active = point;
}

/**
 * Passes the points at which outlines leave the band between two columns, at its top and its bottom, of which one may be {@link NONE}. The
 * other values: whether pixels are inside, of the upper row behind them and of both rows before them.
 */
// @ts-ignore: a decorator of AssemblyScript.
@inline
function passCrossings(top: u32, bottom: u32, isUpper: bool, wasUpper: bool, wasLower: bool): void {
  const wasActive = wasUpper !== wasLower;
  if (top !== NONE && bottom !== NONE) {
    if (!wasActive) return link(isUpper, top, bottom);
    // Corners are apart: the outline ends at the row that was inside, and that of the other row begins.
    link(wasUpper, active, wasUpper ? top : bottom);
    active = wasUpper ? bottom : top;
    return;
  }
  const point = top !== NONE ? top : bottom;
  if (wasActive) link(wasUpper, active, point);
  active = wasActive ? NONE : point;
}
