// AssemblyScript, part of the kernel `raster-kernel.as.ts`: the coverage by outlines that turn back or meet.

import { addCover, addSignedArea } from "./coverage.as";
import { columns, member, modelOf, x0, x1, y0, y1 } from "./row-pieces.as";
import { sortByLeft } from "./sort-by-left.as";
import { isInside, turn } from "./winding.as";

/** The x of both ends of the pieces of a cluster, ascending (8 bytes each). */
export let ends: usize;
/** The pieces that meet the top of the row, and the x of these points, from left to right. Each changes the winding number at the top. */
export let topCrossings: usize;
export let topCrossingXs: usize;
/** The pieces of the current column, from the top down (4 bytes each). */
export let active: usize;
let activeCount: i32;
/** Those of them that separate inside from outside (4 bytes each), and a sign for each: 1 if the inside is above (8 bytes). */
export let borders: usize;
export let borderSigns: usize;
/** The x at which active pieces cross, ascending (8 bytes each). It is the last array of the memory, which grows with it. */
export let crossings: usize;

/** Columns narrower than this, pixels, are ignored. */
const MIN_COLUMN_PX: f64 = 1e-12;

/**
 * Adds the coverage of the members from `from` to before `to`, which may cross each other. The ends and crossings of pieces and the borders
 * of pixels divide the row into columns in which the pieces are ordered vertically, so that the solid fraction of a column is a sum of
 * trapezoids. The winding number is that to the left of the pieces; on return, to the right of them, at `right`.
 */
export function addOverlapCoverage(from: i32, to: i32, right: f64): void {
  const endCount = gatherEnds(from, to);
  const topCount = gatherTopCrossings(from, to);
  const before = isInside();
  activeCount = 0;
  let next = from;
  let top = 0;
  for (let i = 0; i + 1 < endCount; i++) {
    const start = load<f64>(ends + (i << 3));
    const end = load<f64>(ends + (i << 3), 8);
    if (end - start <= MIN_COLUMN_PX) continue;
    for (; top < topCount && load<f64>(topCrossingXs + (top << 3)) <= start; top++) crossAtTop(top);
    for (; next < to && min(x0(member(next)), x1(member(next))) <= start; next++) {
      store<u32>(active + (activeCount++ << 2), <u32>member(next));
    }
    let kept = 0;
    for (let j = 0; j < activeCount; j++) {
      const piece = activePiece(j);
      if (max(x0(piece), x1(piece)) >= end) store<u32>(active + (kept++ << 2), <u32>piece);
    }
    activeCount = kept;
    addColumns(start, end, before);
  }
  for (; top < topCount; top++) crossAtTop(top);
  addSignedArea(right, right, <f64>(<i32>isInside() - <i32>before));
}

// @ts-ignore: a decorator of AssemblyScript.
@inline
function activePiece(i: i32): usize {
  return load<u32>(active + (i << 2));
}

function gatherEnds(from: i32, to: i32): i32 {
  let at = ends;
  for (let i = from; i < to; i++, at += 16) {
    store<f64>(at, x0(member(i)));
    store<f64>(at, x1(member(i)), 8);
  }
  const count = (to - from) << 1;
  sortNumbers(ends, count);
  return count;
}

/** Shell sort; up to 32 numbers an insertion sort. */
function sortNumbers(numbers: usize, count: i32): void {
  for (let gap = count > 32 ? count >> 1 : 1; gap > 0; gap >>= 1) {
    for (let i = gap; i < count; i++) {
      const number = load<f64>(numbers + (i << 3));
      let hole = i;
      for (; hole >= gap; hole -= gap) {
        const before = load<f64>(numbers + ((hole - gap) << 3));
        if (!(before > number)) break;
        store<f64>(numbers + (hole << 3), before);
      }
      store<f64>(numbers + (hole << 3), number);
    }
  }
}

function gatherTopCrossings(from: i32, to: i32): i32 {
  let count = 0;
  for (let i = from; i < to; i++) {
    const piece = member(i);
    const a = y0(piece);
    const b = y1(piece);
    if (a === b || (a !== 0 && b !== 0)) continue;
    store<u32>(topCrossings + (count << 2), <u32>piece);
    store<f64>(topCrossingXs + (count++ << 3), a === 0 ? x0(piece) : x1(piece));
  }
  sortByLeft(topCrossingXs, topCrossings, count);
  return count;
}

