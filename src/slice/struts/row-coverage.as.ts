// AssemblyScript, part of the kernel `strut-kernel.as.ts`: the coverage of a row by all sections, whatever their order.

import { columns } from "../row-pieces.as";

/** For each pixel of a row, and the one after the last: the number of sections that cover it whole minus that of the pixel before (4 bytes). */
export let steps: usize;
/**
 * The values, 1 to 255, by which sections cover a pixel in part: the largest one, 255 minus the smallest one (1 byte each), and the sum of their
 * logarithms (2 bytes).
 */
export let partials: usize;
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
/** A bit for each pixel that has a step or a partial value. */
export let marks: usize;

const FULL = 255;

// @ts-ignore: a decorator of AssemblyScript.
@inline
function mark(pixel: i32): void {
  const at = marks + ((pixel >> 6) << 3);
  store<u64>(at, load<u64>(at) | (<u64>1 << (pixel & 63)));
}

/** Covers the pixels `from` to `to` − 1 whole. */
// @ts-ignore: a decorator of AssemblyScript.
@inline
export function addFull(from: i32, to: i32): void {
  const first = steps + (from << 2);
  const end = steps + (to << 2);
  store<i32>(first, load<i32>(first) + 1);
  store<i32>(end, load<i32>(end) - 1);
  mark(from);
  mark(to);
}

/** Covers a pixel in part, by 1 to 255. */
// @ts-ignore: a decorator of AssemblyScript.
@inline
export function addPartial(pixel: i32, value: i32): void {
  const at = partials + (pixel << 2);
  mark(pixel);
  store<u8>(at, max(<i32>load<u8>(at), value));
  store<u8>(at, max(<i32>load<u8>(at, 1), FULL - value), 1);
  store<u16>(at, min(MAX_SUM, <i32>load<u16>(at, 2) + <i32>load<u16>(logs + (value << 1))), 2);
}

/**
 * The value of a pixel that several sections cover in part: as if their sides crossed it independently, or the largest one where they share
 * a surface, as the caps of struts at a node.
 */
// @ts-ignore: a decorator of AssemblyScript.
@inline
function takePartial(pixel: i32): i32 {
  const at = partials + (pixel << 2);
  const most = <i32>load<u8>(at);
  const least = FULL - <i32>load<u8>(at, 1);
  const value = most - least <= SAME_VALUE ? most : <i32>load<u8>(values + load<u16>(at, 2));
  store<u32>(at, 0);
  return value;
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
  const words = (columns >> 6) + 1;
  for (let word = 0; word < words; word++) {
    let bits = load<u64>(marks + (word << 3));
    if (bits === 0) continue;
    store<u64>(marks + (word << 3), 0);
    for (; bits !== 0; bits &= bits - 1) {
      const pixel = (word << 6) + <i32>ctz(bits);
      if (whole > 0 && pixel > at) {
        rowSum += FULL * (pixel - at);
        count = addRun(list, first, count, at, pixel, FULL);
      }
      const step = steps + (pixel << 2);
      whole += load<i32>(step);
      store<i32>(step, 0);
      const partial = takePartial(pixel);
      const value = whole > 0 ? FULL : partial;
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
