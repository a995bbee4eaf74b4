import { type Ball, type Vec3, add, cosSin, distance, exactLength, times } from "../../geometry/vector.ts";
import { raycast } from "../../mesh/bvh/raycast.ts";
import { facetNormal } from "../../mesh/mesh.ts";
import { type RoutingSpace, strutFits } from "./clearance.ts";
import { pathToGround } from "./path-to-ground.ts";
import { CLEARANCE_MM, TIP_LENGTHS_MM, footRadius, isSteep } from "./support-tree.ts";
import { tipFits, touchBall } from "./tips.ts";

/** The lower part of a branch: the balls after its own, the foot last. */
export interface Route {
  readonly balls: readonly Ball[];
  readonly on: "GROUND" | "MODEL";
  readonly lengthMm: number;
}

/** A route from a ball through others. */
export function newRoute(start: Ball, balls: readonly Ball[], on: Route["on"]): Route {
  let lengthMm = 0;
  let last = start.centre;
  for (const { centre } of balls) {
    lengthMm += distance(last, centre);
    last = centre;
  }
  return { balls, on, lengthMm };
}

/** The route from a ball to the ground: straight down, else around the model; undefined where there is none. */
export function routeToGround(space: RoutingSpace, start: Ball): Route | undefined {
  const foot = footOnGround(space, start);
  if (foot) return newRoute(start, [foot], "GROUND");
  const path = pathToGround(space, start.centre);
  const balls = path && shortcutPath(space, start, path);
  return balls && newRoute(start, balls, "GROUND");
}

/** The foot of a vertical pillar: as wide as its height asks for, else as wide as its top, if that fits. */
function footOnGround(space: RoutingSpace, start: Ball): Ball | undefined {
  const [x, y, z] = start.centre;
  const centre: Vec3 = [x, y, space.groundMm];
  const wideMm = footRadius(start.radiusMm, z - space.groundMm);
  for (const radiusMm of wideMm > start.radiusMm ? [wideMm, start.radiusMm] : [wideMm]) {
    if (strutFits(space, start, { centre, radiusMm }, CLEARANCE_MM)) return { centre, radiusMm };
  }
  return undefined;
}

/**
 * Greedily drops nodes of a path while the pillar still fits, by doubling and halving the length of each shortcut. Ends
 * with the first foot that fits below a node; undefined where there is none.
 */
function shortcutPath(space: RoutingSpace, start: Ball, path: readonly Vec3[]): Ball[] | undefined {
  const balls: Ball[] = [];
  const { radiusMm } = start;
  const canReach = (from: Ball, to: number): boolean =>
    isSteep(from.centre, path[to]) && strutFits(space, from, { centre: path[to], radiusMm }, CLEARANCE_MM);
  let last = start;
  for (let next = 0; next < path.length;) {
    let reach = 1;
    while (next + 2 * reach <= path.length && canReach(last, next + 2 * reach - 1)) reach *= 2;
    let to = next + reach - 1;
    for (let step = reach >> 1; step > 0; step >>= 1) {
      if (to + step < path.length && canReach(last, to + step)) to += step;
    }
    if (!canReach(last, to)) return undefined;
    last = { centre: path[to], radiusMm };
    balls.push(last);
    const foot = footOnGround(space, last);
    if (foot) return [...balls, foot];
    next = to + 1;
  }
  return undefined;
}

/** Least vertical component of the unit normal of a face below a foot: at most 60° from horizontal. */
const MIN_NORMAL_Z = 0.5;
const SIDES = 16;
/** Horizontal offsets of a foot on the model: straight below first, then to all sides. */
const FOOT_OFFSETS: readonly (readonly [x: number, y: number])[] = [
  [0, 0],
  ...[1.5, 3, 5].flatMap((offsetMm) =>
    Array.from({ length: SIDES }, (_, i): [number, number] => {
      const [cos, sin] = cosSin((2 * Math.PI * i) / SIDES);
      return [offsetMm * cos, offsetMm * sin];
    }),
  ),
];

/** The route from a ball to the nearest face of the model below on which a small foot, an inverted tip, is possible. */
export function routeToModel(space: RoutingSpace, start: Ball, touchMm: number): Route | undefined {
  const [x, y, z] = start.centre;
  for (const [dx, dy] of FOOT_OFFSETS) {
    const knee: Ball = { centre: [x + dx, y + dy, z - Math.sqrt(dx * dx + dy * dy)], radiusMm: start.radiusMm };
    const isAside = dx !== 0 || dy !== 0;
    if (knee.centre[2] <= space.groundMm || (isAside && !strutFits(space, start, knee, CLEARANCE_MM))) continue;
    const foot = footOnModel(space, knee, touchMm);
    if (foot) return newRoute(start, isAside ? [knee, ...foot] : foot, "MODEL");
  }
  return undefined;
}

/** The ball at which the foot begins and the ball that enters the model. */
function footOnModel(space: RoutingSpace, above: Ball, touchMm: number): [Ball, Ball] | undefined {
  const hit = raycast(space.bvh, above.centre, [0, 0, -1], above.centre[2] - space.groundMm);
  if (!hit) return undefined;
  const areaNormal = facetNormal(space.surface, hit.facet);
  const normal = times(areaNormal, 1 / exactLength(areaNormal));
  // The normal of a facet without area is NaN.
  if (!(normal[2] >= MIN_NORMAL_Z)) return undefined;
  const position = add(above.centre, [0, 0, -hit.along]);
  if (space.isBarred?.({ position, normal })) return undefined;
  const touch = touchBall({ position, normal }, touchMm);
  for (const lengthMm of TIP_LENGTHS_MM.toReversed()) {
    const end: Ball = { centre: add(touch.centre, [0, 0, lengthMm]), radiusMm: above.radiusMm };
    if (!isSteep(above.centre, end.centre) || !tipFits(space, touch, end, lengthMm, normal[2])) continue;
    if (strutFits(space, above, end, CLEARANCE_MM)) return [end, touch];
  }
  return undefined;
}
