import type { Vec3 } from "../../geometry/vector.ts";
import { BVH_MAX_DEPTH } from "./box-tree.ts";
import type { Bvh } from "./bvh.ts";

const stack = new Uint32Array(BVH_MAX_DEPTH);

/**
 * The winding number of a closed surface around a point: 0 outside, 1 inside a body, 2 where two bodies overlap, −1
 * inside a body that is inside out. Counts the signed crossings of the vertical ray upward from the point. A ray through a
 * shared edge or corner is counted once, because edges are half-open and each is computed alike for both of its facets.
 */
export function windingNumber({ boxes, links, corners }: Bvh, [x, y, z]: Vec3): number {
  let winding = 0;
  let height = 1;
  stack[0] = 0;
  while (height > 0) {
    const node = stack[--height];
    const at = 6 * node;
    if (boxes[at] > x || boxes[at + 3] < x || boxes[at + 1] > y || boxes[at + 4] < y || boxes[at + 5] < z) continue;
    const count = links[2 * node + 1];
    if (count === 0) {
      stack[height++] = links[2 * node];
      stack[height++] = node + 1;
      continue;
    }
    const first = 9 * links[2 * node];
    for (let facet = first; facet < first + 9 * count; facet += 9) winding += signedCrossing(corners, facet, x, y, z);
  }
  return winding;
}

/** 1 if the ray upward from the point leaves the body through the facet, −1 if it enters, else 0. */
function signedCrossing(corners: Float32Array, at: number, x: number, y: number, z: number): number {
  // The winding number of the facet's boundary in the projection along z.
  const turns =
    edgeCrossing(corners, at, at + 3, x, y) +
    edgeCrossing(corners, at + 3, at + 6, x, y) +
    edgeCrossing(corners, at + 6, at, x, y);
  if (turns === 0) return 0;
  const ux = corners[at + 3] - corners[at];
  const uy = corners[at + 4] - corners[at + 1];
  const uz = corners[at + 5] - corners[at + 2];
  const vx = corners[at + 6] - corners[at];
  const vy = corners[at + 7] - corners[at + 1];
  const vz = corners[at + 8] - corners[at + 2];
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const rise = (nx * (corners[at] - x) + ny * (corners[at + 1] - y) + nz * (corners[at + 2] - z)) * turns;
  return rise > 0 ? turns : 0;
}

/** 1 if the edge crosses the line at y upward on the side of greater x, −1 if downward, else 0. */
function edgeCrossing(corners: Float32Array, from: number, to: number, x: number, y: number): number {
  const isUp = corners[to + 1] > y;
  if (corners[from + 1] > y === isUp) return 0;
  const low = isUp ? from : to;
  const high = isUp ? to : from;
  const side =
    (corners[high] - corners[low]) * (y - corners[low + 1]) -
    (corners[high + 1] - corners[low + 1]) * (x - corners[low]);
  return side > 0 ? (isUp ? 1 : -1) : 0;
}