function crossAtTop(i: i32): void {
  const piece = <usize>load<u32>(topCrossings + (i << 2));
  turn(modelOf(piece), y0(piece) === 0 ? 1 : -1);
}

/** Adds the columns between two ends, which all active pieces span; the crossings of pieces divide them. */
function addColumns(from: f64, to: f64, insideBefore: bool): void {
  let start = from;
  if (activeCount >= 2 && !isInOrder(from, to)) {
    const count = gatherCrossings(from, to);
    for (let i = 0; i < count; i++) {
      const crossing = load<f64>(crossings + (i << 3));
      addStrip(start, crossing, insideBefore);
      start = crossing;
    }
  }
  addStrip(start, to, insideBefore);
}

function gatherCrossings(from: f64, to: f64): i32 {
  let count = 0;
  for (let i = 0; i < activeCount; i++) {
    const startY = yAt(activePiece(i), from);
    const endY = yAt(activePiece(i), to);
    for (let j = i + 1; j < activeCount; j++) {
      const before = startY - yAt(activePiece(j), from);
      const after = endY - yAt(activePiece(j), to);
      if (!(before * after < 0)) continue;
      const at = crossings + (count++ << 3);
      if (at + 8 > <usize>memory.size() << 16) memory.grow(1);
      store<f64>(at, from + ((to - from) * before) / (before - after));
    }
  }
  sortNumbers(crossings, count);
  return count;
}

/** Whether the active pieces have the same vertical order at `to` as at `from`; sorts them by their heights at `from`. */
function isInOrder(from: f64, to: f64): bool {
  sortByHeight(from);
  for (let i = 1; i < activeCount; i++) {
    if (yAt(activePiece(i - 1), to) > yAt(activePiece(i), to)) return false;
  }
  return true;
}

/** Adds a strip in which the active pieces do not cross. Its solid share is a sum over the borders, by their heights. */
function addStrip(from: f64, to: f64, insideBefore: bool): void {
  if (to - from <= MIN_COLUMN_PX) return;
  sortByHeight((from + to) / 2);
  let borderCount = 0;
  for (let i = 0; i < activeCount; i++) {
    const piece = activePiece(i);
    const before = isInside();
    turn(modelOf(piece), turnsBelow(piece));
    const after = isInside();
    if (before === after) continue;
    store<u32>(borders + (borderCount << 2), <u32>piece);
    store<f64>(borderSigns + (borderCount++ << 3), after ? -1 : 1);
  }
  const atBottom = <f64>(<i32>isInside() - <i32>insideBefore);
  for (let i = 0; i < activeCount; i++) turn(modelOf(activePiece(i)), -turnsBelow(activePiece(i)));
  if (borderCount === 0 && atBottom === 0) return;
  const end = <i32>max<f64>(0, min<f64>(<f64>columns, ceil(to)));
  for (let pixel = <i32>min<f64>(<f64>columns, max<f64>(0, floor(from))); pixel < end; pixel++) {
    const left = max(from, <f64>pixel);
    const right = min(to, <f64>(pixel + 1));
    let share = atBottom;
    for (let i = 0; i < borderCount; i++) {
      share += load<f64>(borderSigns + (i << 3)) * yAt(load<u32>(borders + (i << 2)), (left + right) / 2);
    }
    addCover(pixel, share * (right - left));
    addCover(pixel + 1, -(share * (right - left)));
  }
}

/** Change of a model's winding number across one of its pieces, from above to below. */
// @ts-ignore: a decorator of AssemblyScript.
@inline
function turnsBelow(piece: usize): i32 {
  return x1(piece) < x0(piece) ? 1 : -1;
}

/** Distance of a piece below the top of the row at x, clamped to the ends of the piece. */
// @ts-ignore: a decorator of AssemblyScript.
@inline
function yAt(piece: usize, x: f64): f64 {
  const share = (x - x0(piece)) / (x1(piece) - x0(piece));
  return share <= 0 ? y0(piece) : share >= 1 ? y1(piece) : y0(piece) + share * (y1(piece) - y0(piece));
}

/** Insertion sort: the pieces are few and mostly in order. */
function sortByHeight(x: f64): void {
  for (let i = 1; i < activeCount; i++) {
    const piece = activePiece(i);
    const y = yAt(piece, x);
    let hole = i;
    for (; hole > 0 && yAt(activePiece(hole - 1), x) > y; hole--) {
      store<u32>(active + (hole << 2), <u32>activePiece(hole - 1));
    }
    store<u32>(active + (hole << 2), <u32>piece);
  }
}
