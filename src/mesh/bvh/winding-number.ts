import type { Vec3 } from "../../core/geometry.ts";
import { type FacetTree, MAX_DEPTH } from "./facet-tree.ts";

const stack = new Uint32Array(MAX_DEPTH);

/**
 * How many times a closed surface goes around a point: 0 outside, 1 inside a body, 2 where two bodies overlap, −1
 * inside one that is inside out. Counts the facets above the point. Two facets that share an edge or a corner to the
 * bit count as one where the line passes through it, for edges are half open and their sides always worked out the same
 * way.
 */
export function windingNumber({ boxes, links, corners }: FacetTree, [x, y, z]: Vec3): number {
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
    for (let facet = first; facet < first + 9 * count; facet += 9) winding += crossing(corners, facet, x, y, z);
  }
  return winding;
}

/** 1 when the line up from the point leaves through the facet, −1 when it enters, else 0. */
function crossing(corners: Float32Array, at: number, x: number, y: number, z: number): number {
  // Seen from above: how often the facet's rim goes around the point.
  const turns =
    passes(corners, at, at + 3, x, y) + passes(corners, at + 3, at + 6, x, y) + passes(corners, at + 6, at, x, y);
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

/** 1 when the edge passes from below to above y on the side of greater x, −1 on its way back, else 0. */
function passes(corners: Float32Array, from: number, to: number, x: number, y: number): number {
  const isUp = corners[to + 1] > y;
  if (corners[from + 1] > y === isUp) return 0;
  const low = isUp ? from : to;
  const high = isUp ? to : from;
  const side =
    (corners[high] - corners[low]) * (y - corners[low + 1]) -
    (corners[high + 1] - corners[low + 1]) * (x - corners[low]);
  return side > 0 ? (isUp ? 1 : -1) : 0;
}
