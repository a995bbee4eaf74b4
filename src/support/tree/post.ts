import type { Vec3 } from "../../core/geometry.ts";
import { firstHit } from "../../mesh/bvh/first-hit.ts";
import type { Touchpoint } from "../touchpoint.ts";
import type { Ball } from "./ball.ts";
import { endRadius, touchBall } from "./tips.ts";
import { ballFits, type Space } from "./space.ts";

/** What stands nearer to the ground than this has no room for a tip. */
const LOW_MM = 1.2;
/** What stands no higher than this stands on the ground. */
const HAIR_MM = 0.05;

/** What holds a touchpoint close to the ground: a short straight post, or, on the ground itself, its foot alone. */
export interface Post {
  readonly top: Ball;
  readonly foot?: Ball;
}

/** The post of a touchpoint that is too low for a tip; none where it is not, or where the model is below it. */
export function postBelow(space: Space, touchpoint: Touchpoint, sizeMm: number): Post | undefined {
  const { position } = touchpoint;
  const heightMm = position[2] - space.groundMm;
  if (heightMm > LOW_MM) return undefined;
  const ground = (place: Vec3): Vec3 => [place[0], place[1], space.groundMm];
  if (heightMm <= HAIR_MM) {
    const top = { place: ground(position), radiusMm: sizeMm / 2 };
    return ballFits(space, top) ? { top } : undefined;
  }
  const touch = touchBall(touchpoint, sizeMm);
  // No wider than it is high: its foot stays below a surface that rises from the touch.
  const foot = { place: ground(touch.place), radiusMm: Math.min(endRadius(touch), Math.max(sizeMm / 2, heightMm)) };
  const top = { ...touch, place: [touch.place[0], touch.place[1], Math.max(touch.place[2], space.groundMm)] as const };
  if (!ballFits(space, foot) || firstHit(space.facets, top.place, [0, 0, -1], top.place[2] - space.groundMm))
    return undefined;
  return top.place[2] > space.groundMm ? { top, foot } : { top };
}
