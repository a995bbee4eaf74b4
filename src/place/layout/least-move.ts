/** A half-plane of moves: those m with x · m.x + y · m.y ≥ least. (x, y) is of length 1. */
export interface Limit {
  readonly x: number;
  readonly y: number;
  readonly least: number;
}

export interface Move {
  readonly x: number;
  readonly y: number;
}

/** Far below any tolerance of a layout, far above rounding. */
const SLACK_MM = 1e-9;
/** Directions closer than this count as one: the limit that asks for more stands for both. */
const SAME_DIRECTION = 1 - 1e-7;
/** Limits that are looked at, those that ask for most first. */
const MOST_LIMITS = 24;

/** The shortest move within all limits; undefined where there is none. At most two limits pin it. */
export function leastMove(limits: readonly Limit[]): Move | undefined {
  const kept = distinct(limits);
  let best: Move | undefined;
  let least = Infinity;
  const consider = (x: number, y: number): void => {
    const square = x * x + y * y;
    if (square >= least || kept.some((limit) => limit.x * x + limit.y * y < limit.least - SLACK_MM)) return;
    [best, least] = [{ x, y }, square];
  };
  consider(0, 0);
  if (best) return best;
  for (const [i, a] of kept.entries()) {
    consider(a.x * a.least, a.y * a.least);
    for (const b of kept.slice(0, i)) {
      const across = a.x * b.y - a.y * b.x;
      if (Math.abs(across) > SLACK_MM) {
        consider((a.least * b.y - b.least * a.y) / across, (b.least * a.x - a.least * b.x) / across);
      }
    }
  }
  return best;
}

function distinct(limits: readonly Limit[]): Limit[] {
  const kept: Limit[] = [];
  for (const limit of limits.toSorted((a, b) => b.least - a.least)) {
    if (kept.length === MOST_LIMITS) break;
    if (!kept.some(({ x, y }) => x * limit.x + y * limit.y > SAME_DIRECTION)) kept.push(limit);
  }
  return kept;
}
