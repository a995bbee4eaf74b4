import { grown } from "../../mesh/grown.ts";
import { deposit } from "./deposit.ts";
import type { Pieces } from "./pieces.ts";
import { sortByLeft } from "./sort-pieces.ts";
import type { Winding } from "./winding.ts";

/** Columns narrower than this, in pixels, hold nothing. */
const NARROW = 1e-12;

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
/** Of those, the ones that part inside from outside: 1 where it is inside above. */
const parting: number[] = [];
const signs: number[] = [];

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
    addColumns(pieces, from, to, winding, isInsideBefore, cover);
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

/** Adds the columns between two ends, which the active pieces span, cut where those cross. */
function addColumns(
  pieces: Pieces,
  from: number,
  to: number,
  winding: Winding,
  isInsideBefore: boolean,
  cover: Float64Array,
): void {
  let start = from;
  for (const crossing of crossingsOf(pieces, from, to)) {
    addStrip(pieces, start, crossing, winding, isInsideBefore, cover);
    start = crossing;
  }
  addStrip(pieces, start, to, winding, isInsideBefore, cover);
}

const NONE: readonly number[] = [];

/** Where active pieces cross, ascending. */
function crossingsOf(pieces: Pieces, from: number, to: number): readonly number[] {
  if (active.length < 2 || isInOrder(pieces, from, to)) return NONE;
  const found: number[] = [];
  for (let i = 0; i < active.length; i++) {
    const startY = yAt(pieces, active[i], from);
    const endY = yAt(pieces, active[i], to);
    for (let j = i + 1; j < active.length; j++) {
      const before = startY - yAt(pieces, active[j], from);
      const after = endY - yAt(pieces, active[j], to);
      if (before * after < 0) found.push(from + ((to - from) * before) / (before - after));
    }
  }
  return found.sort((a, b) => a - b);
}

/** Whether the active pieces lie above one another at `to` as they do at `from`; they are sorted by their heights there. */
function isInOrder(pieces: Pieces, from: number, to: number): boolean {
  sortByHeight(pieces, from);
  for (let i = 1; i < active.length; i++) {
    if (yAt(pieces, active[i - 1], to) > yAt(pieces, active[i], to)) return false;
  }
  return true;
}

/** Adds a strip in which the active pieces do not cross. What is drawn above a height changes by 1 at each that parts. */
function addStrip(
  pieces: Pieces,
  from: number,
  to: number,
  winding: Winding,
  isInsideBefore: boolean,
  cover: Float64Array,
): void {
  if (to - from <= NARROW) return;
  sortByHeight(pieces, (from + to) / 2);
  parting.length = 0;
  signs.length = 0;
  for (const piece of active) {
    const before = winding.isInside;
    winding.turn(pieces.models[piece], turnsBelow(pieces, piece));
    const after = winding.isInside;
    if (before === after) continue;
    parting.push(piece);
    signs.push(after ? -1 : 1);
  }
  const usual = (winding.isInside ? 1 : 0) - (isInsideBefore ? 1 : 0);
  for (const piece of active) winding.turn(pieces.models[piece], -turnsBelow(pieces, piece));
  if (parting.length === 0 && usual === 0) return;
  const end = Math.min(cover.length - 2, Math.ceil(to));
  for (let pixel = Math.max(0, Math.floor(from)); pixel < end; pixel++) {
    const left = Math.max(from, pixel);
    const right = Math.min(to, pixel + 1);
    let share = usual;
    for (let i = 0; i < parting.length; i++) share += signs[i] * yAt(pieces, parting[i], (left + right) / 2);
    cover[pixel] += share * (right - left);
    cover[pixel + 1] -= share * (right - left);
  }
}

/** How a model's winding changes from above one of its pieces to below. */
const turnsBelow = ({ x0, x1 }: Pieces, piece: number): number => (x1[piece] < x0[piece] ? 1 : -1);

/** How far below the row's top a piece is at x; within its ends, whatever rounding does. */
function yAt({ x0, x1, y0, y1 }: Pieces, piece: number, x: number): number {
  const share = (x - x0[piece]) / (x1[piece] - x0[piece]);
  return share <= 0 ? y0[piece] : share >= 1 ? y1[piece] : y0[piece] + share * (y1[piece] - y0[piece]);
}

/** By insertion: there are few, and mostly they are in order. */
function sortByHeight(pieces: Pieces, x: number): void {
  for (let i = 1; i < active.length; i++) {
    const piece = active[i];
    const y = yAt(pieces, piece, x);
    let hole = i;
    for (; hole > 0 && yAt(pieces, active[hole - 1], x) > y; hole--) active[hole] = active[hole - 1];
    active[hole] = piece;
  }
}
