// AssemblyScript, part of the kernel `raster-kernel.as.ts`: the outlines of a layer, cut at the borders of pixel rows.

import { sortByLeft } from "./sort-by-left.as";

/** Pixels of a layer. */
export let columns: i32;
export let rows: i32;

/** Segments: x and y of the start and of the end of each (8 bytes each), and its model (4 bytes). */
export let segmentCount: i32;
export let segmentEnds: usize;
export let segmentModels: usize;

/** For each row, and for the one after the last: the first wanted row at or after it, the number of rows if there is none (4 bytes). */
export let nextRow: usize;

/**
 * A piece of a segment runs from (x0, y0) to (x1, y1); y is relative to its row, from 0 at the top to 1 at the bottom. The pieces of a row
 * follow each other, the last made first.
 */
export let pieces: usize;
const PIECE_BYTES: usize = 40;
/** The index of the first piece of each row, and the number of all pieces (4 bytes each). */
export let rowStartPieces: usize;

/** Numbers for which the arrays must have room before {@link cutIntoRows}: of all pieces, of those of one row, and of pixels or runs. */
export let pieceCount: i32;
export let maxRowPieces: i32;
export let maxRuns: f64;
/** The first row that has pieces, and the one after the last; the number of rows and 0 if none has. */
export let firstRow: i32;
export let endRow: i32;

// @ts-ignore: a decorator of AssemblyScript.
@inline
export function x0(piece: usize): f64 {
  return load<f64>(piece);
}
// @ts-ignore: a decorator of AssemblyScript.
@inline
export function y0(piece: usize): f64 {
  return load<f64>(piece, 8);
}
// @ts-ignore: a decorator of AssemblyScript.
@inline
export function x1(piece: usize): f64 {
  return load<f64>(piece, 16);
}
// @ts-ignore: a decorator of AssemblyScript.
@inline
export function y1(piece: usize): f64 {
  return load<f64>(piece, 24);
}
// @ts-ignore: a decorator of AssemblyScript.
@inline
export function modelOf(piece: usize): i32 {
  return load<i32>(piece, 32);
}

// @ts-ignore: a decorator of AssemblyScript.
@inline
function wantedFrom(row: i32): i32 {
  return load<i32>(nextRow + (row << 2));
}

/** The first row of a segment with these ends in y. */
// @ts-ignore: a decorator of AssemblyScript.
@inline
function firstRowOf(top: f64): i32 {
  return <i32>max<f64>(0, floor(top));
}

/**
 * The row after the last one of a segment. A horizontal segment is kept because it separates inside from outside within its row; one on the
 * border of two rows is left out.
 */
// @ts-ignore: a decorator of AssemblyScript.
@inline
function endRowOf(top: f64, bottom: f64, first: i32): i32 {
  if (top === bottom) return min(rows, top === <f64>first ? first : first + 1);
  return <i32>min<f64>(rows, ceil(bottom));
}

/** Counts the pieces of the wanted rows. Parts above the first row or below the last are left out. */
export function measure(): void {
  memory.fill(rowStartPieces, 0, (rows + 1) << 2);
  maxRuns = 0;
  firstRow = rows;
  endRow = 0;
  for (let s = 0; s < segmentCount; s++) {
    const at = segmentEnds + (s << 5);
    const top = min(load<f64>(at, 8), load<f64>(at, 24));
    const bottom = max(load<f64>(at, 8), load<f64>(at, 24));
    if (bottom <= 0 || top >= <f64>rows) continue;
    const first = firstRowOf(top);
    const last = endRowOf(top, bottom, first);
    const from = wantedFrom(first);
    if (last <= from) continue;
    firstRow = min(firstRow, from);
    endRow = max(endRow, last);
    addTo(rowStartPieces + (from << 2), 1);
    addTo(rowStartPieces + (last << 2), -1);
    // A piece covers its extent in x and two pixels at its ends; a run of full pixels precedes it.
    const across = abs(load<f64>(at) - load<f64>(at, 16));
    maxRuns += min(across, <f64>columns * <f64>(last - from)) + 3 * <f64>(last - from) + 1;
  }
  maxRuns = min(maxRuns, <f64>columns * <f64>rows);
  let active = 0;
  pieceCount = 0;
  maxRowPieces = 0;
  for (let row = 0; row < rows; row++) {
    active += load<i32>(rowStartPieces + (row << 2));
    const count = wantedFrom(row) === row ? active : 0;
    pieceCount += count;
    if (count > maxRowPieces) maxRowPieces = count;
    // The end of the row, until its pieces are made.
    store<i32>(rowStartPieces + (row << 2), pieceCount);
  }
  store<i32>(rowStartPieces + (rows << 2), pieceCount);
}

