// AssemblyScript, part of the kernel `strut-kernel.as.ts`: the rows of a layer of struts.

import { INSIDE, UNION, combineRows, rowSum, runRoom, takeRow } from "./row-coverage.as";
import { coverRow } from "./section-coverage.as";
import { firstInRow, nextSection, setNextSection } from "./strut-sections.as";

/** Runs that the struts are united with, those that clip them, those of the rows drawn, and those of one row: lists of `row-coverage.as.ts`. */
export let base: usize;
export let clip: usize;
export let drawn: usize;
export let ownRow: usize;
export let clippedRow: usize;
/** For each row of a call, and the one after the last: the first of its runs in `base`, `clip` and `drawn` (4 bytes each). */
export let baseStarts: usize;
export let clipStarts: usize;
export let drawnStarts: usize;
/** Whether struts are drawn only inside of the runs of `clip`. */
export let isClipped: bool;
/** Sum of the values that the struts have added to pixels. */
export let gain: f64;

let active: usize = 0;

/** Starts the rows of a layer, after its sections. */
export function beginRows(): void {
  active = 0;
  gain = 0;
}

/** Draws the rows from `from` to before `to`; calls go on where the last one ended. */
export function drawRows(from: i32, to: i32): void {
  let count = 0;
  for (let row = from; row < to; row++) {
    const hasStruts = coverActive(row);
    const at = <usize>((row - from) << 2);
    store<i32>(drawnStarts + at, count);
    const first = load<i32>(baseStarts + at);
    const end = load<i32>(baseStarts + at, 4);
    if (hasStruts && first === end && !isClipped) {
      count = takeRow(drawn, count);
      gain += rowSum;
      continue;
    }
    const own = hasStruts ? takeClipped(at) : 0;
    const next = combineRows(UNION, isClipped ? clippedRow : ownRow, 0, own, base, first, end, drawn, count);
    gain += valuesOf(drawn, count, next) - valuesOf(base, first, end);
    count = next;
  }
  store<i32>(drawnStarts + <usize>((to - from) << 2), count);
}

/** Covers the row by the sections that are in it, and keeps those that go on. Returns whether there are any. */
function coverActive(row: i32): bool {
  const before = active;
  const begun = <usize>load<u32>(firstInRow + (row << 2));
  active = 0;
  coverAll(before, row);
  coverAll(begun, row);
  return before !== 0 || begun !== 0;
}

function coverAll(first: usize, row: i32): void {
  for (let section = first; section !== 0; ) {
    const next = nextSection(section);
    if (coverRow(section, row)) {
      setNextSection(section, active);
      active = section;
    }
    section = next;
  }
}

/** The runs of the struts in the row, clipped: their number. */
function takeClipped(at: usize): i32 {
  const own = takeRow(ownRow, 0);
  if (!isClipped) return own;
  return combineRows(INSIDE, ownRow, 0, own, clip, load<i32>(clipStarts + at), load<i32>(clipStarts + at, 4), clippedRow, 0);
}

function valuesOf(list: usize, from: i32, to: i32): f64 {
  let sum: i64 = 0;
  for (let run = from; run < to; run++) {
    const at = list + (run << 1);
    const length = <i32>load<u16>(at + <usize>(runRoom << 1)) - <i32>load<u16>(at);
    sum += <i64>(length * <i32>load<u8>(list + <usize>(runRoom << 2) + run));
  }
  return <f64>sum;
}
