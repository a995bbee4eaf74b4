import type { Pieces } from "./pieces.ts";
import type { Winding } from "./winding.ts";

/** Columns narrower than this, in pixels, hold nothing. */
export const NARROW = 1e-12;

/** Of the active pieces, the ones that part inside from outside: 1 where it is inside above. */
const parting: number[] = [];
const signs: number[] = [];

/** Adds the columns between two ends, which the active pieces span, cut where those cross. */
export function addColumns(
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

const NONE: readonly number[] = [];

/** Where active pieces cross, ascending. */
function crossingsOf(pieces: Pieces, active: number[], from: number, to: number): readonly number[] {
  if (active.length < 2 || isInOrder(pieces, active, from, to)) return NONE;
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
function isInOrder(pieces: Pieces, active: number[], from: number, to: number): boolean {
  sortByHeight(pieces, active, from);
  for (let i = 1; i < active.length; i++) {
    if (yAt(pieces, active[i - 1], to) > yAt(pieces, active[i], to)) return false;
  }
  return true;
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
function sortByHeight(pieces: Pieces, active: number[], x: number): void {
  for (let i = 1; i < active.length; i++) {
    const piece = active[i];
    const y = yAt(pieces, piece, x);
    let hole = i;
    for (; hole > 0 && yAt(pieces, active[hole - 1], x) > y; hole--) active[hole] = active[hole - 1];
    active[hole] = piece;
  }
}
