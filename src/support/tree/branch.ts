import { type Ball, distanceMm } from "./ball.ts";
import { radiusFor } from "./measures.ts";
import type { Route } from "./route.ts";
import { addStrut, type Sketch } from "./sketch.ts";

/** A pillar's upper part: what hangs on it is settled, how it goes on from its ball is not. */
export interface Branch {
  /** The number of `ball` in the sketch. */
  readonly node: number;
  readonly ball: Ball;
  /** Touchpoints that it carries. */
  readonly load: number;
  /** How it goes on unless it meets another. */
  readonly route: Route;
}

/**
 * What a pillar under so many touchpoints takes, mm³ for each mm. Trunks widen towards their feet: that is left out.
 */
export function sectionFor(load: number): number {
  const radiusMm = radiusFor(load);
  return Math.PI * radiusMm * radiusMm;
}

/** What the rest of a branch takes if it goes its own way, mm³. */
export const restOf = ({ load, route }: Branch): number => sectionFor(load) * route.lengthMm;

/** Adds the branch's own way to the sketch, down to its foot. */
export function settle(sketch: Sketch, { node, ball, route }: Branch): void {
  let last = node;
  let from = ball;
  route.balls.forEach((next, i) => {
    const isFootTip = route.on === "MODEL" && i === route.balls.length - 1;
    if (distanceMm(from.place, next.place) === 0) return;
    last = addStrut(sketch, last, next, isFootTip ? "TIP" : "PILLAR");
    from = next;
  });
  sketch.feet.push({ node: last, on: route.on });
}
