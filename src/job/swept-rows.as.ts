// AssemblyScript, part of the kernel `shape-kernel.as.ts`: goes through two rows at once, from the left to the right.

import { countPiece, writePiece } from "./column-lines.as";
import { endOf, firstRun, height, startOf, valueOf, width } from "./layer-runs.as";
import { tracePiece } from "./traced-outlines.as";

/** What is done with the pieces of rows. */
export const COUNT_LINES: u32 = 0;
export const WRITE_LINES: u32 = 1;
export const TRACE_OUTLINES: u32 = 2;

/**
 * Passes on the pieces of a row, 0 to `height`, in which its pixels have one value, and those of the row above it, too, and at last an empty
 * piece. Pixels outside the layer are black. `use` is a constant, so that the compiler makes a loop of each use.
 */
// @ts-ignore: a decorator of AssemblyScript.
@inline
export function sweepRow(row: u32, use: u32): void {
  let a: u32 = row > 0 ? firstRun(row - 1) : 0;
  const aEnd: u32 = row > 0 ? firstRun(row) : 0;
  let b: u32 = row < height ? firstRun(row) : 0;
  const bEnd: u32 = row < height ? firstRun(row + 1) : 0;
  let lastAbove: u32 = 0;
  let lastHere: u32 = 0;
  for (let from: u32 = 0; from < width;) {
    let above: u32 = 0;
    let here: u32 = 0;
    let aboveTo = a < aEnd ? startOf(a) : width;
    let hereTo = b < bEnd ? startOf(b) : width;
    if (aboveTo <= from) {
      above = valueOf(a);
      aboveTo = endOf(a);
    }
    if (hereTo <= from) {
      here = valueOf(b);
      hereTo = endOf(b);
    }
    const to = min(aboveTo, hereTo);
    if (use === COUNT_LINES) countPiece(from, to, above, here);
    else if (use === WRITE_LINES) writePiece(row, from, to, above, here);
    else tracePiece(row, from, to, above, here, lastAbove, lastHere);
    if (above > 0 && aboveTo === to) a++;
    if (here > 0 && hereTo === to) b++;
    lastAbove = above;
    lastHere = here;
    from = to;
  }
  if (use === TRACE_OUTLINES) tracePiece(row, width, width, 0, 0, lastAbove, lastHere);
}
