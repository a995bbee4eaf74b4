import { growArray } from "../../core/typed-arrays.ts";
import type { LayerRuns } from "../../slice/rasterise-layer.ts";
import { forRowPieces } from "../row-pieces.ts";

/**
 * Outlines of the pixels of a layer that are at least half covered. Each point is followed by that at `next`, in closed loops with the
 * solid on the same side. Coordinates are pixels across and down; the centre of the first pixel is 0, 0. Overwritten by the next layer.
 */
export interface Outlines {
  count: number;
  xs: Float64Array<ArrayBuffer>;
  ys: Float64Array<ArrayBuffer>;
  next: Int32Array<ArrayBuffer>;
}

/** The least value of a pixel that is inside. */
export const INSIDE = 128;
/** The value on outlines: between those of pixels inside and outside. */
const LEVEL = INSIDE - 0.5;
/** The least distance of a point to the centre of a pixel, in pixels: outlines stay on the right side of centres when their coordinates are rounded. */
const LEAST_DISTANCE = 0.02;

const outlines: Outlines = {
  count: 0,
  xs: new Float64Array(1024),
  ys: new Float64Array(1024),
  next: new Int32Array(1024),
};

function addPoint(x: number, y: number): number {
  const index = outlines.count++;
  if (index === outlines.xs.length) {
    outlines.xs = growArray(outlines.xs, index + 1);
    outlines.ys = growArray(outlines.ys, index + 1);
    outlines.next = growArray(outlines.next, index + 1);
  }
  outlines.xs[index] = x;
  outlines.ys[index] = y;
  return index;
}

/** Where an outline passes between two pixels, from the centre of the first (0) to that of the second (1). */
const crossing = (first: number, second: number): number =>
  Math.min(1 - LEAST_DISTANCE, Math.max(LEAST_DISTANCE, (LEVEL - first) / (second - first)));

/**
 * Traces the outlines by marching squares: they pass between the centres of neighbouring pixels at the coverage of one half, interpolated,
 * so that they follow the part within a small fraction of a pixel, and a program that tests the centres of pixels finds the pixels that
 * are at least half covered. Pixels that touch at a corner alone are apart. Takes time in proportion to the runs.
 */
export function traceOutlines(layer: LayerRuns): Outlines {
  outlines.count = 0;
  let above: number[] = [];
  for (let row = 0; row <= layer.height; row++) above = traceBand(layer, row, above);
  return outlines;
}

/** A place in the band between the centres of two rows, just right of which its outline has not been traced. */
interface Front {
  /** The last point of the outline that runs along the band; -1 if there is none. */
  active: number;
  /** Values left of the present column in the upper and the lower row. */
  upper: number;
  lower: number;
}

/**
 * Links the outlines between the centres of a row and those of the row above it. `above` are the points at which outlines cross the line
 * through the centres of the row above, from left to right. Returns those of the row.
 */
function traceBand(layer: LayerRuns, row: number, above: readonly number[]): number[] {
  const crossings: number[] = [];
  const front: Front = { active: -1, upper: 0, lower: 0 };
  let taken = 0;
  const advance = (from: number, to: number, upper: number, lower: number): void => {
    const top = isInside(front.upper) === isInside(upper) ? -1 : above[taken++];
    const bottom =
      isInside(front.lower) === isInside(lower) ? -1 : addPoint(from - 1 + crossing(front.lower, lower), row);
    if (bottom >= 0) crossings.push(bottom);
    passCrossings(front, top, bottom, isInside(upper));
    front.upper = upper;
    front.lower = lower;
    if (isInside(upper) === isInside(lower)) return;
    const y = row - 1 + crossing(upper, lower);
    extend(front, addPoint(from, y));
    if (to - from > 1) extend(front, addPoint(to - 1, y));
  };
  forRowPieces(layer, row, advance);
  advance(layer.width, layer.width, 0, 0);
  return crossings;
}

const isInside = (value: number): boolean => value >= INSIDE;

/** Links two points of which the first is left of the second. The solid is above an outline that runs to the right. */
function link(isSolidAbove: boolean, left: number, right: number): void {
  if (isSolidAbove) outlines.next[left] = right;
  else outlines.next[right] = left;
}

/** Lets the outline along the band run on to a point. */
function extend(front: Front, point: number): void {
  link(isInside(front.upper), front.active, point);
  front.active = point;
}

/** Passes the points at which outlines leave the band between two columns, at its top and its bottom; -1: none. */
function passCrossings(front: Front, top: number, bottom: number, isUpper: boolean): void {
  const [wasUpper, wasActive] = [isInside(front.upper), isInside(front.upper) !== isInside(front.lower)];
  if (top >= 0 && bottom >= 0) {
    if (!wasActive) return link(isUpper, top, bottom);
    // Corners are apart: the outline ends at the row that was inside, and that of the other row begins.
    link(wasUpper, front.active, wasUpper ? top : bottom);
    front.active = wasUpper ? bottom : top;
  } else if (top >= 0 || bottom >= 0) {
    const point = top >= 0 ? top : bottom;
    if (wasActive) link(wasUpper, front.active, point);
    front.active = wasActive ? -1 : point;
  }
}
