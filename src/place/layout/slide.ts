import type { TurnedPart } from "./part.ts";
import { nearby, type Place, settle, type Surroundings } from "./settle.ts";

/** Steps that are tried, the long ones first. */
const STEPS_MM = [2, 0.5, 0.1, 0.02];
/** A step counts while it gains this share of its length; the last one also for less. */
const WORTH = 0.3;
/** Gains below this are rounding. */
const LEAST_GAIN_MM = 1e-6;
const MOST_STEPS = 200;

/** A direction, of length 1. */
export type Towards = readonly [x: number, y: number];

/**
 * The place that a part comes to when it is pushed `towards` and gives way to what it meets. It never gives back what it has
 * gained along `kept`: a part pushed down into a gap is not pushed out of it again from the side.
 */
export function slide(part: TurnedPart, from: Place, towards: Towards, around: Surroundings, kept?: Towards): Place {
  let place = from;
  let steps = 0;
  for (const step of STEPS_MM) {
    while (steps++ < MOST_STEPS) {
      const near = nearby(part, place, 3 * step, around);
      const pushed = { x: place.x + step * towards[0], y: place.y + step * towards[1] };
      const next = settle(part, pushed, 2 * step, near);
      const gain = next ? along(towards, place, next) : 0;
      if (!next || gain < LEAST_GAIN_MM || (kept && along(kept, from, next) < -LEAST_GAIN_MM)) break;
      place = next;
      if (gain < WORTH * step) break;
    }
  }
  return place;
}

const along = ([x, y]: Towards, from: Place, to: Place): number => (to.x - from.x) * x + (to.y - from.y) * y;
