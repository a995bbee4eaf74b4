import type { Pieces } from "./pieces.ts";

/** Pieces this near to one another, in pixels, are taken together: more than sorting may misplace them by. */
export const TOUCH = 1e-5;
/** By how much rounding may lengthen the way of an outline that crosses a row from top to bottom, in rows. */
const CROSSED_ONCE = 1e-9;

/**
 * How often a place right of the cluster `members[from]` … `members[to - 1]` is wound around more than one left of it, where
 * that is one outline on its way through the row; 0 where it is not, or turns back.
 */
export function turnsOfCrossing({ y0, y1, models }: Pieces, members: Int32Array, from: number, to: number): number {
  const model = models[members[from]];
  let height = 0;
  let way = 0;
  for (let i = from; i < to; i++) {
    const piece = members[i];
    if (models[piece] !== model) return 0;
    const step = y1[piece] - y0[piece];
    height += step;
    way += step < 0 ? -step : step;
  }
  return way > 1 + CROSSED_ONCE ? 0 : Math.round(height);
}
