// AssemblyScript, part of the kernel `shape-kernel.as.ts`: the corners of the outlines of a layer. A straight edge replaces as many points as
// it passes within a tolerance: it crosses the same lines between centres of neighbouring pixels, in the same order, so that the same centres
// are inside.

import { height, width } from "./layer-runs.as";
import { LEAST_DISTANCE, NEXT, ONE, X, Y, addressOf, pointCount } from "./traced-outlines.as";

/** 8 bytes for each corner, loop after loop: twice its x, plus 1 for the first of a loop, and its y, in tenths of microns from the middle of the display. */
export let corners: usize;
export let cornerCount: u32;

/** The size of a pixel in tenths of microns, in which coordinates are stated. */
export let acrossTenths: f64;
export let downTenths: f64;
/** Twice the signed area of the polygons, and their perimeter and box, in tenths of microns. */
export let area: f64;
export let perimeter: f64;
export let boxMinX: f64;
export let boxMinY: f64;
export let boxMaxX: f64;
export let boxMaxY: f64;

/**
 * How far an edge may pass beside a point along the line between two centres. Working value: half the error of interpolated coverage, which
 * is an eighth of a pixel at straight edges.
 */
const TOLERANCE: i32 = ONE / 16;
const TAKEN: u32 = u32.MAX_VALUE;

/** The point where the edge begins that is made longer. */
let anchorX: f64;
let anchorY: f64;
/** The directions between which it passes all points so far, if there are any. */
let hasCone: bool;
let leastX: f64;
let leastY: f64;
let mostX: f64;
let mostY: f64;
/** The last column and row of centres that it has crossed, or {@link NONE}, and in which direction it crosses columns and rows, 0 if none. */
let column: i32;
let row: i32;
let columnStep: i32;
let rowStep: i32;
const NONE: i32 = i32.MIN_VALUE;

/** The corner before. */
let beforeX: f64;
let beforeY: f64;

/** Finds the corners of all outlines. */
export function simplifyOutlines(): void {
  cornerCount = 0;
  area = 0;
  perimeter = 0;
  boxMinX = Infinity;
  boxMinY = Infinity;
  boxMaxX = -Infinity;
  boxMaxY = -Infinity;
  for (let point: u32 = 0; point < pointCount; point++) {
    if (load<u32>(addressOf(point), NEXT) !== TAKEN) simplifyLoop(point);
  }
}

function simplifyLoop(start: u32): void {
  const first = cornerCount;
  beginEdge(start);
  addCorner(true);
  let last = start;
  let point = take(start);
  for (;;) {
    if (!extendEdge(point)) {
      beginEdge(last);
      addCorner(false);
      extendEdge(point);
    }
    if (point === start) break;
    last = point;
    point = take(point);
  }
  measureSide(<f64>(load<i32>(corners + (first << 3)) >> 1), <f64>load<i32>(corners + (first << 3), Y));
}

/** The point after another one, which is marked. */
// @ts-ignore: a decorator of AssemblyScript.
@inline
function take(point: u32): u32 {
  const following = load<u32>(addressOf(point), NEXT);
  store<u32>(addressOf(point), TAKEN, NEXT);
  return following;
}

/** Whether a coordinate is that of centres of pixels. */
// @ts-ignore: a decorator of AssemblyScript.
@inline
function isCentre(coordinate: i32): bool {
  return (coordinate & (ONE - 1)) === 0;
}

function beginEdge(point: u32): void {
  const x = load<i32>(addressOf(point), X);
  const y = load<i32>(addressOf(point), Y);
  anchorX = x;
  anchorY = y;
  hasCone = false;
  column = isCentre(x) ? x : NONE;
  row = isCentre(y) ? y : NONE;
  columnStep = 0;
  rowStep = 0;
}

/** Lets the edge end at a point, if it then passes all points so far within the tolerance, and crosses columns and rows as the outline does. */
function extendEdge(point: u32): bool {
  const x = load<i32>(addressOf(point), X);
  const y = load<i32>(addressOf(point), Y);
  const dx = <f64>x - anchorX;
  const dy = <f64>y - anchorY;
  if (hasCone && (leastX * dy < leastY * dx || dx * mostY < dy * mostX)) return false;
  const isOnColumn = isCentre(x);
  if (isOnColumn) {
    const step = signOf(column === NONE ? dx : <f64>x - <f64>column);
    if (step === 0 || step === -columnStep) return false;
    column = x;
    columnStep = step;
    const centre = y & ~(ONE - 1);
    narrow(dx, <f64>leastOf(y, centre) - anchorY, dx, <f64>mostOf(y, centre) - anchorY);
  } else {
    const step = signOf(row === NONE ? dy : <f64>y - <f64>row);
    if (step === 0 || step === -rowStep) return false;
    row = y;
    rowStep = step;
    const centre = x & ~(ONE - 1);
    narrow(<f64>leastOf(x, centre) - anchorX, dy, <f64>mostOf(x, centre) - anchorX, dy);
  }
  return true;
}

/** The ends of what an edge may cross of the line between the centre before a coordinate and the next one. */
// @ts-ignore: a decorator of AssemblyScript.
@inline
function leastOf(coordinate: i32, centre: i32): i32 {
  return max(coordinate - TOLERANCE, centre + LEAST_DISTANCE);
}
// @ts-ignore: a decorator of AssemblyScript.
@inline
function mostOf(coordinate: i32, centre: i32): i32 {
  return min(coordinate + TOLERANCE, centre + ONE - LEAST_DISTANCE);
}

// @ts-ignore: a decorator of AssemblyScript.
@inline
function signOf(value: f64): i32 {
  return value > 0 ? 1 : value < 0 ? -1 : 0;
}

/** Narrows the directions of the edge to those between two vectors. */
function narrow(firstX: f64, firstY: f64, secondX: f64, secondY: f64): void {
  const isOrdered = firstX * secondY > firstY * secondX;
  const lowX = isOrdered ? firstX : secondX;
  const lowY = isOrdered ? firstY : secondY;
  const highX = isOrdered ? secondX : firstX;
  const highY = isOrdered ? secondY : firstY;
  if (!hasCone || leastX * lowY > leastY * lowX) {
    leastX = lowX;
    leastY = lowY;
  }
  if (!hasCone || highX * mostY > highY * mostX) {
    mostX = highX;
    mostY = highY;
  }
  hasCone = true;
}

/** Makes the beginning of the edge a corner, and measures the side that ends there. */
function addCorner(isFirst: bool): void {
  const x = toTenths(anchorX, width, acrossTenths);
  const y = toTenths(anchorY, height, downTenths);
  const address = corners + (cornerCount++ << 3);
  store<i32>(address, (<i32>x << 1) | <i32>isFirst);
  store<i32>(address, <i32>y, Y);
  if (!isFirst) measureSide(x, y);
  beforeX = x;
  beforeY = y;
  boxMinX = min(boxMinX, x);
  boxMinY = min(boxMinY, y);
  boxMaxX = max(boxMaxX, x);
  boxMaxY = max(boxMaxY, y);
}

// @ts-ignore: a decorator of AssemblyScript.
@inline
function toTenths(coordinate: f64, count: u32, tenths: f64): f64 {
  return Math.floor((coordinate * (1 / <f64>ONE) + 0.5 - <f64>count * 0.5) * tenths + 0.5);
}

// @ts-ignore: a decorator of AssemblyScript.
@inline
function measureSide(x: f64, y: f64): void {
  area += beforeX * y - x * beforeY;
  perimeter += Math.sqrt((x - beforeX) * (x - beforeX) + (y - beforeY) * (y - beforeY));
}
