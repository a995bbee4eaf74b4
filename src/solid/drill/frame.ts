import { add, cross, dot, subtract, times, unit, type Vec3 } from "../../core/geometry.ts";
import type { Hole } from "./hole.ts";

/** A hole's own coordinates: u and v across its axis, s along it into the material, from its position. Right-handed. */
export interface Frame {
  readonly origin: Vec3;
  readonly u: Vec3;
  readonly v: Vec3;
  readonly s: Vec3;
}

export function frameOf({ position, direction }: Pick<Hole, "position" | "direction">): Frame {
  const sizes = direction.map(Math.abs);
  const least = sizes.indexOf(Math.min(...sizes));
  const u = unit(cross([+(least === 0), +(least === 1), +(least === 2)], direction));
  return { origin: position, u, v: cross(direction, u), s: direction };
}

export function toFrame({ origin, u, v, s }: Frame, place: Vec3): Vec3 {
  const away = subtract(place, origin);
  return [dot(away, u), dot(away, v), dot(away, s)];
}

export const fromFrame = ({ origin, u, v, s }: Frame, [across, other, along]: Vec3): Vec3 =>
  add(origin, add(add(times(u, across), times(v, other)), times(s, along)));
