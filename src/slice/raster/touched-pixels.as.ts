// AssemblyScript, part of the kernel `raster-kernel.as.ts`: the pixels of a row whose coverage is being summed.

import { cover, pixelAt } from "./coverage.as";
import { columns } from "./row-pieces.as";

/** Pixels in `cover` whose coverage is not written yet: none if `touchedTo` is −1. */
export let touchedFrom: i32 = 0;
export let touchedTo: i32 = -1;
/** Whether the row is inside to the left of these pixels. */
export let isInsideBefore: bool = false;
/** End of the written pixels of the row. */
export let written: i32 = 0;

export function beginRow(): void {
  written = 0;
}

export function setWritten(end: i32): void {
  written = end;
}

/** True if the pixels from `left` to `right` are touched pixels now; else there is a gap between them, and the earlier ones must be written. */
export function joinTouched(left: f64, right: f64): bool {
  // The pixel after the last one has an entry in `cover`, too.
  if (touchedTo < 0 || pixelAt(left, columns - 1) > touchedTo + 1) return false;
  touchedTo = max(touchedTo, pixelAt(right, columns - 1));
  return true;
}

/** Begins touched pixels. `isInside`: whether the row is inside to the left of `left`. */
export function beginTouched(left: f64, right: f64, isInside: bool): void {
  touchedFrom = pixelAt(left, columns - 1);
  touchedTo = pixelAt(right, columns - 1);
  isInsideBefore = isInside;
}

/** Ends touched pixels, whose coverage is written. */
export function endTouched(): void {
  const end = cover + ((touchedTo + 1) << 3);
  store<f64>(end, 0);
  store<f64>(end, 0, 8);
  written = touchedTo + 1;
  touchedTo = -1;
}

/** The coverage of a touched pixel minus that of the one before, which is forgotten. */
// @ts-ignore: a decorator of AssemblyScript.
@inline
export function takeCover(pixel: i32): f64 {
  const at = cover + (pixel << 3);
  const share = load<f64>(at);
  store<f64>(at, 0);
  return share;
}
