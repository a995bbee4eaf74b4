import type { Vec3 } from "../../geometry/vector.ts";
import { BVH_MAX_DEPTH } from "./box-tree.ts";
import type { Bvh } from "./bvh.ts";
import { squaredDistanceToTriangle } from "./closest-point.ts";

const stack = new Uint32Array(BVH_MAX_DEPTH);

/**
 * Distance between a segment and the surface, mm, at most `limitMm`. The search ends early with any distance less than
 * `enoughMm`. Does not allocate.
 */
export function segmentDistance(
  { boxes, links, corners }: Bvh,
  [px, py, pz]: Vec3,
  [qx, qy, qz]: Vec3,
  limitMm: number,
  enoughMm = 0,
): number {
  const enough = enoughMm * enoughMm;
  let least = limitMm * limitMm;
  let reach = limitMm;
  let height = 1;
  stack[0] = 0;
  while (height > 0) {
    const node = stack[--height];
    if (missesBox(boxes, 6 * node, reach, px, py, pz, qx - px, qy - py, qz - pz)) continue;
    const count = links[2 * node + 1];
    if (count === 0) {
      stack[height++] = links[2 * node];
      stack[height++] = node + 1;
      continue;
    }
    const first = 9 * links[2 * node];
    for (let at = first; at < first + 9 * count; at += 9) {
      const squared = squaredSegmentTriangleDistance(corners, at, px, py, pz, qx, qy, qz, least);
      if (squared >= least) continue;
      least = squared;
      if (least < enough) return Math.sqrt(least);
      reach = Math.sqrt(least);
    }
  }
  return reach;
}

/** Whether the segment from p to p + d misses a box extended by `reach` on all sides; it is then farther than `reach` from the box. */
function missesBox(
  boxes: Float32Array,
  at: number,
  reach: number,
  px: number,
  py: number,
  pz: number,
  dx: number,
  dy: number,
  dz: number,
): boolean {
  // Separating axes: those of the box, and their cross products with the direction of the segment. Source: C. Ericson,
  // "Real-Time Collision Detection" (2005), section 5.3.3; all lengths here are twice those of the source.
  const ex = boxes[at + 3] - boxes[at] + 2 * reach;
  const ey = boxes[at + 4] - boxes[at + 1] + 2 * reach;
  const ez = boxes[at + 5] - boxes[at + 2] + 2 * reach;
  const mx = 2 * px + dx - boxes[at] - boxes[at + 3];
  const my = 2 * py + dy - boxes[at + 1] - boxes[at + 4];
  const mz = 2 * pz + dz - boxes[at + 2] - boxes[at + 5];
  const ax = Math.abs(dx);
  const ay = Math.abs(dy);
  const az = Math.abs(dz);
  if (Math.abs(mx) > ex + ax || Math.abs(my) > ey + ay || Math.abs(mz) > ez + az) return true;
  return (
    Math.abs(my * dz - mz * dy) > ey * az + ez * ay ||
    Math.abs(mz * dx - mx * dz) > ex * az + ez * ax ||
    Math.abs(mx * dy - my * dx) > ex * ay + ey * ax
  );
}

const unused = { v: 0, w: 0 };

/**
 * Squared distance between a segment and the triangle whose corners start at `at`: 0 if they cross; otherwise the closest point is an
 * end of the segment or on an edge of the triangle. If the distance is at least `limit` (also squared), any value of at least `limit`.
 */
function squaredSegmentTriangleDistance(
  corners: Float32Array,
  at: number,
  px: number,
  py: number,
  pz: number,
  qx: number,
  qy: number,
  qz: number,
  limit: number,
): number {
  const ax = corners[at];
  const ay = corners[at + 1];
  const az = corners[at + 2];
  const ux = corners[at + 3] - ax;
  const uy = corners[at + 4] - ay;
  const uz = corners[at + 5] - az;
  const vx = corners[at + 6] - ax;
  const vy = corners[at + 7] - ay;
  const vz = corners[at + 8] - az;
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const nn = nx * nx + ny * ny + nz * nz;
  const p = nx * (px - ax) + ny * (py - ay) + nz * (pz - az);
  const q = nx * (qx - ax) + ny * (qy - ay) + nz * (qz - az);
  if (p * q > 0) {
    const nearer = Math.min(Math.abs(p), Math.abs(q));
    if (nearer * nearer >= limit * nn) return limit;
  } else if (p !== q && crossesTriangle(corners, at, px, py, pz, qx - px, qy - py, qz - pz, nx, ny, nz)) {
    return 0;
  }
  return Math.min(
    squaredDistanceToTriangle(corners, at, px, py, pz, unused),
    squaredDistanceToTriangle(corners, at, qx, qy, qz, unused),
    squaredEdgeDistance(corners, at, at + 3, px, py, pz, qx - px, qy - py, qz - pz),
    squaredEdgeDistance(corners, at + 3, at + 6, px, py, pz, qx - px, qy - py, qz - pz),
    squaredEdgeDistance(corners, at + 6, at, px, py, pz, qx - px, qy - py, qz - pz),
  );
}

