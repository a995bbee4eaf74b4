import { type Mat3, type Vec3, add, times, unit } from "../geometry/vector.ts";
import { tangentsOf } from "./tilts.ts";

/** A cost of printing the part with a direction pointing up. */
export type DirectionCost = (up: Vec3) => number;

/** A direction of the part and the cost of printing the part with it pointing up. */
export interface CostedDirection {
  readonly up: Vec3;
  readonly cost: number;
}

/** Steps to the eight neighbours of a direction, in its two tangents. */
const DIAGONAL = Math.SQRT1_2;
const TANGENT_STEPS = [
  [1, 0],
  [DIAGONAL, DIAGONAL],
  [0, 1],
  [-DIAGONAL, DIAGONAL],
  [-1, 0],
  [-DIAGONAL, -DIAGONAL],
  [0, -1],
  [DIAGONAL, -DIAGONAL],
] as const;
/** Order in which steps are tried relative to the last successful one: the same step first, then its neighbours. */
const STEP_ORDER = [0, 1, 7, 2, 6, 3, 5, 4] as const;
/** Number of steps of one length before it is halved: valleys of the cost are curved. */
const MAX_MOVES = 6;
/** A smaller gain is a rounding error. */
const MIN_GAIN = 1e-9;

export interface LocalSearch {
  readonly costOf: DirectionCost;
  /** Accepts a direction; without it all are accepted. */
  readonly fits?: (up: Vec3) => boolean;
  /** Length of the first step and least length of the last. */
  readonly fromRad: number;
  readonly toRad: number;
}

/**
 * A local search (pattern search) from a direction to a direction of lower cost, by steps of `fromRad`, which are halved where none
 * improves until they are shorter than `toRad`. The tangents depend on the axes of the part only.
 */
export function refineDirection(
  start: CostedDirection,
  axes: Mat3,
  { costOf: cost, fits, fromRad, toRad }: LocalSearch,
): CostedDirection {
  let best = start;
  let heading = 0;
  for (let step = fromRad; step >= toRad; step /= 2) {
    for (let move = 0; move < MAX_MOVES; move++) {
      const [a, b] = tangentsOf(best.up, axes);
      const better = STEP_ORDER.map((turn) => (heading + turn) % TANGENT_STEPS.length).find((next) => {
        const [i, j] = TANGENT_STEPS[next];
        const up = unit(add(best.up, add(times(a, i * step), times(b, j * step))));
        const found = cost(up);
        if (found >= best.cost - MIN_GAIN || fits?.(up) === false) return false;
        best = { up, cost: found };
        return true;
      });
      if (better === undefined) break;
      heading = better;
    }
  }
  return best;
}
