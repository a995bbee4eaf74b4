import { type Vec3, cross, distance, dot, lerp, subtract, vec3Of } from "../geometry/vector.ts";
import { squaredDistanceToTriangle } from "../mesh/bvh/closest-point.ts";

// Points at which two triangles meet, or nearly do.

export type TriangleCorners = readonly [Vec3, Vec3, Vec3];

export const triangleAt = (corners: Float32Array, at: number): TriangleCorners => [
  [corners[at], corners[at + 1], corners[at + 2]],
  [corners[at + 3], corners[at + 4], corners[at + 5]],
  [corners[at + 6], corners[at + 7], corners[at + 8]],
];

/** Maximum number of points on the line in which two triangles intersect. */
const MAX_POINTS_OF_LINE = 256;

/** Points along the line that two triangles have in common, `stepMm` apart; no points for triangles in one plane. */
export function crossingPoints(p: TriangleCorners, q: TriangleCorners, stepMm: number): Vec3[] {
  const normalP = cross(subtract(p[1], p[0]), subtract(p[2], p[0]));
  const normalQ = cross(subtract(q[1], q[0]), subtract(q[2], q[0]));
  const along = cross(normalP, normalQ);
  const [one, other] = [lineWithin(p, q[0], normalQ), lineWithin(q, p[0], normalP)].map((ends) =>
    ends.toSorted((u, v) => dot(u, along) - dot(v, along)),
  );
  // Rounding may remove a line that is a point, or a line along an edge.
  if (one.length === 0 || other.length === 0) return [];
  const from = dot(other[0], along) > dot(one[0], along) ? other[0] : one[0];
  const to = dot(other[1], along) < dot(one[1], along) ? other[1] : one[1];
  if (dot(to, along) < dot(from, along)) return [];
  const steps = Math.min(MAX_POINTS_OF_LINE, Math.ceil(distance(from, to) / stepMm));
  return Array.from({ length: steps + 1 }, (_, step) => lerp(from, to, steps === 0 ? 0 : step / steps));
}

/** The ends of the line in which a triangle intersects a plane. */
function lineWithin(triangle: TriangleCorners, onPlane: Vec3, normal: Vec3): Vec3[] {
  return triangle.flatMap((a, i) => {
    const b = triangle[(i + 1) % 3];
    const [heightA, heightB] = [a, b].map((corner) => dot(subtract(corner, onPlane), normal));
    return heightA === heightB || heightA > 0 === heightB > 0 ? [] : [lerp(a, b, heightA / (heightA - heightB))];
  });
}

/** Rounds of subdivision after which triangles of any shape are small enough to be marked. */
const ROUNDS = 12;

/** Two nearest points of two triangles, approximately. Source: W. Cheney, A. Goldstein, "Proximity maps for convex sets" (1959). */
export function nearestPoints(start: Vec3, p: Corners, q: Corners): [onP: Vec3, onQ: Vec3] {
  let onP = start;
  let onQ = start;
  for (let round = 0; round < ROUNDS; round++) {
    onQ = pointOf(q, onP);
    onP = pointOf(p, onQ);
  }
  return [onP, onQ];
}

export type Corners = readonly [corners: Float32Array, at: number];

const weights = { v: 0, w: 0 };

function pointOf([corners, at]: Corners, near: Vec3): Vec3 {
  squaredDistanceToTriangle(corners, at, ...near, weights);
  const { v, w } = weights;
  const [a, b, c] = triangleAt(corners, at);
  return vec3Of((axis) => a[axis] + v * (b[axis] - a[axis]) + w * (c[axis] - a[axis]));
}
