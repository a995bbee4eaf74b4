import { type Rectangle, boundingRectangle } from "../geometry/box.ts";
import { convexHull } from "../geometry/convex-hull.ts";
import type { Polygons } from "../geometry/polygon.ts";

/**
 * Polygons as flat arrays of edges with bounding boxes, for distances and collisions. Polygons may overlap: the area is
 * where their winding number is above 0.
 */
export interface IndexedPolygon {
  /** x and y of both ends of each edge, mm; the solid side is to the left. */
  readonly edges: Float64Array;
  /** minX, minY, maxX, maxY of each {@link EDGES_PER_BOX} consecutive edges. */
  readonly chunkBoxes: Float64Array;
  /** Index of the first edge of each polygon. */
  readonly ringStarts: readonly number[];
  readonly box: Rectangle;
}

/** Edges per box: few enough that most pairs of boxes are far apart. */
const EDGES_PER_BOX = 8;

/** Sines are rounded to 1 / this: the last bits differ between JavaScript engines. */
const SINE_STEPS = 2 ** 40;

/** The polygons rotated counter-clockwise about the origin. Multiples of 90° are exact. */
export function rotatePolygons(rings: Polygons, turnDeg: number): Polygons {
  const [sin, cos] = [Math.sin, Math.cos].map(
    (of) => Math.round(of((turnDeg * Math.PI) / 180) * SINE_STEPS) / SINE_STEPS,
  );
  return rings.map((ring) =>
    ring.map((_, i) => (i % 2 === 0 ? cos * ring[i] - sin * ring[i + 1] : sin * ring[i - 1] + cos * ring[i])),
  );
}

/** {@link rotatePolygons}, indexed. */
export function indexPolygon(rings: Polygons, turnDeg: number): IndexedPolygon {
  const rotated = rotatePolygons(rings, turnDeg);
  const edges = rotated.flatMap((ring) =>
    Array.from({ length: ring.length / 2 }, (_, i) => {
      const j = (2 * i + 2) % ring.length;
      return [ring[2 * i], ring[2 * i + 1], ring[j], ring[j + 1]];
    }),
  );
  const ringStarts = rings.map((_, i) => rings.slice(0, i).reduce((sum, ring) => sum + ring.length / 2, 0));
  return {
    edges: Float64Array.from(edges.flat()),
    chunkBoxes: chunkBoxesOf(edges),
    ringStarts,
    box: boundingRectangle(rotated),
  };
}

function chunkBoxesOf(edges: readonly number[][]): Float64Array {
  const boxes: number[] = [];
  for (let i = 0; i < edges.length; i += EDGES_PER_BOX) {
    const { minX, minY, maxX, maxY } = boundingRectangle([Float64Array.from(edges.slice(i, i + EDGES_PER_BOX).flat())]);
    boxes.push(minX, minY, maxX, maxY);
  }
  return Float64Array.from(boxes);
}

/** x, y of the corners of the convex hull of all polygons, counter-clockwise. */
export function commonHull(polygons: readonly IndexedPolygon[]): Float64Array {
  const starts = polygons.flatMap(({ edges }) =>
    Array.from({ length: edges.length / 4 }, (_, i) => [edges[4 * i], edges[4 * i + 1]]),
  );
  return convexHull(
    Float64Array.from(starts, ([x]) => x),
    Float64Array.from(starts, ([, y]) => y),
  );
}

/**
 * The winding number of the polygons about a point. Not `containsPoint` of geometry/polygon.ts: its parity is wrong
 * where polygons overlap, and this inner loop reads the flat array of edges.
 */
export function windingNumberAt({ edges }: IndexedPolygon, x: number, y: number): number {
  let winding = 0;
  for (let i = 0; i < edges.length; i += 4) {
    const [ay, by] = [edges[i + 1], edges[i + 3]];
    if (ay <= y === by <= y) continue;
    const side = (edges[i + 2] - edges[i]) * (y - ay) - (by - ay) * (x - edges[i]);
    if (by > ay && side > 0) winding++;
    else if (by < ay && side < 0) winding--;
  }
  return winding;
}

/** The exact distance between `a` and `b` moved by (dx, dy), mm: 0 where they overlap, at most `maxMm`. */
export function distanceBetween(a: IndexedPolygon, b: IndexedPolygon, dx: number, dy: number, maxMm: number): number {
  let least = maxMm;
  const [p, q] = [a.edges, b.edges];
  forEachNearEdgePair(a, b, dx, dy, maxMm, (i, j) => {
    if (least > 0) least = Math.min(least, edgeDistance(p, i, q, j, dx, dy));
  });
  return least > 0 && isOneInsideOther(a, b, dx, dy) ? 0 : least;
}

function edgeDistance(p: Float64Array, i: number, q: Float64Array, j: number, dx: number, dy: number): number {
  const [ax, ay, bx, by] = [p[i], p[i + 1], p[i + 2], p[i + 3]];
  const [cx, cy, ex, ey] = [q[j] + dx, q[j + 1] + dy, q[j + 2] + dx, q[j + 3] + dy];
  if (segmentsCross(ax, ay, bx, by, cx, cy, ex, ey)) return 0;
  return Math.min(
    distanceToSegment(ax, ay, cx, cy, ex, ey),
    distanceToSegment(bx, by, cx, cy, ex, ey),
    distanceToSegment(cx, cy, ax, ay, bx, by),
    distanceToSegment(ex, ey, ax, ay, bx, by),
  );
}

