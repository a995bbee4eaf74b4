import { distanceToTriangle, shearedRay } from "../../geometry/sheared-ray.ts";
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
      const along = distanceToTriangle(corners, 9 * i, 9 * i + 3, 9 * i + 6, ray);
      if (along >= 0 && (along < least || (along === least && slot < 0))) {
        least = along;
        slot = i;
      }
    }
  }
  return slot < 0 ? undefined : { along: least, facet: facets[slot] };
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
