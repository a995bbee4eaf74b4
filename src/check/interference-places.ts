import type { Progress } from "../core/progress.ts";
import { type Pose, rotateVector, rotationMatrix } from "../geometry/pose.ts";
import { type Vec3, add, cross, distance, dot, lerp, subtract, triangleCentroid } from "../geometry/vector.ts";
import { squaredDistanceToTriangle } from "../mesh/bvh/closest-point.ts";
import { visitNearbyTriangles } from "../mesh/bvh/placed-bvh.ts";
import type { PlacedMesh } from "../slice/stack.ts";
import { type MeshTree, type PlacedSolid, insidePoints, placeSolid, visitOverlaps } from "./interferences.ts";
import { type Place, newPlaceFinder } from "./place.ts";

/** Two models that interfere. */
export interface InterferingPair {
  /** The bodies (model and supports) of each. */
  readonly one: readonly PlacedMesh[];
  readonly other: readonly PlacedMesh[];
  /** Of their meshes, by hash. */
  readonly trees: ReadonlyMap<string, MeshTree>;
  readonly offsetMm: number;
}

/** Contacts nearer to each other are one place. */
const CELL_MM = 0.5;
/** After so many, in surfaces that lie on each other, the rest adds nothing that is seen. */
const MAX_CONTACTS = 200_000;
/** Of the line in which two facets cross. */
const MAX_POINTS_OF_LINE = 256;

/**
 * Where two models overlap: along the lines in which their surfaces cross, where they lie on each other, or, where one is inside the
 * other, on the inner one; each point lies in both, up to 2 µm. Where they only are nearer than the offset, in the middle between them.
 */
export function interferencePlaces({ one, other, trees, offsetMm }: InterferingPair, progress: Progress): Place[] {
  const finder = newPlaceFinder(CELL_MM);
  const pairs = one.flatMap((a) => other.map((b) => [a, b] as const));
  pairs.forEach(([a, b], i) => {
    const part = progress.part(i / pairs.length, (i + 1) / pairs.length);
    part.report(0);
    // The request has a tree for each mesh.
    const [solidA, solidB] = [a, b].map((body) => placeSolid(body, trees.get(body.mesh.hash)!, a.pose));
    const toScene = fromFrameOf(a.pose);
    const found = [overlapPoints, containedPoints, (...solids: Solids) => nearPoints(...solids, offsetMm)]
      .values()
      .map((pointsOf) => pointsOf(solidA, solidB, part))
      .find((points) => points.length > 0);
    for (const point of found ?? []) finder.add(...toScene(point));
  });
  return finder.parts().map((place) => ({ ...place, size: 0 }));
}

type Solids = readonly [a: PlacedSolid, b: PlacedSolid, progress: Progress];

/** From the coordinates in which `placeSolid` places bodies to those of the scene. */
function fromFrameOf({ orientation, position }: Pose): (point: Vec3) => Vec3 {
  const rotation = rotationMatrix(orientation);
  return (point) => add(position, rotateVector(rotation, point));
}

/** Along the lines in which surfaces cross; without any, behind the middles of facets that lie on the other solid. */
function overlapPoints(...[a, b, progress]: Solids): Vec3[] {
  const points: Vec3[] = [];
  const behind: Vec3[] = [];
  visitOverlaps(a, b, progress, {
    crossing(p, i, q, j) {
      points.push(...crossingPoints(triangleAt(p, i), triangleAt(q, j)));
      return points.length < MAX_CONTACTS;
    },
    inside: (point) => behind.push(point) < MAX_CONTACTS,
  });
  return points.length > 0 ? points : behind;
}

const containedPoints = (...[a, b]: Solids): Vec3[] => [...insidePoints(a, b), ...insidePoints(b, a)];

function nearPoints(...[a, b, progress, limitMm]: [...Solids, limitMm: number]): Vec3[] {
  const points: Vec3[] = [];
  visitNearbyTriangles(a, b, limitMm, progress, (_slotA, _slotB, p, i, q, j) => {
    const corners = triangleAt(p, i);
    for (const start of [...corners, triangleCentroid(...corners)]) {
      const [onP, onQ] = nearestPoints(start, [p, i], [q, j]);
      if (distance(onP, onQ) < limitMm) points.push(lerp(onP, onQ, 0.5));
    }
    return points.length < MAX_CONTACTS;
  });
  return points;
}

type Triangle = readonly [Vec3, Vec3, Vec3];

const triangleAt = (corners: Float32Array, at: number): Triangle => [
  [corners[at], corners[at + 1], corners[at + 2]],
  [corners[at + 3], corners[at + 4], corners[at + 5]],
  [corners[at + 6], corners[at + 7], corners[at + 8]],
];

/** Points along the line that two triangles have in common. */
function crossingPoints(p: Triangle, q: Triangle): Vec3[] {
  const normalP = cross(subtract(p[1], p[0]), subtract(p[2], p[0]));
  const normalQ = cross(subtract(q[1], q[0]), subtract(q[2], q[0]));
  const along = cross(normalP, normalQ);
  const [from, to] = [lineWithin(p, q[0], normalQ), lineWithin(q, p[0], normalP)].reduce(
    ([low, high], ends) => {
      const [start, end] = ends.toSorted((u, v) => dot(u, along) - dot(v, along));
      return [
        !low || dot(start, along) > dot(low, along) ? start : low,
        !high || dot(end, along) < dot(high, along) ? end : high,
      ];
    },
    [] as readonly Vec3[],
  );
  // Rounding may leave nothing of a line that is a point.
  if (!from || !to || dot(to, along) < dot(from, along)) return [];
  const steps = Math.min(MAX_POINTS_OF_LINE, Math.ceil(distance(from, to) / (CELL_MM / 2)));
  return Array.from({ length: steps + 1 }, (_, step) => lerp(from, to, steps === 0 ? 0 : step / steps));
}

/** The ends of the line in which a triangle crosses a plane. */
function lineWithin(triangle: Triangle, onPlane: Vec3, normal: Vec3): Vec3[] {
  return triangle.flatMap((a, i) => {
    const b = triangle[(i + 1) % 3];
    const [heightA, heightB] = [a, b].map((corner) => dot(subtract(corner, onPlane), normal));
    return heightA === heightB || heightA > 0 === heightB > 0 ? [] : [lerp(a, b, heightA / (heightA - heightB))];
  });
}

/** Rounds after which two triangles of any shape are looked at closely enough to be marked. */
const ROUNDS = 12;

/** Points of two triangles that are about as near to each other as any. Source: W. Cheney, A. Goldstein, "Proximity maps for convex sets" (1959). */
function nearestPoints(start: Vec3, p: Corners, q: Corners): [onP: Vec3, onQ: Vec3] {
  let onP = start;
  let onQ = start;
  for (let round = 0; round < ROUNDS; round++) {
    onQ = pointOf(q, onP);
    onP = pointOf(p, onQ);
  }
  return [onP, onQ];
}

type Corners = readonly [corners: Float32Array, at: number];

const weights = { v: 0, w: 0 };

function pointOf([corners, at]: Corners, near: Vec3): Vec3 {
  squaredDistanceToTriangle(corners, at, ...near, weights);
  const { v, w } = weights;
  const [a, b, c] = triangleAt(corners, at);
  return [0, 1, 2].map((axis) => a[axis] + v * (b[axis] - a[axis]) + w * (c[axis] - a[axis])) as unknown as Vec3;
}
