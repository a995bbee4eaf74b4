import { add, cross, dot, subtract, times, type Vec3 } from "../../core/geometry.ts";
import { firstHit } from "../../mesh/bvh/first-hit.ts";
import type { Surface } from "../../mesh/mesh.ts";
import { type Ball, isSteep } from "./ball.ts";
import { GAP_MM, TIP_LENGTHS_MM } from "./measures.ts";
import { type Route, routeOf } from "./route.ts";
import { type Space, strutFits } from "./space.ts";
import { tipFits, touchBall } from "./tips.ts";

/** Sines of the steepest face that a foot may stand on: it looks up by 30° at least. */
const LEAST_UP = 0.5;
const LEANS_MM = [1.5, 3, 5];
const SIDES = 16;
/** Straight down first, then aside: rounded, for engines differ in a sine's last bits. */
const OFFSETS: readonly (readonly [x: number, y: number])[] = [
  [0, 0],
  ...LEANS_MM.flatMap((lean) =>
    Array.from({ length: SIDES }, (_, i): [number, number] => {
      const angle = (2 * Math.PI * i) / SIDES;
      return [lean * Math.fround(Math.cos(angle)), lean * Math.fround(Math.sin(angle))];
    }),
  ),
];

/** The way of a branch to the nearest face of the model below it that a small foot, a tip upside down, can stand on. */
export function routeToModel(space: Space, start: Ball, touchMm: number): Route | undefined {
  const [x, y, z] = start.place;
  for (const [dx, dy] of OFFSETS) {
    const knee: Ball = { place: [x + dx, y + dy, z - Math.sqrt(dx * dx + dy * dy)], radiusMm: start.radiusMm };
    const isAside = dx !== 0 || dy !== 0;
    if (knee.place[2] <= space.groundMm || (isAside && !strutFits(space, start, knee, GAP_MM))) continue;
    const foot = footBelow(space, knee, touchMm);
    if (foot) return routeOf(start, isAside ? [knee, ...foot] : foot, "MODEL");
  }
  return undefined;
}

/** The ball where the foot begins and the one that enters the model. */
function footBelow(space: Space, above: Ball, touchMm: number): [Ball, Ball] | undefined {
  const hit = firstHit(space.facets, above.place, [0, 0, -1], above.place[2] - space.groundMm);
  if (!hit) return undefined;
  const normal = normalOf(space.surface, hit.facet);
  if (!(normal[2] >= LEAST_UP)) return undefined;
  const touch = touchBall({ position: add(above.place, [0, 0, -hit.along]), normal }, touchMm);
  for (const lengthMm of TIP_LENGTHS_MM.toReversed()) {
    const end: Ball = { place: add(touch.place, [0, 0, lengthMm]), radiusMm: above.radiusMm };
    if (!isSteep(above.place, end.place) || !tipFits(space, touch, end, lengthMm, normal[2])) continue;
    if (strutFits(space, above, end, GAP_MM)) return [end, touch];
  }
  return undefined;
}

function normalOf({ vertices, triangles }: Surface, facet: number): Vec3 {
  const corner = (i: number): Vec3 => {
    const at = 3 * triangles[3 * facet + i];
    return [vertices[at], vertices[at + 1], vertices[at + 2]];
  };
  const normal = cross(subtract(corner(1), corner(0)), subtract(corner(2), corner(0)));
  // Square roots are the same in every engine, `Math.hypot` is not.
  const area = Math.sqrt(dot(normal, normal));
  return area > 0 ? times(normal, 1 / area) : normal;
}
