import type { Axis, Vec3 } from "../../geometry/vector.ts";
import { BVH_MAX_DEPTH } from "./box-tree.ts";
import type { Bvh } from "./bvh.ts";

const stack = new Uint32Array(BVH_MAX_DEPTH);

/**
 * The winding number of a closed surface around a point: 0 outside, 1 inside a body, 2 where two bodies overlap, −1
 * inside a body that is inside out. Counts the signed crossings of the ray from the point along an axis, by default upward. A ray
 * through a shared edge or corner is counted once, because edges are half-open and each is computed alike for both of its facets.
 */
export function windingNumber({ boxes, links, corners }: Bvh, point: Vec3, along: Axis = 2): number {
  // Below, x, y and z are the axes in cyclic order that ends with that of the ray.
  const first = along === 2 ? 0 : along + 1;
  const toY = first === 2 ? -2 : 1;
  const toZ = along - first;
  const [x, y, z] = [point[first], point[first + toY], point[along]];
  let winding = 0;
  let height = 1;
  stack[0] = 0;
  while (height > 0) {
    const node = stack[--height];
    const i = 6 * node + first;
    const j = i + toY;
    if (boxes[i] > x || boxes[i + 3] < x || boxes[j] > y || boxes[j + 3] < y || boxes[i + toZ + 3] < z) continue;
    const count = links[2 * node + 1];
    if (count === 0) {
      stack[height++] = links[2 * node];
      stack[height++] = node + 1;
      continue;
    }
    const end = links[2 * node] + count;
    for (let slot = links[2 * node]; slot < end; slot++) {
      winding += signedCrossing(corners, 9 * slot + first, toY, toZ, x, y, z);
    }
  }
  return winding;
}

/** 1 if the ray from the point leaves the body through the facet, −1 if it enters, else 0. The facet's first x is at `at`. */
function signedCrossing(
  corners: Float32Array,
  at: number,
  toY: number,
  toZ: number,
  x: number,
  y: number,
  z: number,
): number {
  // The winding number of the facet's boundary in the projection along the ray.
  const turns =
    edgeCrossing(corners, at, at + 3, toY, x, y) +
    edgeCrossing(corners, at + 3, at + 6, toY, x, y) +
    edgeCrossing(corners, at + 6, at, toY, x, y);
  if (turns === 0) return 0;
  const atY = at + toY;
  const atZ = at + toZ;
  const ux = corners[at + 3] - corners[at];
  const uy = corners[atY + 3] - corners[atY];
  const uz = corners[atZ + 3] - corners[atZ];
  const vx = corners[at + 6] - corners[at];
  const vy = corners[atY + 6] - corners[atY];
  const vz = corners[atZ + 6] - corners[atZ];
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const rise = (nx * (corners[at] - x) + ny * (corners[atY] - y) + nz * (corners[atZ] - z)) * turns;
  return rise > 0 ? turns : 0;
}

/** 1 if the edge crosses the line at y upward on the side of greater x, −1 if downward, else 0. */
function edgeCrossing(corners: Float32Array, from: number, to: number, toY: number, x: number, y: number): number {
  const isUp = corners[to + toY] > y;
  if (corners[from + toY] > y === isUp) return 0;
  const low = isUp ? from : to;
  const high = isUp ? to : from;
  const side =
    (corners[high] - corners[low]) * (y - corners[low + toY]) -
    (corners[high + toY] - corners[low + toY]) * (x - corners[low]);
  return side > 0 ? (isUp ? 1 : -1) : 0;
}
