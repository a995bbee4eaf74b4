import type { ExactPlace } from "./exact-place.ts";

/** Where x · px + y · py + z · pz = d · w. */
export interface ExactPlane {
  readonly x: bigint;
  readonly y: bigint;
  readonly z: bigint;
  readonly d: bigint;
}

/** The plane of three corners on the lattice, its normal towards whoever sees them counter-clockwise. */
export function planeOf(a: ExactPlace, b: ExactPlace, c: ExactPlace): ExactPlane {
  const [ux, uy, uz] = [b.x - a.x, b.y - a.y, b.z - a.z];
  const [vx, vy, vz] = [c.x - a.x, c.y - a.y, c.z - a.z];
  const x = uy * vz - uz * vy;
  const y = uz * vx - ux * vz;
  const z = ux * vy - uy * vx;
  return { x, y, z, d: x * a.x + y * a.y + z * a.z };
}

/** Positive above the plane, 0 in it; for places on the lattice proportional to their distance. */
export const heightOver = (plane: ExactPlane, p: ExactPlace): bigint =>
  plane.x * p.x + plane.y * p.y + plane.z * p.z - plane.d * p.w;
