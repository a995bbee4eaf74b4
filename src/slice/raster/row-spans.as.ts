// AssemblyScript, part of the kernel `raster-kernel.as.ts`: the spans of a layer, row by row from the top, each from left to right.

import { rows } from "./row-pieces.as";

/** The index of the first span of each row, and the number of all spans (4 bytes each). */
export let rowStarts: usize;
/** The first column of each span and the column after its last one (2 bytes each), and its value (1 byte) where spans have values. */
export let starts: usize;
export let ends: usize;
export let values: usize;
let count: i32;
let rowStart: i32;
let row: i32;

/** Places the arrays of at most `most` spans with values, for kernels that learn late how many there are. */
export function placeSpans(at: usize, most: i32): void {
  starts = at;
  ends = starts + (most << 1);
  values = ends + (most << 1);
}

/** Starts a layer. */
export function beginSpans(): void {
  count = 0;
  row = 0;
  rowStart = 0;
  store<i32>(rowStarts, 0);
}

/** Ends the rows before `next`: the current row, and the empty rows after it. */
export function endRowsBefore(next: i32): void {
  for (; row < next; row++) store<i32>(rowStarts + (row << 2), count, 4);
  rowStart = count;
}

export function endSpans(): void {
  endRowsBefore(rows);
}

/** Adds the pixels `from` to `to` − 1 of the current row; they join the last span if they touch or overlap it. */
// @ts-ignore: a decorator of AssemblyScript.
@inline
export function addSpan(from: i32, to: i32): void {
  if (from >= to) return;
  const at = count << 1;
  if (count > rowStart && from <= <i32>load<u16>(ends + at - 2)) {
    if (to > <i32>load<u16>(ends + at - 2)) store<u16>(ends + at - 2, to);
    return;
  }
  store<u16>(starts + at, from);
  store<u16>(ends + at, to);
  count++;
}

/** Adds the pixels `from` to `to` − 1 of one value; they join the last span if they touch it and have its value. */
// @ts-ignore: a decorator of AssemblyScript.
@inline
export function addRun(from: i32, to: i32, value: i32): void {
  const at = count << 1;
  if (count > rowStart && <i32>load<u16>(ends + at - 2) === from && <i32>load<u8>(values + count - 1) === value) {
    store<u16>(ends + at - 2, to);
    return;
  }
  store<u16>(starts + at, from);
  store<u16>(ends + at, to);
  store<u8>(values + count, value);
  count++;
}
