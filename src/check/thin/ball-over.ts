import { add, exactLength, subtract, times, type Vec3 } from "../../core/geometry.ts";
import type { FacetTree } from "../../mesh/bvh/facet-tree.ts";
import { distanceTo, nearestPoint } from "../../mesh/bvh/nearest-point.ts";

/** A push takes a ball away by so many times what it lacks. Beyond 1, corners are reached sooner; at 2 it would never rest. */
const RELAXATION = 1.5;

/** Of a radius: what is left out of the ball for rounding. */
const ROUNDING = 1e-6;

/** Of a radius: a ball that lacked no more when its search ended would have fitted after some more pushes. */
const ALMOST = 2e-3;

/** A ball between walls that are too close is given up when two pushes leave more than this share of what it lacked. */
const LEAST_GAIN = 0.7;

/**
 * The centre of a ball of a radius inside a solid that covers `point`, a place inside the solid, or undefined where none is
 * found near `start`. The ball is pushed away from what reaches into it and drawn back over the point in turns, at most
 * `pushes` times; one with nothing of the surface in it that covers a place of the solid lies in the solid. A patient search
 * does not give up before. Source: the method of projections onto convex sets (Gubin, Polyak, Raik 1967).
 */
export function ballOver(
  tree: FacetTree,
  point: Vec3,
  start: Vec3,
  radiusMm: number,
  pushes: number,
  isPatient: boolean,
): Vec3 | undefined {
  let centre = drawnOver(point, start, radiusMm);
  let mostLacking = radiusMm;
  let lacking = radiusMm;
  for (let push = 0; push < pushes; push++) {
    const nearest = nearestPoint(tree, centre, (1 - ROUNDING) * radiusMm);
    if (!nearest) return centre;
    const { point: place, distanceMm } = nearest;
    lacking = radiusMm - distanceMm;
    if (distanceMm === 0) return undefined;
    if (push % 2 === 1 && !isPatient) {
      if (lacking > LEAST_GAIN * mostLacking) return undefined;
      mostLacking = lacking;
    }
    const by = (RELAXATION * lacking) / distanceMm;
    centre = drawnOver(point, add(centre, times(subtract(centre, place), by)), radiusMm);
  }
  return lacking < ALMOST * radiusMm ? centre : undefined;
}

/** Whether nothing of the surface reaches into the ball. */
export const fits = (tree: FacetTree, centre: Vec3, radiusMm: number): boolean =>
  distanceTo(tree, centre, (1 - ROUNDING) * radiusMm) === (1 - ROUNDING) * radiusMm;

/** The centre, moved straight towards the point until the ball covers it. */
function drawnOver(point: Vec3, centre: Vec3, radiusMm: number): Vec3 {
  const away = subtract(centre, point);
  const gap = exactLength(away);
  const most = (1 - ROUNDING) * radiusMm;
  return gap <= most ? centre : add(point, times(away, most / gap));
}
