import { type Vec3, add, distance, matrixRow, times } from "../../geometry/vector.ts";
import { viewMatrix } from "../../render/camera.ts";
import { type Orbit, type Pixel, type PictureSize, projected } from "./orbit.ts";
import { type Pickable, pickBody } from "./picks.ts";
import { isKept } from "./shown-state.ts";
import type { ShownPoint, ShownStrut } from "./view.ts";

/** How far outside the surface the line of sight to a point ends, mm: a point is on the surface within single precision. */
const OUTSET_MM = 0.01;

/** What the viewer sees. */
interface Sight {
  readonly orbit: Orbit;
  readonly size: PictureSize;
  /** All bodies; supports hide nothing. */
  readonly bodies: Pickable;
  readonly struts: readonly ShownStrut[];
}

/**
 * The keys of the support points in a rectangle of the picture, given by two opposite corners, that are visible: no part hides the point, or the foot
 * of its tip, from the viewer.
 */
export function visiblePointsWithin(
  [a, b]: readonly [Pixel, Pixel],
  points: readonly Pick<ShownPoint, "key" | "point" | "normal">[],
  { orbit, size, bodies, struts }: Sight,
): number[] {
  const [left, right] = [Math.min(a.x, b.x), Math.max(a.x, b.x)];
  const [top, bottom] = [Math.min(a.y, b.y), Math.max(a.y, b.y)];
  const within = points.filter(({ point }) => {
    const { x, y } = projected(orbit, point, size);
    return x >= left && x <= right && y >= top && y <= bottom && isKept(bodies.cuts, point);
  });
  const toward = matrixRow(viewMatrix(orbit), 2);
  const parts = withoutSupports(bodies);
  const isSeen = (place: Vec3): boolean => !pickBody({ origin: place, direction: toward }, parts);
  const tips = struts.filter(([, , , , , , , , kind]) => kind === "TIP");
  return within
    .filter(({ point, normal }) => {
      if (isSeen(add(point, times(normal, OUTSET_MM)))) return true;
      const foot = footOf(point, tips);
      return foot !== undefined && isSeen(foot);
    })
    .map(({ key }) => key);
}

const withoutSupports = ({ instances, mesh, cuts }: Pickable): Pickable => ({
  instances: new Map(
    [...instances].map(([hash, places]) => [hash, places.filter(({ role }) => role !== "support")] as const),
  ),
  mesh,
  cuts,
});

/** Greatest distance of a point from the ball with which its tip touches the part, in radii of the ball. */
const TOUCH_RADII = 1.5;

/** Where the tip that touches a point meets its branch; undefined if the point has no tip. */
function footOf(point: Vec3, tips: readonly ShownStrut[]): Vec3 | undefined {
  for (const [x, y, z, r, u, v, w, s] of tips) {
    if (distance(point, [x, y, z]) < TOUCH_RADII * r) return [u, v, w];
    if (distance(point, [u, v, w]) < TOUCH_RADII * s) return [x, y, z];
  }
  return undefined;
}
