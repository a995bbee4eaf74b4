import { deposit } from "./deposit.ts";
import type { Pieces } from "./pieces.ts";
import type { Winding } from "./winding.ts";

/** Columns narrower than this, in pixels, hold nothing. */
const NARROW = 1e-12;

/** Where a piece meets the top of its row: from there on to the right, its model winds otherwise at the top. */
interface TopTouch {
  readonly x: number;
  readonly model: number;
  readonly turns: number;
}

/**
 * Adds the cover of pieces of outline that may cross one another, within one row. `members` are in the order of their left
 * ends. Between all ends, crossings and borders of pixels the row falls into columns in which the pieces lie one above
 * another, so that each column's drawn share is a sum of trapezoids. `winding` is that left of the pieces, and comes out
 * as that right of them.
 */
export function resolveOverlap(
  pieces: Pieces,
  members: Int32Array,
  right: number,
  winding: Winding,
  cover: Float64Array,
): void {
  const { x0, x1 } = pieces;
  const ends = endsOf(pieces, members);
  const touches = topTouchesOf(pieces, members);
  const isInsideBefore = winding.isInside;
  const active: number[] = [];
  let next = 0;
  let touch = 0;
  for (let i = 0; i + 1 < ends.length; i++) {
    const from = ends[i];
    const to = ends[i + 1];
    if (to - from <= NARROW) continue;
    for (; touch < touches.length && touches[touch].x <= from; touch++)
      winding.turn(touches[touch].model, touches[touch].turns);
    for (; next < members.length && Math.min(x0[members[next]], x1[members[next]]) <= from; next++)
      active.push(members[next]);
    let kept = 0;
    for (const piece of active) if (Math.max(x0[piece], x1[piece]) >= to) active[kept++] = piece;
    active.length = kept;
    addColumns(pieces, active, from, to, winding, isInsideBefore, cover);
  }
  for (; touch < touches.length; touch++) winding.turn(touches[touch].model, touches[touch].turns);
  deposit(cover, right, right, (winding.isInside ? 1 : 0) - (isInsideBefore ? 1 : 0));
}

/** The places at which pieces begin and end, ascending. */
function endsOf({ x0, x1 }: Pieces, members: Int32Array): Float64Array {
  const ends = new Float64Array(2 * members.length);
  for (let i = 0; i < members.length; i++) {
    ends[2 * i] = x0[members[i]];
    ends[2 * i + 1] = x1[members[i]];
  }
  return ends.sort();
}

/** From left to right. */
function topTouchesOf({ x0, y0, x1, y1, models }: Pieces, members: Int32Array): TopTouch[] {
  const touches: TopTouch[] = [];
  for (const piece of members) {
    const model = models[piece];
    if (y0[piece] === 0 && y1[piece] > 0) touches.push({ x: x0[piece], model, turns: 1 });
    else if (y1[piece] === 0 && y0[piece] > 0) touches.push({ x: x1[piece], model, turns: -1 });
  }
  return touches.sort((a, b) => a.x - b.x);
}

/** Adds the columns between two ends, which the active pieces span, cut where those cross. */
function addColumns(
  pieces: Pieces,
  active: number[],
  from: number,
  to: number,
  winding: Winding,
  isInsideBefore: boolean,
  cover: Float64Array,
): void {
  let start = from;
  for (const crossing of crossingsOf(pieces, active, from, to)) {
    addStrip(pieces, active, start, crossing, winding, isInsideBefore, cover);
    start = crossing;
  }
  addStrip(pieces, active, start, to, winding, isInsideBefore, cover);
}

/** Where pieces cross, ascending. */
function crossingsOf(pieces: Pieces, active: readonly number[], from: number, to: number): number[] {
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
  return found.length > 1 ? found.sort((a, b) => a - b) : found;
}

/** Adds a strip in which the active pieces do not cross. What is drawn above a height changes by 1 at each that parts. */
function addStrip(
  pieces: Pieces,
  active: number[],
  from: number,
  to: number,
  winding: Winding,
  isInsideBefore: boolean,
  cover: Float64Array,
): void {
  if (to - from <= NARROW) return;
  sortByHeight(pieces, active, (from + to) / 2);
  const parting: number[] = [];
  const signs: number[] = [];
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
function sortByHeight(pieces: Pieces, active: number[], x: number): void {
  for (let i = 1; i < active.length; i++) {
    const piece = active[i];
    const y = yAt(pieces, piece, x);
    let hole = i;
    for (; hole > 0 && yAt(pieces, active[hole - 1], x) > y; hole--) active[hole] = active[hole - 1];
    active[hole] = piece;
  }
}
