// AssemblyScript, part of the kernel `strut-kernel.as.ts`: the coverage of a row by all sections, whatever their order.

import { columns } from "../raster/row-pieces.as";

/**
 * For each pixel of a row, the one before the first and the one after the last, 16 bytes. First the values, 1 to 255, by which sections cover it
 * in part: the largest one, 255 minus the smallest one (1 byte each), and the sum of their logarithms (2 bytes). Then the numbers of sections that
 * cover pixels whole from the next pixel on, and up to the one before (4 bytes each).
 */
export let cells: usize;

// @ts-ignore: a decorator of AssemblyScript.
@inline
function cellOf(pixel: i32): usize {
  return cells + (<usize>(pixel + 1) << 4);
}

/** For each value the logarithm of what it leaves free, times −{@link LOG_SCALE} (2 bytes); and for each sum of these, the value (1 byte). */
export let logs: usize;
export let values: usize;
const LOG_SCALE: f64 = 1000;
/** Sums from here on are of whole pixels: no value of 255 leaves a 255th free. */
const MAX_SUM = 8191;
/** Sections whose values differ by no more share a surface. */
const SAME_VALUE = 1;

export function prepareValues(): void {
  for (let value = 0; value < FULL; value++) {
    const log = -Math.log(1 - <f64>value / 255) * LOG_SCALE;
    store<u16>(logs + (value << 1), <u16>(log + 0.5));
  }
  store<u16>(logs + (FULL << 1), MAX_SUM);
  for (let sum = 0; sum <= MAX_SUM; sum++) {
    store<u8>(values + sum, <u8>(255 * (1 - Math.exp(-(<f64>sum) / LOG_SCALE)) + 0.5));
  }
}
/** A bit for each of the {@link cells}: whether it has content. */
export let marks: usize;

const FULL = 255;

/** Marks the pixels from `first` to `last`, which get content. */
// @ts-ignore: a decorator of AssemblyScript.
@inline
export function markPixels(first: i32, last: i32): void {
  const word = (first + 1) >> 6;
  if (word === (last + 1) >> 6) {
    const at = marks + (word << 3);
    store<u64>(at, load<u64>(at) | (((<u64>2 << (last - first)) - 1) << ((first + 1) & 63)));
  } else for (let pixel = first; pixel <= last; pixel++) markPixel(pixel);
}

function markPixel(pixel: i32): void {
  const at = marks + (((pixel + 1) >> 6) << 3);
  store<u64>(at, load<u64>(at) | (<u64>1 << ((pixel + 1) & 63)));
}

/** Covers the pixels `from` to `to` − 1 whole. That before and that after them must be marked. */
// @ts-ignore: a decorator of AssemblyScript.
@inline
export function addFull(from: i32, to: i32): void {
  const first = cellOf(from - 1);
  const end = cellOf(to);
  store<i32>(first, load<i32>(first, 4) + 1, 4);
  store<i32>(end, load<i32>(end, 8) + 1, 8);
}

/** Covers a pixel, which must be marked, in part, by 1 to 255. */
// @ts-ignore: a decorator of AssemblyScript.
@inline
export function addPartial(pixel: i32, value: i32): void {
  const at = cellOf(pixel);
  const before = load<u32>(at);
  const log = <i32>load<u16>(logs + (value << 1));
  if (before === 0) {
    store<u32>(at, value | ((FULL - value) << 8) | (log << 16));
    return;
  }
  const most = max(<i32>(before & 255), value);
  const least = max(<i32>((before >> 8) & 255), FULL - value);
  store<u32>(at, most | (least << 8) | (min(MAX_SUM, <i32>(before >> 16) + log) << 16));
}

/**
 * The value of a pixel that several sections cover in part: as if their sides crossed it independently, or the largest one where they share
 * a surface, as the caps of struts at a node.
 */
// @ts-ignore: a decorator of AssemblyScript.
@inline
function partialValue(partial: u32): i32 {
  const most = <i32>(partial & 255);
  const least = FULL - <i32>((partial >> 8) & 255);
  return most - least <= SAME_VALUE ? most : <i32>load<u8>(values + (partial >> 16));
}

