import type { Vec3 } from "./vector.ts";

/** A ray, and the shear that turns it into the axis `kz` of largest extent. */
export interface ShearedRay {
  readonly origin: Vec3;
  readonly kx: number;
  readonly ky: number;
  readonly kz: number;
  readonly shearX: number;
  readonly shearY: number;
  /** 1 / the direction's component along `kz`. */
  readonly perZ: number;
}

export function shearedRay(origin: Vec3, direction: Vec3): ShearedRay {
  const [x, y, z] = [Math.abs(direction[0]), Math.abs(direction[1]), Math.abs(direction[2])];
  const kz = x > y && x > z ? 0 : y > z ? 1 : 2;
  const kx = (kz + 1) % 3;
  const ky = (kz + 2) % 3;
  const perZ = 1 / direction[kz];
  return { origin, kx, ky, kz, shearX: direction[kx] * perZ, shearY: direction[ky] * perZ, perZ };
}

/**
 * Distance along the ray to the triangle whose corners start at the entries `a`, `b` and `c` of `points` (x, y, z of each), as a multiple of the
 * length of the ray's direction: negative if the triangle is on the other side of the origin, −1 if the line misses it. A ray through an edge
 * hits at least one of the triangles of that edge: it sees the same ends of it in both. Source: S. Woop, C. Benthin, I. Wald, "Watertight
 * Ray/Triangle Intersection" (2013).
 */
export function distanceToTriangle(
  points: Float32Array,
  a: number,
  b: number,
  c: number,
  { origin, kx, ky, kz, shearX, shearY, perZ }: ShearedRay,
): number {
  const az = points[a + kz] - origin[kz];
  const bz = points[b + kz] - origin[kz];
  const cz = points[c + kz] - origin[kz];
  const ax = points[a + kx] - origin[kx] - shearX * az;
  const ay = points[a + ky] - origin[ky] - shearY * az;
  const bx = points[b + kx] - origin[kx] - shearX * bz;
  const by = points[b + ky] - origin[ky] - shearY * bz;
  const cx = points[c + kx] - origin[kx] - shearX * cz;
  const cy = points[c + ky] - origin[ky] - shearY * cz;
  const u = cx * by - cy * bx;
  const v = ax * cy - ay * cx;
  const w = bx * ay - by * ax;
  if ((u < 0 || v < 0 || w < 0) && (u > 0 || v > 0 || w > 0)) return -1;
  const determinant = u + v + w;
  return determinant === 0 ? -1 : ((u * az + v * bz + w * cz) * perZ) / determinant;
}
