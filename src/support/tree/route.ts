import type { Vec3 } from "../../core/geometry.ts";
import { type Ball, distanceMm, isSteep } from "./ball.ts";
import { descentOf } from "./descent.ts";
import { footRadiusFor, GAP_MM } from "./measures.ts";
import { type Space, strutFits } from "./space.ts";

/** How a branch goes on to where it ends: the balls after its own, the foot last. */
export interface Route {
  readonly balls: readonly Ball[];
  readonly on: "GROUND" | "MODEL";
  readonly lengthMm: number;
}

export function routeOf(start: Ball, balls: readonly Ball[], on: Route["on"]): Route {
  let lengthMm = 0;
  let last = start.place;
  for (const { place } of balls) {
    lengthMm += distanceMm(last, place);
    last = place;
  }
  return { balls, on, lengthMm };
}

/** The way of a branch to the ground: straight down, else around the model. */
export function routeToGround(space: Space, start: Ball): Route | undefined {
  const foot = footBelow(space, start);
  if (foot) return routeOf(start, [foot], "GROUND");
  const places = descentOf(space).from(start.place);
  if (!places) return undefined;
  const balls = straightened(space, start, places);
  return balls && routeOf(start, balls, "GROUND");
}

/** The foot of an upright pillar: as wide as its height asks for, else as wide as the pillar, where that has room. */
function footBelow(space: Space, start: Ball): Ball | undefined {
  const [x, y, z] = start.place;
  const place: Vec3 = [x, y, space.groundMm];
  const wide = footRadiusFor(start.radiusMm, z - space.groundMm);
  for (const radiusMm of wide > start.radiusMm ? [wide, start.radiusMm] : [wide]) {
    if (strutFits(space, start, { place, radiusMm }, GAP_MM)) return { place, radiusMm };
  }
  return undefined;
}

/** The fewest of the places, greedily, that still make a way for a pillar; the last one, below, is found anew. */
function straightened(space: Space, start: Ball, places: readonly Vec3[]): Ball[] | undefined {
  const balls: Ball[] = [];
  const { radiusMm } = start;
  const leads = (from: Ball, to: number): boolean =>
    isSteep(from.place, places[to]) && strutFits(space, from, { place: places[to], radiusMm }, GAP_MM);
  let last = start;
  for (let next = 0; next < places.length;) {
    let reach = 1;
    while (next + 2 * reach <= places.length && leads(last, next + 2 * reach - 1)) reach *= 2;
    let to = next + reach - 1;
    for (let step = reach >> 1; step > 0; step >>= 1) {
      if (to + step < places.length && leads(last, to + step)) to += step;
    }
    if (!leads(last, to)) return undefined;
    last = { place: places[to], radiusMm };
    balls.push(last);
    const foot = footBelow(space, last);
    if (foot) return [...balls, foot];
    next = to + 1;
  }
  return undefined;
}
