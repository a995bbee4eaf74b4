import { newDisjointSets } from "../geometry/disjoint-sets.ts";
import type { HalfPlane } from "./half-planes.ts";
import {
  type IndexedPolygon,
  closestSegmentParameter,
  forEachNearEdgePair,
  isOneInsideOther,
  segmentsCross,
  windingNumberAt,
} from "./indexed-polygon.ts";

/**
 * Overlaps are tested with `b` moved by this much, so that edges of equal parts in a row are not collinear, where
 * inside and outside are ambiguous. Less than the least distance of parts that are clear.
 */
const PERTURBATION_MM = [2.3e-7, 1.1e-7] as const;

/**
 * Moves of `a` that bring it `spacingMm` away from `b`, which is moved by (dx, dy): one half-plane for each corner and
 * edge that are less than `reachMm` apart, or for each piece of their intersection. A linearisation: exact for small
 * moves only.
 */
export function contactConstraints(
  a: IndexedPolygon,
  b: IndexedPolygon,
  dx: number,
  dy: number,
  spacingMm: number,
  reachMm: number,
): HalfPlane[] {
  if (isOverlapping(a, b, dx + PERTURBATION_MM[0], dy + PERTURBATION_MM[1])) {
    return overlapConstraints(a, b, dx + PERTURBATION_MM[0], dy + PERTURBATION_MM[1], spacingMm);
  }
  const constraints: HalfPlane[] = [];
  const [p, q] = [a.edges, b.edges];
  forEachNearEdgePair(a, b, dx, dy, reachMm, (i, j) => {
    const [ax, ay, bx, by] = [p[i], p[i + 1], p[i + 2], p[i + 3]];
    const [cx, cy, ex, ey] = [q[j] + dx, q[j + 1] + dy, q[j + 2] + dx, q[j + 3] + dy];
    // Each corner is the start of one edge, so the starts alone cover each corner once.
    addCornerConstraint(constraints, ax, ay, cx, cy, ex, ey, 1, spacingMm, reachMm);
    addCornerConstraint(constraints, cx, cy, ax, ay, bx, by, -1, spacingMm, reachMm);
  });
  return constraints;
}

function isOverlapping(a: IndexedPolygon, b: IndexedPolygon, dx: number, dy: number): boolean {
  const [p, q] = [a.edges, b.edges];
  let areCrossing = false;
  forEachNearEdgePair(a, b, dx, dy, 0, (i, j) => {
    const [cx, cy, ex, ey] = [q[j] + dx, q[j + 1] + dy, q[j + 2] + dx, q[j + 3] + dy];
    areCrossing ||= segmentsCross(p[i], p[i + 1], p[i + 2], p[i + 3], cx, cy, ex, ey);
  });
  return areCrossing || isOneInsideOther(a, b, dx, dy);
}

/**
 * Adds the half-plane of a corner near an edge. `sign` is 1 for a corner of the shape that moves, −1 for one of the
 * other.
 */
function addCornerConstraint(
  constraints: HalfPlane[],
  x: number,
  y: number,
  ax: number,
  ay: number,
  bx: number,
  by: number,
  sign: number,
  spacingMm: number,
  reachMm: number,
): void {
  const share = closestSegmentParameter(x, y, ax, ay, bx, by);
  const [fromX, fromY] = [x - (ax + share * (bx - ax)), y - (ay + share * (by - ay))];
  const distance = Math.sqrt(fromX * fromX + fromY * fromY);
  if (distance >= reachMm) return;
  if (distance > 0) {
    constraints.push({ x: (sign * fromX) / distance, y: (sign * fromY) / distance, least: spacingMm - distance });
    return;
  }
  // On the edge itself: away from the solid side, which is to its left.
  const length = Math.sqrt((bx - ax) ** 2 + (by - ay) ** 2);
  if (length > 0)
    constraints.push({ x: (sign * (by - ay)) / length, y: (-sign * (bx - ax)) / length, least: spacingMm });
}

/** A corner of a piece of the intersection of two shapes. */
interface IntersectionCorner {
  readonly x: number;
  readonly y: number;
}

/** Extents below this count as 0. */
const MIN_WIDTH_MM = 1e-9;

/** A corner of the intersection on an edge, at `share` (0 to 1) of its length. */
interface EdgePoint {
  readonly corner: number;
  readonly share: number;
}

/**
 * Moves of `a` that separate it from `b`, which is moved by (dx, dy): one half-plane for each connected piece of their
 * intersection, away by the least extent of the piece across one of its edges, plus `spacingMm`. Exact for shallow
 * pieces.
 */
