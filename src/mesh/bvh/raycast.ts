import type { Vec3 } from "../../geometry/vector.ts";
import { BVH_MAX_DEPTH } from "./box-tree.ts";
import type { Bvh } from "./bvh.ts";

/** The first intersection of a ray with a surface. */
export interface RaycastHit {
  /** Distance along the ray, as a multiple of the length of its direction. */
  readonly along: number;
  /** Index of the facet in the surface. */
  readonly facet: number;
}

const stack = new Uint32Array(BVH_MAX_DEPTH);
const entries = new Float64Array(BVH_MAX_DEPTH);

/**
 * The first facet on the ray from `origin` along `direction`, up to `limit` lengths of the direction. Both sides of facets count,
 * and so do facets at the origin itself. A ray through an edge hits at least one of the facets of that edge. Allocates nothing for
 * nodes and facets.
 */
export function raycast(
  { boxes, links, facets, corners }: Bvh,
  origin: Vec3,
  direction: Vec3,
  limit: number,
): RaycastHit | undefined {
  const ray = shearedRay(origin, direction);
  let least = limit;
  let slot = -1;
  let height = 1;
  stack[0] = 0;
  entries[0] = enterBox(boxes, 0, origin, direction, limit);
  while (height > 0) {
    height--;
    if (entries[height] > least) continue;
    const node = stack[height];
    const count = links[2 * node + 1];
    if (count === 0) {
      const [one, other] = [node + 1, links[2 * node]];
      const toOne = enterBox(boxes, 6 * one, origin, direction, least);
      const toOther = enterBox(boxes, 6 * other, origin, direction, least);
      const isOneFirst = toOne <= toOther;
      const far = isOneFirst ? toOther : toOne;
      const near = isOneFirst ? toOne : toOther;
      if (far < Infinity) {
        stack[height] = isOneFirst ? other : one;
        entries[height++] = far;
      }
      if (near < Infinity) {
        stack[height] = isOneFirst ? one : other;
        entries[height++] = near;
      }
      continue;
    }
    for (let i = links[2 * node]; i < links[2 * node] + count; i++) {
      const along = distanceToTriangle(corners, 9 * i, ray);
      if (along >= 0 && (along < least || (along === least && slot < 0))) {
        least = along;
        slot = i;
      }
    }
  }
  return slot < 0 ? undefined : { along: least, facet: facets[slot] };
}

/** A ray, and the shear that turns it into the axis `kz` of largest extent. */
interface ShearedRay {
  readonly origin: Vec3;
  readonly kx: number;
  readonly ky: number;
  readonly kz: number;
  readonly shearX: number;
  readonly shearY: number;
  /** 1 / the direction's component along `kz`. */
  readonly perZ: number;
}

function shearedRay(origin: Vec3, direction: Vec3): ShearedRay {
  const [x, y, z] = [Math.abs(direction[0]), Math.abs(direction[1]), Math.abs(direction[2])];
  const kz = x > y && x > z ? 0 : y > z ? 1 : 2;
  const kx = (kz + 1) % 3;
  const ky = (kz + 2) % 3;
  const perZ = 1 / direction[kz];
  return { origin, kx, ky, kz, shearX: direction[kx] * perZ, shearY: direction[ky] * perZ, perZ };
}

/**
 * Distance along the ray to the triangle whose corners start at `at`, as a multiple of the length of the ray's direction: negative if
 * the triangle is on the other side of the origin, −1 if the line misses it. Source: S. Woop, C. Benthin, I. Wald, "Watertight
 * Ray/Triangle Intersection" (2013).
 */
function distanceToTriangle(
  corners: Float32Array,
  at: number,
  { origin, kx, ky, kz, shearX, shearY, perZ }: ShearedRay,
): number {
  const az = corners[at + kz] - origin[kz];
  const bz = corners[at + 3 + kz] - origin[kz];
  const cz = corners[at + 6 + kz] - origin[kz];
  const ax = corners[at + kx] - origin[kx] - shearX * az;
  const ay = corners[at + ky] - origin[ky] - shearY * az;
  const bx = corners[at + 3 + kx] - origin[kx] - shearX * bz;
  const by = corners[at + 3 + ky] - origin[ky] - shearY * bz;
  const cx = corners[at + 6 + kx] - origin[kx] - shearX * cz;
  const cy = corners[at + 6 + ky] - origin[ky] - shearY * cz;
  const u = cx * by - cy * bx;
  const v = ax * cy - ay * cx;
  const w = bx * ay - by * ax;
  if ((u < 0 || v < 0 || w < 0) && (u > 0 || v > 0 || w > 0)) return -1;
  const determinant = u + v + w;
  return determinant === 0 ? -1 : ((u * az + v * bz + w * cz) * perZ) / determinant;
}

/** Relative tolerance for three roundings in double precision: a ray along a wall of a box must not miss the box. */
const ROUNDING = 4 * Number.EPSILON;

/** Distance along the ray to a box; Infinity if the ray misses it or enters it beyond `limit`. */
function enterBox(boxes: Float32Array, at: number, origin: Vec3, direction: Vec3, limit: number): number {
  let from = 0;
  let to = limit;
  for (let axis = 0; axis < 3; axis++) {
    const start = boxes[at + axis] - origin[axis];
    const end = boxes[at + 3 + axis] - origin[axis];
    const step = direction[axis];
    if (step === 0) {
      if (start > 0 || end < 0) return Infinity;
      continue;
    }
    const enter = (step > 0 ? start : end) / step;
    const leave = (step > 0 ? end : start) / step;
    if (enter > from) from = enter;
    if (leave < to) to = leave;
  }
  return from <= to + ROUNDING * (Math.abs(to) + Math.abs(from)) ? from : Infinity;
}