// @ts-ignore: a decorator of AssemblyScript.
@inline
function addTo(at: usize, step: i32): void {
  store<i32>(at, load<i32>(at) + step);
}

/** Cuts the segments into the pieces of the wanted rows. */
export function cutIntoRows(): void {
  for (let s = 0; s < segmentCount; s++) {
    const at = segmentEnds + (s << 5);
    const startX = load<f64>(at);
    const startY = load<f64>(at, 8);
    const endX = load<f64>(at, 16);
    const endY = load<f64>(at, 24);
    const goesDown = endY >= startY;
    const top = goesDown ? startY : endY;
    const bottom = goesDown ? endY : startY;
    if (bottom <= 0 || top >= <f64>rows) continue;
    const first = firstRowOf(top);
    const last = endRowOf(top, bottom, first);
    const from = wantedFrom(first);
    if (last <= from) continue;
    const model = load<u32>(segmentModels + (s << 2));
    const topX = goesDown ? startX : endX;
    const bottomX = goesDown ? endX : startX;
    const slope = top === bottom ? 0 : (bottomX - topX) / (bottom - top);
    let upperY = top > <f64>from ? top - <f64>from : 0;
    let upperX = top > <f64>from ? topX : topX + (<f64>from - top) * slope;
    for (let row = from; row < last; ) {
      const isLast = bottom <= <f64>(row + 1);
      const lowerX = isLast ? bottomX : topX + (<f64>(row + 1) - top) * slope;
      const lowerY = isLast ? bottom - <f64>row : 1;
      const index = load<i32>(rowStartPieces + (row << 2)) - 1;
      store<i32>(rowStartPieces + (row << 2), index);
      const piece = pieces + <usize>index * PIECE_BYTES;
      store<f64>(piece, goesDown ? upperX : lowerX);
      store<f64>(piece, goesDown ? upperY : lowerY, 8);
      store<f64>(piece, goesDown ? lowerX : upperX, 16);
      store<f64>(piece, goesDown ? lowerY : upperY, 24);
      store<u32>(piece, model, 32);
      const wanted = wantedFrom(row + 1);
      upperX = wanted === row + 1 ? lowerX : topX + (<f64>wanted - top) * slope;
      upperY = 0;
      row = wanted;
    }
  }
}

/** The pieces of one row, sorted by their left ends, ascending: the address (4 bytes) and the left end (8 bytes) of each. */
export let members: usize;
export let lefts: usize;

// @ts-ignore: a decorator of AssemblyScript.
@inline
export function member(i: i32): usize {
  return load<u32>(members + (i << 2));
}
// @ts-ignore: a decorator of AssemblyScript.
@inline
export function left(i: i32): f64 {
  return load<f64>(lefts + (i << 3));
}

/** Sorts the pieces of a row, and returns their number. */
export function sortRow(row: i32): i32 {
  const first = load<i32>(rowStartPieces + (row << 2));
  const count = load<i32>(rowStartPieces + (row << 2), 4) - first;
  let piece = pieces + <usize>first * PIECE_BYTES;
  for (let i = 0; i < count; i++, piece += PIECE_BYTES) {
    const a = x0(piece);
    const b = x1(piece);
    store<f64>(lefts + (i << 3), a < b ? a : b);
    store<u32>(members + (i << 2), piece);
  }
  sortByLeft(lefts, members, count);
  return count;
}