/** Whether one of two shapes whose edges do not cross has a polygon inside the other. */
export function isOneInsideOther(a: IndexedPolygon, b: IndexedPolygon, dx: number, dy: number): boolean {
  const apart =
    b.box.minX + dx > a.box.maxX ||
    b.box.maxX + dx < a.box.minX ||
    b.box.minY + dy > a.box.maxY ||
    b.box.maxY + dy < a.box.minY;
  if (apart) return false;
  return (
    b.ringStarts.some((start) => windingNumberAt(a, b.edges[4 * start] + dx, b.edges[4 * start + 1] + dy) > 0) ||
    a.ringStarts.some((start) => windingNumberAt(b, a.edges[4 * start] - dx, a.edges[4 * start + 1] - dy) > 0)
  );
}

/**
 * Visits each pair of an edge of `a` and an edge of `b` moved by (dx, dy) whose bounding boxes are at most `reachMm`
 * apart. `i` and `j` are offsets into their arrays of edges.
 */
export function forEachNearEdgePair(
  a: IndexedPolygon,
  b: IndexedPolygon,
  dx: number,
  dy: number,
  reachMm: number,
  visit: (i: number, j: number) => void,
): void {
  const [boxesA, boxesB] = [a.chunkBoxes, b.chunkBoxes];
  for (let p = 0; p < boxesA.length; p += 4) {
    const minX = boxesA[p] - reachMm - dx;
    const minY = boxesA[p + 1] - reachMm - dy;
    const maxX = boxesA[p + 2] + reachMm - dx;
    const maxY = boxesA[p + 3] + reachMm - dy;
    for (let q = 0; q < boxesB.length; q += 4) {
      if (boxesB[q] > maxX || boxesB[q + 2] < minX || boxesB[q + 1] > maxY || boxesB[q + 3] < minY) continue;
      visitChunkPair(a.edges, p * EDGES_PER_BOX, b.edges, q * EDGES_PER_BOX, dx, dy, reachMm, visit);
    }
  }
}

function visitChunkPair(
  a: Float64Array,
  startA: number,
  b: Float64Array,
  startB: number,
  dx: number,
  dy: number,
  reachMm: number,
  visit: (i: number, j: number) => void,
): void {
  const endA = Math.min(a.length, startA + 4 * EDGES_PER_BOX);
  const endB = Math.min(b.length, startB + 4 * EDGES_PER_BOX);
  for (let i = startA; i < endA; i += 4) {
    const minX = Math.min(a[i], a[i + 2]) - reachMm - dx;
    const maxX = Math.max(a[i], a[i + 2]) + reachMm - dx;
    const minY = Math.min(a[i + 1], a[i + 3]) - reachMm - dy;
    const maxY = Math.max(a[i + 1], a[i + 3]) + reachMm - dy;
    for (let j = startB; j < endB; j += 4) {
      if ((b[j] > maxX && b[j + 2] > maxX) || (b[j] < minX && b[j + 2] < minX)) continue;
      if ((b[j + 1] > maxY && b[j + 3] > maxY) || (b[j + 1] < minY && b[j + 3] < minY)) continue;
      visit(i, j);
    }
  }
}

/** Parameter of the point of a segment closest to (x, y): 0 at (ax, ay), 1 at (bx, by). */
export function closestSegmentParameter(x: number, y: number, ax: number, ay: number, bx: number, by: number): number {
  const [ux, uy] = [bx - ax, by - ay];
  const square = ux * ux + uy * uy;
  if (square === 0) return 0;
  return Math.min(1, Math.max(0, ((x - ax) * ux + (y - ay) * uy) / square));
}

export function distanceToSegment(x: number, y: number, ax: number, ay: number, bx: number, by: number): number {
  const share = closestSegmentParameter(x, y, ax, ay, bx, by);
  // Not Math.hypot: JavaScript engines differ in its last bit.
  return Math.sqrt((ax + share * (bx - ax) - x) ** 2 + (ay + share * (by - ay) - y) ** 2);
}

/** Whether two segments cross in a point inside both. Segments that only touch do not. */
export function segmentsCross(
  ax: number,
  ay: number,
  bx: number,
  by: number,
  cx: number,
  cy: number,
  dx: number,
  dy: number,
): boolean {
  const side = (px: number, py: number, qx: number, qy: number, x: number, y: number): number =>
    (qx - px) * (y - py) - (qy - py) * (x - px);
  const [c, d] = [side(ax, ay, bx, by, cx, cy), side(ax, ay, bx, by, dx, dy)];
  const [a, b] = [side(cx, cy, dx, dy, ax, ay), side(cx, cy, dx, dy, bx, by)];
  return ((c > 0 && d < 0) || (c < 0 && d > 0)) && ((a > 0 && b < 0) || (a < 0 && b > 0));
}
