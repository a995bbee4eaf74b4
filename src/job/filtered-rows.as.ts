// AssemblyScript, part of the kernel `layer-kernel.as.ts`: the filtered rows of a PNG file.

import { addRun, clearRuns } from "./deflate-block.as";
import { endOf, firstRun, height, startOf, valueOf, width } from "./layer-runs.as";

// PNG (Third Edition), section 9.2.
const UP: u32 = 2;

/** Filter that the bytes of the rows have already. */
export let rowFilter: u32;

/** The Adler-32 checksum of the filtered rows. */
export let checksum: u32;

/** The value and the length of the run that may still grow. */
let value: u32;
let length: u32;
let sumA: u64;
let sumB: u64;

/**
 * Filters the rows to the runs of a block, and computes their checksum. A row equal to the row above gets the filter Up, which leaves one
 * run of zeros. All other rows are taken as they are, for grey pictures without a filter: filtering them was measured to take longer and to
 * give the same size. Empty rows are taken so, too, and extend the run of zeros before them.
 */
export function filterRows(): void {
  clearRuns();
  value = rowFilter;
  length = 0;
  sumA = 1;
  sumB = 0;
  for (let row: u32 = 0; row < height; row++) {
    const above = row > 0 ? firstRun(row - 1) : 0;
    const first = firstRun(row);
    const end = firstRun(row + 1);
    if (row > 0 && end - first > 1 && end - first === first - above && isEqual(above, first, end - first)) {
      add(UP, 1);
      add(0, width);
      continue;
    }
    add(rowFilter, 1);
    let column: u32 = 0;
    for (let run = first; run < end; run++) {
      const start = startOf(run);
      if (start > column) add(0, start - column);
      column = endOf(run);
      add(valueOf(run), column - start);
    }
    if (width > column) add(0, width - column);
  }
  endRun();
  checksum = (<u32>(sumB % ADLER_BASE) << 16) | <u32>(sumA % ADLER_BASE);
}

/** Whether `count` runs from `a` on are equal to those from `b` on. */
function isEqual(a: u32, b: u32, count: u32): bool {
  for (let i: u32 = 0; i < count; i++) {
    if (startOf(a + i) !== startOf(b + i) || endOf(a + i) !== endOf(b + i) || valueOf(a + i) !== valueOf(b + i)) {
      return false;
    }
  }
  return true;
}

// @ts-ignore: a decorator of AssemblyScript.
@inline
function add(nextValue: u32, nextLength: u32): void {
  if (nextValue !== value) {
    endRun();
    value = nextValue;
    length = 0;
  }
  length += nextLength;
}

/** The largest prime below 2¹⁶ (RFC 1950, section 8.2). */
const ADLER_BASE: u64 = 65_521;
/** The sums are reduced only when needed: with a first sum of at most 2³², runs of up to 2²⁸ bytes add less than 2⁶¹ to the second. */
const MAX_SUM_A: u64 = 1 << 32;
const MAX_SUM_B: u64 = 1 << 62;

/** Ends the run that may still grow. */
function endRun(): void {
  if (length === 0) return;
  addRun(value, length);
  if (sumA > MAX_SUM_A || sumB > MAX_SUM_B) {
    sumA %= ADLER_BASE;
    sumB %= ADLER_BASE;
  }
  const sum = <u64>value * <u64>length;
  sumB += <u64>length * sumA + ((sum * <u64>(length + 1)) >> 1);
  sumA += sum;
}
