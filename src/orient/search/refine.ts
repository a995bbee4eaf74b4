import { add, cross, dot, type Mat3, times, unit, type Vec3 } from "../../core/geometry.ts";

/** A direction and what it costs. */
export interface Choice {
  readonly up: Vec3;
  readonly cost: number;
}

/** Eight ways about a direction, all round, as shares of its two sideways directions. */
const DIAGONAL = Math.SQRT1_2;
const WAYS = [
  [1, 0],
  [DIAGONAL, DIAGONAL],
  [0, 1],
  [-DIAGONAL, DIAGONAL],
  [-1, 0],
  [-DIAGONAL, -DIAGONAL],
  [0, -1],
  [DIAGONAL, -DIAGONAL],
] as const;
/** The way that led down before leads down again as a rule, and then those beside it. */
const TURNS = [0, 1, 7, 2, 6, 3, 5, 4] as const;
/** Moves of one length before a shorter one is tried: costs fall into valleys that wind. */
const MOST_MOVES = 6;
/** Less is rounding. */
const LEAST_GAIN = 1e-9;

/**
 * Walks downhill from a direction, by steps of `fromRad` that are halved whenever no way leads down, until they are shorter than
 * `toRad`. Sideways directions follow the part's axes.
 */
export function refine(
  start: Choice,
  axes: Mat3,
  costOf: (up: Vec3) => number,
  fromRad: number,
  toRad: number,
): Choice {
  let best = start;
  let way = 0;
  for (let step = fromRad; step >= toRad; step /= 2) {
    for (let move = 0; move < MOST_MOVES; move++) {
      const [a, b] = sideways(best.up, axes);
      const better = TURNS.map((turn) => (way + turn) % WAYS.length).find((next) => {
        const [i, j] = WAYS[next];
        const up = unit(add(best.up, add(times(a, i * step), times(b, j * step))));
        const cost = costOf(up);
        if (cost >= best.cost - LEAST_GAIN) return false;
        best = { up, cost };
        return true;
      });
      if (better === undefined) break;
      way = better;
    }
  }
  return best;
}

function sideways(up: Vec3, axes: Mat3): [Vec3, Vec3] {
  const rows: Vec3[] = [0, 3, 6].map((at) => [axes[at], axes[at + 1], axes[at + 2]]);
  const along = rows.reduce((least, row) => (Math.abs(dot(row, up)) < Math.abs(dot(least, up)) ? row : least));
  const a = unit(cross(up, along));
  return [a, cross(up, a)];
}
