import type { Vec3 } from "../../core/geometry.ts";

/** An end of struts. */
export interface Ball {
  readonly place: Vec3;
  readonly radiusMm: number;
}

/** Distance seen from above. */
export function apartMm([ax, ay]: Vec3, [bx, by]: Vec3): number {
  return Math.sqrt((ax - bx) * (ax - bx) + (ay - by) * (ay - by));
}

/** Distance. Square roots are the same in every engine, `Math.hypot` is not. */
export function distanceMm([ax, ay, az]: Vec3, [bx, by, bz]: Vec3): number {
  return Math.sqrt((ax - bx) * (ax - bx) + (ay - by) * (ay - by) + (az - bz) * (az - bz));
}

/** Whether a leg from `top` down to `bottom` is at least as steep as 45°, but for rounding. */
export const isSteep = (top: Vec3, bottom: Vec3): boolean => apartMm(top, bottom) <= top[2] - bottom[2] + 1e-9;

export const between = (a: Vec3, b: Vec3, share: number): Vec3 => [
  a[0] + share * (b[0] - a[0]),
  a[1] + share * (b[1] - a[1]),
  a[2] + share * (b[2] - a[2]),
];
