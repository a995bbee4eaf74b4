import { grown } from "../../mesh/grown.ts";
import { addColumns, NARROW } from "./add-columns.ts";
import { deposit } from "./deposit.ts";
import type { Pieces } from "./pieces.ts";
import { sortByLeft } from "./sort-pieces.ts";
import type { Winding } from "./winding.ts";

/** Up to so many numbers, an insertion sort is the fastest. */
const FEW = 32;

// Clusters are many and mostly small: their lists are kept from one to the next, so that no garbage piles up.

/** Places at which pieces begin and end, ascending. */
let ends = new Float64Array(64);
/** The pieces that meet the top of the row and where, from left to right. Right of one, its model winds otherwise there. */
let touching = new Int32Array(64);
let touchingXs = new Float64Array(64);
/** The pieces over the present place, from the top down. */
const active: number[] = [];

/**
 * Adds the cover of pieces of outline that may cross one another, within one row. `members` are in the order of their left
 * ends. Between all ends, crossings and borders of pixels the row falls into columns in which the pieces lie one above
 * another, so that each column's drawn share is a sum of trapezoids. `winding` is that left of the pieces, and comes out
 * as that right of them, at `right`.
 */
export function resolveOverlap(
  pieces: Pieces,
  members: Int32Array,
  right: number,
  winding: Winding,
  cover: Float64Array,
): void {
  const { x0, x1 } = pieces;
  const endCount = gatherEnds(pieces, members);
  const touchCount = gatherTouching(pieces, members);
  const isInsideBefore = winding.isInside;
  active.length = 0;
  let next = 0;
  let touch = 0;
  for (let i = 0; i + 1 < endCount; i++) {
    const from = ends[i];
    const to = ends[i + 1];
    if (to - from <= NARROW) continue;
    for (; touch < touchCount && touchingXs[touch] <= from; touch++) turnAtTop(pieces, touching[touch], winding);
    for (; next < members.length && Math.min(x0[members[next]], x1[members[next]]) <= from; next++)
      active.push(members[next]);
    let kept = 0;
    for (const piece of active) if (Math.max(x0[piece], x1[piece]) >= to) active[kept++] = piece;
    active.length = kept;
    addColumns(pieces, active, from, to, winding, isInsideBefore, cover);
  }
  for (; touch < touchCount; touch++) turnAtTop(pieces, touching[touch], winding);
  deposit(cover, right, right, (winding.isInside ? 1 : 0) - (isInsideBefore ? 1 : 0));
}

function gatherEnds({ x0, x1 }: Pieces, members: Int32Array): number {
  const count = 2 * members.length;
  ends = grown(ends, count);
  for (let i = 0; i < members.length; i++) {
    ends[2 * i] = x0[members[i]];
    ends[2 * i + 1] = x1[members[i]];
  }
  if (count > FEW) ends.subarray(0, count).sort();
  else insertionSort(ends, count);
  return count;
}

function insertionSort(numbers: Float64Array, count: number): void {
  for (let i = 1; i < count; i++) {
    const number = numbers[i];
    let hole = i;
    for (; hole > 0 && numbers[hole - 1] > number; hole--) numbers[hole] = numbers[hole - 1];
    numbers[hole] = number;
  }
}

function gatherTouching({ x0, y0, x1, y1 }: Pieces, members: Int32Array): number {
  touching = grown(touching, members.length);
  touchingXs = grown(touchingXs, members.length);
  let count = 0;
  for (const piece of members) {
    if (y0[piece] === y1[piece] || (y0[piece] !== 0 && y1[piece] !== 0)) continue;
    touching[count] = piece;
    touchingXs[count++] = y0[piece] === 0 ? x0[piece] : x1[piece];
  }
  sortByLeft(touchingXs, touching, count);
  return count;
}

const turnAtTop = ({ y0, models }: Pieces, piece: number, winding: Winding): void =>
  winding.turn(models[piece], y0[piece] === 0 ? 1 : -1);
