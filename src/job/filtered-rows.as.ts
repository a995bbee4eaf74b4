// AssemblyScript, part of the kernel `layer-kernel.as.ts`: the filtered rows of a PNG file.

import { addRun, clearRuns } from "./deflate-block.as";
import { endOf, equalsRowAbove, firstRun, height, startOf, valueOf, width } from "./layer-runs.as";
import { addRunToChecksum, beginChecksum } from "./row-checksum.as";

// PNG (Third Edition), section 9.2.
const NONE: u32 = 0;
const UP: u32 = 2;

/** The value and the length of the run that may still grow. */
let value: u32;
let length: u32;

/**
 * Filters the rows to the runs of a block, and computes their checksum. A row equal to the row above gets the filter Up, which leaves one
 * run of zeros. All other rows are taken without a filter: filtering them was measured to take longer and to
 * give the same size. Empty rows are taken so, too, and extend the run of zeros before them.
 */
export function filterRows(): void {
  clearRuns();
  value = NONE;
  length = 0;
  beginChecksum();
  for (let row: u32 = 0; row < height; row++) {
    const first = firstRun(row);
    const end = firstRun(row + 1);
    if (end - first > 1 && equalsRowAbove(row)) {
      add(UP, 1);
      add(0, width);
      continue;
    }
    add(NONE, 1);
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

/** Ends the run that may still grow. */
function endRun(): void {
  if (length === 0) return;
  addRun(value, length);
  addRunToChecksum(value, length);
}