/**
 * Runs of pixels: the first column of each and the column after its last one (2 bytes each), and its value (1 byte), as three arrays that
 * have room for `runRoom` runs and follow each other.
 */
export let runRoom: i32;

/** Sum of the values of the pixels of the last row taken. */
export let rowSum: i32;

/** Adds the runs of the row to those of a list, after the first `first` ones, and forgets its coverage. Returns the new number of runs. */
export function takeRow(list: usize, first: i32): i32 {
  let count = first;
  let whole = 0;
  let at = 0;
  rowSum = 0;
  const words = ((columns + 1) >> 6) + 1;
  for (let word = 0; word < words; word++) {
    let bits = load<u64>(marks + (word << 3));
    if (bits === 0) continue;
    store<u64>(marks + (word << 3), 0);
    for (; bits !== 0; bits &= bits - 1) {
      const pixel = (word << 6) + <i32>ctz(bits) - 1;
      if (whole > 0 && pixel > at) {
        rowSum += FULL * (pixel - at);
        count = addRun(list, first, count, at, pixel, FULL);
      }
      const cell = cellOf(pixel);
      whole -= load<i32>(cell, 8);
      const value = whole > 0 ? FULL : partialValue(load<u32>(cell));
      whole += load<i32>(cell, 4);
      store<u64>(cell, 0);
      store<i32>(cell, 0, 8);
      if (value > 0 && pixel < columns) {
        rowSum += value;
        count = addRun(list, first, count, pixel, pixel + 1, value);
      }
      at = pixel + 1;
    }
  }
  return count;
}

/** Adds a run to the runs of a list from `first` to before `count`; it joins the last one if it touches it with its value. Returns the new count. */
// @ts-ignore: a decorator of AssemblyScript.
@inline
export function addRun(list: usize, first: i32, count: i32, from: i32, to: i32, value: i32): i32 {
  const at = list + (count << 1);
  const ends = <usize>(runRoom << 1);
  const values = list + <usize>(runRoom << 2) + count;
  if (count > first && <i32>load<u16>(at + ends - 2) === from && <i32>load<u8>(values - 1) === value) {
    store<u16>(at + ends - 2, to);
    return count;
  }
  store<u16>(at, from);
  store<u16>(at + ends, to);
  store<u8>(values, value);
  return count + 1;
}

/** How the values of two lists are combined: the larger or the smaller one of each pixel. */
export const UNION = 0;
export const INSIDE = 1;

/**
 * Combines the runs of two lists, from `a` to before `aEnd` and from `b` to before `bEnd`, and adds the result to `to`, which has `first`
 * to before `count` of this row already. Returns its new count.
 */
export function combineRows(
  how: i32,
  listA: usize,
  a: i32,
  aEnd: i32,
  listB: usize,
  b: i32,
  bEnd: i32,
  to: usize,
  first: i32,
): i32 {
  const ends = <usize>(runRoom << 1);
  const values = <usize>(runRoom << 2);
  let count = first;
  let at = 0;
  while (at < columns) {
    while (a < aEnd && <i32>load<u16>(listA + ends + (a << 1)) <= at) a++;
    while (b < bEnd && <i32>load<u16>(listB + ends + (b << 1)) <= at) b++;
    if (a === aEnd && (b === bEnd || how !== UNION)) break;
    let valueA = 0;
    let valueB = 0;
    let next = columns;
    if (a < aEnd) {
      const start = <i32>load<u16>(listA + (a << 1));
      if (start <= at) valueA = load<u8>(listA + values + a);
      next = start <= at ? <i32>load<u16>(listA + ends + (a << 1)) : start;
    }
    if (b < bEnd) {
      const start = <i32>load<u16>(listB + (b << 1));
      if (start <= at) valueB = load<u8>(listB + values + b);
      next = min(next, start <= at ? <i32>load<u16>(listB + ends + (b << 1)) : start);
    }
    const value = how === UNION ? max(valueA, valueB) : min(valueA, valueB);
    if (value > 0 && at < next) count = addRun(to, first, count, at, next, value);
    at = next;
  }
  return count;
}