/** Whether a segment that crosses the plane of a triangle with normal n passes through the triangle. */
function crossesTriangle(
  corners: Float32Array,
  at: number,
  px: number,
  py: number,
  pz: number,
  dx: number,
  dy: number,
  dz: number,
  nx: number,
  ny: number,
  nz: number,
): boolean {
  const facing = dx * nx + dy * ny + dz * nz;
  for (let edge = 0; edge < 9; edge += 3) {
    const a = at + edge;
    const b = at + (edge === 6 ? 0 : edge + 3);
    const ex = corners[b] - corners[a];
    const ey = corners[b + 1] - corners[a + 1];
    const ez = corners[b + 2] - corners[a + 2];
    const ox = px - corners[a];
    const oy = py - corners[a + 1];
    const oz = pz - corners[a + 2];
    const side = dx * (ey * oz - ez * oy) + dy * (ez * ox - ex * oz) + dz * (ex * oy - ey * ox);
    if (side * facing < 0) return false;
  }
  return true;
}

/** Squared distance between the segment from p to p + d and an edge. Source: Ericson, section 5.1.9. */
function squaredEdgeDistance(
  corners: Float32Array,
  from: number,
  to: number,
  px: number,
  py: number,
  pz: number,
  dx: number,
  dy: number,
  dz: number,
): number {
  const ex = corners[to] - corners[from];
  const ey = corners[to + 1] - corners[from + 1];
  const ez = corners[to + 2] - corners[from + 2];
  const rx = px - corners[from];
  const ry = py - corners[from + 1];
  const rz = pz - corners[from + 2];
  const dd = dx * dx + dy * dy + dz * dz;
  const ee = ex * ex + ey * ey + ez * ez;
  const de = dx * ex + dy * ey + dz * ez;
  const dr = dx * rx + dy * ry + dz * rz;
  const er = ex * rx + ey * ry + ez * rz;
  const determinant = dd * ee - de * de;
  let s = determinant > 0 ? clamp((de * er - dr * ee) / determinant) : 0;
  let t = ee > 0 ? (de * s + er) / ee : 0;
  if (t < 0 || t > 1) {
    t = clamp(t);
    s = dd > 0 ? clamp((de * t - dr) / dd) : 0;
  }
  const x = rx + s * dx - t * ex;
  const y = ry + s * dy - t * ey;
  const z = rz + s * dz - t * ez;
  return x * x + y * y + z * z;
}

const clamp = (share: number): number => Math.min(1, Math.max(0, share));

/**
 * Squared distance between two triangles whose corners start at `i` of `a` and at `j` of `b`: 0 if they intersect, otherwise the least
 * distance between an edge of one and the other. If that is at least `limit` (also squared), any value of at least `limit`.
 */
export function squaredTriangleDistance(a: Float32Array, i: number, b: Float32Array, j: number, limit: number): number {
  if (areApartAlongCentres(a, i, b, j, limit)) return limit;
  if (isBeyondPlane(a, i, b, j, limit) || isBeyondPlane(b, j, a, i, limit)) return limit;
  return edgesToTriangle(a, i, b, j, edgesToTriangle(b, j, a, i, limit));
}

/**
 * Whether the triangles are at a squared distance of more than `limit` along the line through their centroids. Fast, and true for most
 * pairs of small triangles that are little farther apart than the limit.
 */
function areApartAlongCentres(a: Float32Array, i: number, b: Float32Array, j: number, limit: number): boolean {
  const x = b[j] + b[j + 3] + b[j + 6] - (a[i] + a[i + 3] + a[i + 6]);
  const y = b[j + 1] + b[j + 4] + b[j + 7] - (a[i + 1] + a[i + 4] + a[i + 7]);
  const z = b[j + 2] + b[j + 5] + b[j + 8] - (a[i + 2] + a[i + 5] + a[i + 8]);
  const endA = Math.max(
    x * a[i] + y * a[i + 1] + z * a[i + 2],
    x * a[i + 3] + y * a[i + 4] + z * a[i + 5],
    x * a[i + 6] + y * a[i + 7] + z * a[i + 8],
  );
  const endB = Math.min(
    x * b[j] + y * b[j + 1] + z * b[j + 2],
    x * b[j + 3] + y * b[j + 4] + z * b[j + 5],
    x * b[j + 6] + y * b[j + 7] + z * b[j + 8],
  );
  const gap = endB - endA;
  return gap > 0 && gap * gap > limit * (x * x + y * y + z * z);
}

/** Whether the second triangle is on one side of the plane of the first, at a squared distance of at least `limit`. */
function isBeyondPlane(a: Float32Array, i: number, b: Float32Array, j: number, limit: number): boolean {
  const ux = a[i + 3] - a[i];
  const uy = a[i + 4] - a[i + 1];
  const uz = a[i + 5] - a[i + 2];
  const vx = a[i + 6] - a[i];
  const vy = a[i + 7] - a[i + 1];
  const vz = a[i + 8] - a[i + 2];
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const base = nx * a[i] + ny * a[i + 1] + nz * a[i + 2];
  const p = nx * b[j] + ny * b[j + 1] + nz * b[j + 2] - base;
  const q = nx * b[j + 3] + ny * b[j + 4] + nz * b[j + 5] - base;
  const r = nx * b[j + 6] + ny * b[j + 7] + nz * b[j + 8] - base;
  const nearest = p > 0 ? Math.min(p, q, r) : -Math.max(p, q, r);
  return nearest > 0 && nearest * nearest >= limit * (nx * nx + ny * ny + nz * nz);
}

function edgesToTriangle(a: Float32Array, i: number, b: Float32Array, j: number, limit: number): number {
  let least = limit;
  for (let edge = 0; edge < 9; edge += 3) {
    const p = i + edge;
    const q = i + ((edge + 3) % 9);
    const squared = squaredSegmentTriangleDistance(b, j, a[p], a[p + 1], a[p + 2], a[q], a[q + 1], a[q + 2], least);
    if (squared < least) least = squared;
  }
  return least;
}
