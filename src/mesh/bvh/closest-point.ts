import type { Vec3 } from "../../geometry/vector.ts";
import { BVH_MAX_DEPTH } from "./box-tree.ts";
import type { Bvh } from "./bvh.ts";

/** The point of a surface that is closest to a query point. */
export interface ClosestPoint {
  readonly point: Vec3;
  /** Index in the surface of the facet with the point. */
  readonly facet: number;
  readonly distanceMm: number;
}

const stack = new Uint32Array(BVH_MAX_DEPTH);
const distances = new Float64Array(BVH_MAX_DEPTH);
const onFacet = { v: 0, w: 0 };
/** Result of the last search: the slot of the facet, −1 for none, and barycentric coordinates on it. */
const best = { slot: -1, v: 0, w: 0 };

/** The closest point of the surface, if it is nearer than `limitMm`. */
export function closestPoint(tree: Bvh, point: Vec3, limitMm: number): ClosestPoint | undefined {
  const distanceMm = distanceToSurface(tree, point, limitMm);
  if (best.slot < 0) return undefined;
  const { corners } = tree;
  const at = 9 * best.slot;
  const onSurface: Vec3 = [alongFacet(corners, at), alongFacet(corners, at + 1), alongFacet(corners, at + 2)];
  return { point: onSurface, facet: tree.facets[best.slot], distanceMm };
}

/** One coordinate of the closest point, from that coordinate of the facet's corners. */
const alongFacet = (corners: Float32Array, at: number): number => {
  const a = corners[at];
  return a + best.v * (corners[at + 3] - a) + best.w * (corners[at + 6] - a);
};

/** Distance from a point to the surface, mm, at most `limitMm`. Does not allocate. */
export function distanceToSurface({ boxes, links, corners }: Bvh, point: Vec3, limitMm: number): number {
  const x = point[0];
  const y = point[1];
  const z = point[2];
  let least = limitMm * limitMm;
  best.slot = -1;
  let height = 1;
  stack[0] = 0;
  distances[0] = 0;
  while (height > 0) {
    height--;
    if (distances[height] >= least) continue;
    let node = stack[height];
    while (links[2 * node + 1] === 0) {
      let near = node + 1;
      let far = links[2 * node];
      let toNear = squaredDistanceToBox(boxes, 6 * near, x, y, z);
      let toFar = squaredDistanceToBox(boxes, 6 * far, x, y, z);
      if (toFar < toNear) {
        far = near;
        near = links[2 * node];
        const swapped = toFar;
        toFar = toNear;
        toNear = swapped;
      }
      if (toFar < least) {
        stack[height] = far;
        distances[height++] = toFar;
      }
      node = toNear < least ? near : -1;
      if (node < 0) break;
    }
    if (node < 0) continue;
    const first = links[2 * node];
    for (let slot = first; slot < first + links[2 * node + 1]; slot++) {
      const squared = squaredDistanceToTriangle(corners, 9 * slot, x, y, z, onFacet);
      if (squared < least) {
        least = squared;
        best.slot = slot;
        best.v = onFacet.v;
        best.w = onFacet.w;
      }
    }
  }
  return best.slot < 0 ? limitMm : Math.sqrt(least);
}

/** Squared distance from a point to the box at `at`. */
export function squaredDistanceToBox(boxes: Float32Array, at: number, x: number, y: number, z: number): number {
  const dx = x < boxes[at] ? boxes[at] - x : x > boxes[at + 3] ? x - boxes[at + 3] : 0;
  const dy = y < boxes[at + 1] ? boxes[at + 1] - y : y > boxes[at + 4] ? y - boxes[at + 4] : 0;
  const dz = z < boxes[at + 2] ? boxes[at + 2] - z : z > boxes[at + 5] ? z - boxes[at + 5] : 0;
  return dx * dx + dy * dy + dz * dz;
}

/** Barycentric coordinates of the point a + v · (b − a) + w · (c − a) of a triangle a, b, c. */
export interface Barycentric {
  v: number;
  w: number;
}

/** Triangles with a smaller squared sine of the angle at their first corner count as lines (2 seconds of arc). */
const SLIVER = 1e-10;

/**
 * Squared distance from a point to the triangle whose corners start at `at`; `out` receives the closest point. Source: C. Ericson,
 * "Real-Time Collision Detection" (2005), section 5.1.5. One function, unrolled over the axes: with the edges in
 * another one, distance queries take 8 % longer.
 */
export function squaredDistanceToTriangle(
  corners: Float32Array,
  at: number,
  x: number,
  y: number,
  z: number,
  out: Barycentric,
): number {
  const px = x - corners[at];
  const py = y - corners[at + 1];
  const pz = z - corners[at + 2];
  const bx = corners[at + 3] - corners[at];
  const by = corners[at + 4] - corners[at + 1];
  const bz = corners[at + 5] - corners[at + 2];
  const cx = corners[at + 6] - corners[at];
  const cy = corners[at + 7] - corners[at + 1];
  const cz = corners[at + 8] - corners[at + 2];
  const bb = bx * bx + by * by + bz * bz;
  const bc = bx * cx + by * cy + bz * cz;
  const cc = cx * cx + cy * cy + cz * cz;
  const pb = px * bx + py * by + pz * bz;
  const pc = px * cx + py * cy + pz * cz;
  const determinant = bb * cc - bc * bc;
  let v = pb * cc - pc * bc;
  let w = pc * bb - pb * bc;
  if (determinant > SLIVER * bb * cc && v >= 0 && w >= 0 && v + w <= determinant) {
    v /= determinant;
    w /= determinant;
  } else {
    // Outside, or a triangle without area: the closest point of the three edges.
    let t = bb > 0 ? Math.min(1, Math.max(0, pb / bb)) : 0;
    v = t;
    w = 0;
    let best = squared(px - t * bx, py - t * by, pz - t * bz);
    t = cc > 0 ? Math.min(1, Math.max(0, pc / cc)) : 0;
    const alongC = squared(px - t * cx, py - t * cy, pz - t * cz);
    if (alongC < best) {
      best = alongC;
      v = 0;
      w = t;
    }
    const ee = bb - 2 * bc + cc;
    t = ee > 0 ? Math.min(1, Math.max(0, (pc - pb - bc + bb) / ee)) : 0;
    const across = squared(px - (1 - t) * bx - t * cx, py - (1 - t) * by - t * cy, pz - (1 - t) * bz - t * cz);
    if (across < best) {
      v = 1 - t;
      w = t;
    }
  }
  out.v = v;
  out.w = w;
  return squared(px - v * bx - w * cx, py - v * by - w * cy, pz - v * bz - w * cz);
}

const squared = (x: number, y: number, z: number): number => x * x + y * y + z * z;
