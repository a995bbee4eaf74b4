import { type Vec3, add, cross, dot, times, unit } from "../../geometry/vector.ts";
import type { Ray } from "./orbit.ts";
import type { RayRange, SurfaceHit } from "./surface-hits.ts";

/** Finds where a ray first meets a surface. */
export type SurfaceProbe = (ray: Ray, range: RayRange) => SurfaceHit | undefined;

/** A point of a surface, and its outward unit normal. */
export interface SurfacePoint {
  readonly point: Vec3;
  readonly normal: Vec3;
}

/** Directions along the surface in which edges are looked for. */
const DIRECTIONS = 24;
/** Steps in which the place of an edge is narrowed down: to 1/256 of the reach. */
const HALVINGS = 8;
/** The surface ends where its normal is farther than 60° from that at the place. */
const LEAST_COSINE = 0.5;

/** Two unit vectors across a direction, at right angles. */
export function acrossOf(normal: Vec3): readonly [Vec3, Vec3] {
  const u = unit(cross(Math.abs(normal[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0], normal));
  return [u, cross(normal, u)];
}

/**
 * Distance along a surface from a place to the nearest edge, mm; undefined if there is none within `reachMm`. An edge is where the surface falls or
 * rises by more than the distance, or turns by more than 60°.
 */
export function edgeDistanceMm(
  { point, normal }: SurfacePoint,
  reachMm: number,
  probe: SurfaceProbe,
): number | undefined {
  const [u, v] = acrossOf(normal);
  const goesOn = (along: Vec3, mm: number): boolean => {
    const origin = add(point, add(times(along, mm), times(normal, mm)));
    const hit = probe({ origin, direction: times(normal, -1) }, { from: 0, to: 2 * mm });
    return hit !== undefined && dot(hit.normal, normal) > LEAST_COSINE;
  };
  const distances = Array.from({ length: DIRECTIONS }, (_, i) => {
    const angle = (2 * Math.PI * i) / DIRECTIONS;
    const along = add(times(u, Math.cos(angle)), times(v, Math.sin(angle)));
    if (goesOn(along, reachMm)) return Infinity;
    let [within, beyond] = [0, reachMm];
    for (let step = 0; step < HALVINGS; step++) {
      const middle = (within + beyond) / 2;
      if (goesOn(along, middle)) within = middle;
      else beyond = middle;
    }
    return (within + beyond) / 2;
  });
  const nearest = Math.min(...distances);
  return nearest === Infinity ? undefined : nearest;
}
