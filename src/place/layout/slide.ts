import type { TurnedPart } from "./part.ts";
import { nearby, type Place, settle, type Surroundings } from "./settle.ts";

/** Steps that are tried, the long ones first. */
const STEPS_MM = [2, 0.5, 0.1, 0.02];
/** A step counts while it gains this share of its length; the last one also for less. */
const WORTH = 0.3;
/** Gains below this are rounding. */
const LEAST_GAIN_MM = 1e-6;
const MOST_STEPS = 200;

/** The place that a part comes to when it is pushed along (towardX, towardY), of length 1, and gives way to what it meets. */
export function slide(part: TurnedPart, from: Place, towardX: number, towardY: number, around: Surroundings): Place {
  let place = from;
  let steps = 0;
  for (const step of STEPS_MM) {
    while (steps++ < MOST_STEPS) {
      const near = nearby(part, place, 3 * step, around);
      const pushed = { x: place.x + step * towardX, y: place.y + step * towardY };
      const next = settle(part, pushed, 2 * step, near);
      const gain = next ? (next.x - place.x) * towardX + (next.y - place.y) * towardY : 0;
      if (!next || gain < LEAST_GAIN_MM) break;
      place = next;
      if (gain < WORTH * step) break;
    }
  }
  return place;
}
