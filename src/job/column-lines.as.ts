// AssemblyScript, part of the kernel `shape-kernel.as.ts`: the pixels of a layer that are not black, as lines of equal pixels in columns,
// column by column. Takes time in proportion to the runs of the layer and to the lines, not to the pixels.

import { height, width } from "./layer-runs.as";
import { COUNT_LINES, WRITE_LINES, sweepRow } from "./swept-rows.as";

/** 2 bytes for each column: the first row of the line that has not ended. */
export let firstRows: usize;
/** 4 bytes for each column and for their end: where the next line of a column is written. */
export let places: usize;
/** Bytes of all lines. */
export let linesBytes: u32;
let lines: usize;

/** Bytes of a line: 13 bits for its first row, 13 for its last one, 14 for its column, and 8 for its value, highest bits first. */
const LINE_BYTES: u32 = 6;

/** Sets `places` and `linesBytes`. */
export function countLines(): void {
  memory.fill(places, 0, (width + 1) << 2);
  // First the number of lines in each column, less that in the column before.
  for (let row: u32 = 1; row <= height; row++) sweepRow(row, COUNT_LINES);
  let count: u32 = 0;
  let at: u32 = 0;
  for (let column: u32 = 0; column <= width; column++) {
    count += load<u32>(places + (column << 2));
    store<u32>(places + (column << 2), at);
    at += LINE_BYTES * count;
  }
  linesBytes = at;
}

/** Counts the lines that end above a piece of a row. */
// @ts-ignore: a decorator of AssemblyScript.
@inline
export function countPiece(from: u32, to: u32, above: u32, here: u32): void {
  if (above === here || above === 0) return;
  addAt(places + (from << 2), 1);
  addAt(places + (to << 2), -1);
}

// @ts-ignore: a decorator of AssemblyScript.
@inline
function addAt(address: usize, value: u32): void {
  store<u32>(address, load<u32>(address) + value);
}

/** Writes the lines that {@link countLines} has counted, from an address on. */
export function writeLines(at: usize): void {
  lines = at;
  for (let row: u32 = 0; row <= height; row++) sweepRow(row, WRITE_LINES);
}

/** Writes the lines that end above a piece of a row, and begins those of the piece. */
// @ts-ignore: a decorator of AssemblyScript.
@inline
export function writePiece(row: u32, from: u32, to: u32, above: u32, here: u32): void {
  if (above === here) return;
  const low = ((<u64>row - 1) << 22) | above;
  for (let column = from; column < to; column++) {
    if (above > 0) writeLine(column, low);
    if (here > 0) store<u16>(firstRows + (column << 1), row);
  }
}

/** Writes the line of a column, whose last row and value are in `low`. */
// @ts-ignore: a decorator of AssemblyScript.
@inline
function writeLine(column: u32, low: u64): void {
  const line = ((<u64>load<u16>(firstRows + (column << 1))) << 35) | low | ((<u64>column) << 8);
  const place = places + (column << 2);
  const at = load<u32>(place);
  store<u32>(place, at + LINE_BYTES);
  store<u32>(lines + at, bswap<u32>(<u32>(line >> 16)));
  store<u16>(lines + at + 4, bswap<u16>(<u16>line));
}