function overlapConstraints(
  a: IndexedPolygon,
  b: IndexedPolygon,
  dx: number,
  dy: number,
  spacingMm: number,
): HalfPlane[] {
  const corners: IntersectionCorner[] = [];
  const pointsOnA = new Map<number, EdgePoint[]>();
  const pointsOnB = new Map<number, EdgePoint[]>();
  addCrossings(a, b, dx, dy, corners, pointsOnA, pointsOnB);
  addCornersInside(a, 0, 0, b, dx, dy, corners, pointsOnA);
  addCornersInside(b, dx, dy, a, 0, 0, corners, pointsOnB);
  const sets = newDisjointSets(corners.length);
  const join = (edgePoints: Map<number, EdgePoint[]>, other: IndexedPolygon, fromX: number, fromY: number): void => {
    for (const points of edgePoints.values()) {
      points.sort((p, q) => p.share - q.share);
      for (let i = 1; i < points.length; i++) {
        const [p, q] = [corners[points[i - 1].corner], corners[points[i].corner]];
        const inside = windingNumberAt(other, (p.x + q.x) / 2 - fromX, (p.y + q.y) / 2 - fromY) > 0;
        if (inside) sets.join(points[i - 1].corner, points[i].corner);
      }
    }
  };
  join(pointsOnA, b, dx, dy);
  join(pointsOnB, a, 0, 0);
  const pieces = Map.groupBy(corners.keys(), (corner) => sets.find(corner));
  const directions = Map.groupBy(
    [...separationDirections(a, pointsOnA, -1), ...separationDirections(b, pointsOnB, 1)],
    ({ corner }) => sets.find(corner),
  );
  return [...pieces].flatMap(([piece, members]) => {
    const shared = members.map((i) => corners[i]);
    const narrowest = (directions.get(piece) ?? [])
      .map(({ x, y }) => ({ x, y, width: extentAlong(shared, x, y) }))
      // Where edges are collinear, a piece has only one of its sides, with no extent across it: its length counts
      // instead.
      .filter(({ width }) => width > MIN_WIDTH_MM)
      .toSorted((p, q) => p.width - q.width)[0];
    return narrowest ? [{ x: narrowest.x, y: narrowest.y, least: narrowest.width + spacingMm }] : [];
  });
}

function addCrossings(
  a: IndexedPolygon,
  b: IndexedPolygon,
  dx: number,
  dy: number,
  corners: IntersectionCorner[],
  pointsOnA: Map<number, EdgePoint[]>,
  pointsOnB: Map<number, EdgePoint[]>,
): void {
  const [p, q] = [a.edges, b.edges];
  forEachNearEdgePair(a, b, dx, dy, 0, (i, j) => {
    const [ax, ay, bx, by] = [p[i], p[i + 1], p[i + 2], p[i + 3]];
    const [cx, cy, ex, ey] = [q[j] + dx, q[j + 1] + dy, q[j + 2] + dx, q[j + 3] + dy];
    if (!segmentsCross(ax, ay, bx, by, cx, cy, ex, ey)) return;
    const across = (bx - ax) * (ey - cy) - (by - ay) * (ex - cx);
    const share = ((cx - ax) * (ey - cy) - (cy - ay) * (ex - cx)) / across;
    const other = ((cx - ax) * (by - ay) - (cy - ay) * (bx - ax)) / across;
    const corner = corners.push({ x: ax + share * (bx - ax), y: ay + share * (by - ay) }) - 1;
    addEdgePoint(pointsOnA, i, { corner, share });
    addEdgePoint(pointsOnB, j, { corner, share: other });
  });
}

/** Adds the corners of shape `a`, moved by (ax, ay), that are in `b`, moved by (bx, by). */
function addCornersInside(
  a: IndexedPolygon,
  ax: number,
  ay: number,
  b: IndexedPolygon,
  bx: number,
  by: number,
  corners: IntersectionCorner[],
  edgePoints: Map<number, EdgePoint[]>,
): void {
  const { minX, minY, maxX, maxY } = b.box;
  for (const [ring, start] of a.ringStarts.entries()) {
    const end = a.ringStarts[ring + 1] ?? a.edges.length / 4;
    for (let edge = start; edge < end; edge++) {
      const [x, y] = [a.edges[4 * edge] + ax, a.edges[4 * edge + 1] + ay];
      if (x - bx < minX || x - bx > maxX || y - by < minY || y - by > maxY) continue;
      if (windingNumberAt(b, x - bx, y - by) <= 0) continue;
      const corner = corners.push({ x, y }) - 1;
      addEdgePoint(edgePoints, 4 * edge, { corner, share: 0 });
      addEdgePoint(edgePoints, 4 * (edge === start ? end - 1 : edge - 1), { corner, share: 1 });
    }
  }
}

function addEdgePoint(edgePoints: Map<number, EdgePoint[]>, edge: number, entry: EdgePoint): void {
  const points = edgePoints.get(edge);
  if (points) points.push(entry);
  else edgePoints.set(edge, [entry]);
}

/** The unit normals of the edges of pieces: outward for `sign` 1, inward for −1. */
function* separationDirections(
  { edges }: IndexedPolygon,
  edgePoints: Map<number, EdgePoint[]>,
  sign: number,
): Generator<IntersectionCorner & { corner: number }> {
  for (const [i, points] of edgePoints) {
    const [ux, uy] = [edges[i + 2] - edges[i], edges[i + 3] - edges[i + 1]];
    const length = Math.sqrt(ux * ux + uy * uy);
    for (const { corner } of length > 0 ? points : [])
      yield { corner, x: (sign * uy) / length, y: (-sign * ux) / length };
  }
}

function extentAlong(corners: readonly IntersectionCorner[], x: number, y: number): number {
  const along = corners.map((corner) => corner.x * x + corner.y * y);
  return Math.max(...along) - Math.min(...along);
}
