import { closestSegmentParameter, distanceToSegment } from "./indexed-polygon.ts";
import type { Polygon } from "../geometry/polygon.ts";

/** Shares of the tolerance that the passes may use: corners whose removal deviates least are removed first. */
const PASS_SHARES = [1 / 64, 1 / 16, 1 / 4, 1];
/** Directions whose angle has a smaller sine count as parallel. */
const PARALLEL_SINE = 1e-9;

/**
 * A polygon with fewer corners that contains the area of `ring` and reaches at most `toleranceMm` beyond it. Reflex
 * corners are removed, and short edges are replaced by the intersection of their neighbours. Undefined where a hole
 * vanishes.
 */
export function simplifyOutward(ring: Polygon, toleranceMm: number): Polygon | undefined {
  const line: LinkedRing = {
    xs: ring.filter((_, i) => i % 2 === 0),
    ys: ring.filter((_, i) => i % 2 === 1),
    beyond: new Float64Array(ring.length / 2),
    next: Int32Array.from({ length: ring.length / 2 }, (_, i) => (i + 1) % (ring.length / 2)),
    count: ring.length / 2,
  };
  let at = 0;
  for (const share of PASS_SHARES) {
    // A pass ends after one round without a change.
    for (let idle = 0; idle <= line.count && line.count >= 3;) {
      if (removeReflexCorner(line, at, toleranceMm * share) || removeShortEdge(line, at, toleranceMm * share)) idle = 0;
      else {
        at = line.next[at];
        idle++;
      }
    }
  }
  if (line.count < 3) return undefined;
  const corners: number[] = [];
  for (let i = 0; i < line.count; i++, at = line.next[at]) corners.push(line.xs[at], line.ys[at]);
  return Float64Array.from(corners);
}

/** A polygon as a linked list of corners. */
interface LinkedRing {
  readonly xs: Float64Array;
  readonly ys: Float64Array;
  /** For the edge that begins at each corner: its greatest distance beyond the original polygon, mm. */
  readonly beyond: Float64Array;
  readonly next: Int32Array;
  count: number;
}

/** Removes the corner after `a` where it is reflex, or collinear with its neighbours. */
function removeReflexCorner(line: LinkedRing, a: number, tolerance: number): boolean {
  const { xs, ys, beyond, next } = line;
  const b = next[a];
  const c = next[b];
  const [ux, uy, vx, vy] = [xs[b] - xs[a], ys[b] - ys[a], xs[c] - xs[b], ys[c] - ys[b]];
  const turn = ux * vy - uy * vx;
  const straight = PARALLEL_SINE * Math.sqrt((ux * ux + uy * uy) * (vx * vx + vy * vy));
  if (turn > straight) return false;
  const reach = Math.max(beyond[a], beyond[b]) + distanceToSegment(xs[b], ys[b], xs[a], ys[a], xs[c], ys[c]);
  if (reach > tolerance) return false;
  beyond[a] = reach;
  next[a] = c;
  line.count--;
  return true;
}

/** Replaces both ends of the edge after the one that begins at `a` by the intersection of its two neighbours. */
function removeShortEdge(line: LinkedRing, a: number, tolerance: number): boolean {
  const { xs, ys, beyond, next } = line;
  const b = next[a];
  const c = next[b];
  const d = next[c];
  if (line.count < 4) return false;
  const [ux, uy, wx, wy] = [xs[b] - xs[a], ys[b] - ys[a], xs[c] - xs[d], ys[c] - ys[d]];
  const [vx, vy] = [xs[c] - xs[b], ys[c] - ys[b]];
  const across = wx * uy - wy * ux;
  const scale = Math.sqrt((ux * ux + uy * uy) * (wx * wx + wy * wy));
  // Only where both ends are convex and the neighbours intersect beyond the edge.
  if (ux * vy - uy * vx <= 0 || wx * vy - wy * vx <= 0 || across <= PARALLEL_SINE * scale) return false;
  const along = (wx * vy - wy * vx) / across;
  const [x, y] = [xs[b] + along * ux, ys[b] + along * uy];
  const high = Math.abs((x - xs[b]) * vy - (y - ys[b]) * vx) / Math.sqrt(vx * vx + vy * vy);
  const reach = beyond[b] + high;
  if (reach > tolerance) return false;
  beyond[a] = Math.max(beyond[a], reach);
  beyond[b] = Math.max(beyond[c], reach);
  xs[b] = x;
  ys[b] = y;
  next[b] = d;
  line.count--;
  return true;
}

/** A point on edge `edge` of a hull, at `share` (0 to 1) of its length. */
interface HullPoint {
  readonly edge: number;
  readonly share: number;
}

/**
 * The polygon with its parts outside a convex hull replaced by the path along the hull between their closest points. It still contains
 * the intersection of both, and follows the hull exactly where it was outside.
 * @param hull Counter-clockwise.
 */
export function clampToHull(ring: Polygon, hull: Polygon): Polygon {
  const corners: number[] = [];
  let [ax, ay] = [ring[ring.length - 2], ring[ring.length - 1]];
  for (let i = 0; i < ring.length; i += 2) {
    const [bx, by] = [ring[i], ring[i + 1]];
    const [from, to] = clipSegmentToHull(hull, ax, ay, bx, by);
    const at = (share: number): [number, number] => [ax + share * (bx - ax), ay + share * (by - ay)];
    if (from >= to) addPathAlongHull(corners, hull, [ax, ay], [bx, by]);
    else {
      if (from > 0) addPathAlongHull(corners, hull, [ax, ay], at(from));
      corners.push(...at(to));
      if (to < 1) addPathAlongHull(corners, hull, at(to), [bx, by]);
    }
    [ax, ay] = [bx, by];
  }
  return Float64Array.from(corners);
}

/** The range of parameters (0 to 1) in which a segment is in the hull, by Cyrus–Beck clipping; `from` > `to` if it is outside. */
function clipSegmentToHull(hull: Polygon, ax: number, ay: number, bx: number, by: number): [from: number, to: number] {
  let [from, to] = [0, 1];
  for (let i = 0; i < hull.length; i += 2) {
    const j = (i + 2) % hull.length;
    const [ex, ey] = [hull[j] - hull[i], hull[j + 1] - hull[i + 1]];
    const atA = ex * (ay - hull[i + 1]) - ey * (ax - hull[i]);
    const atB = ex * (by - hull[i + 1]) - ey * (bx - hull[i]);
    if (atA < 0 && atB < 0) return [1, 0];
    if (atA < 0) from = Math.max(from, atA / (atA - atB));
    else if (atB < 0) to = Math.min(to, atA / (atA - atB));
  }
  return [from, to];
}

type Point2 = readonly [x: number, y: number];

/** Adds the shorter path along the hull between the hull points closest to two points, without its start. */
function addPathAlongHull(corners: number[], hull: Polygon, from: Point2, to: Point2): void {
  const [start, end] = [closestHullPoint(hull, from), closestHullPoint(hull, to)];
  const onward = cornersBetween(hull, start, end);
  const back = cornersBetween(hull, end, start);
  const startPoint = coordinatesOf(hull, start);
  const endPoint = coordinatesOf(hull, end);
  const ways = [
    [...onward, ...endPoint],
    [...toPoints(back).toReversed().flat(), ...endPoint],
  ];
  const [first, second] = ways.map((way) => polylineLength([...startPoint, ...way]));
  corners.push(...(first <= second ? ways[0] : ways[1]));
}

function closestHullPoint(hull: Polygon, [x, y]: Point2): HullPoint {
  let nearest: HullPoint = { edge: 0, share: 0 };
  let least = Infinity;
  for (let edge = 0; edge < hull.length / 2; edge++) {
    const [i, j] = [2 * edge, (2 * edge + 2) % hull.length];
    const share = closestSegmentParameter(x, y, hull[i], hull[i + 1], hull[j], hull[j + 1]);
    const [px, py] = coordinatesOf(hull, { edge, share });
    const square = (px - x) ** 2 + (py - y) ** 2;
    if (square < least) [nearest, least] = [{ edge, share }, square];
  }
  return nearest;
}

function coordinatesOf(hull: Polygon, { edge, share }: HullPoint): [number, number] {
  const [i, j] = [2 * edge, (2 * edge + 2) % hull.length];
  return share === 1
    ? [hull[j], hull[j + 1]]
    : [hull[i] + share * (hull[j] - hull[i]), hull[i + 1] + share * (hull[j + 1] - hull[i + 1])];
}

/** The corners of the hull between two of its points, counter-clockwise. */
function cornersBetween(hull: Polygon, start: HullPoint, end: HullPoint): number[] {
  const corners: number[] = [];
  const count = hull.length / 2;
  let edge = start.edge;
  if (edge === end.edge && start.share <= end.share) return corners;
  do {
    edge = (edge + 1) % count;
    corners.push(hull[2 * edge], hull[2 * edge + 1]);
  } while (edge !== end.edge);
  return corners;
}

const toPoints = (line: readonly number[]): number[][] =>
  Array.from({ length: line.length / 2 }, (_, i) => [line[2 * i], line[2 * i + 1]]);

function polylineLength(line: readonly number[]): number {
  let sum = 0;
  for (let i = 2; i < line.length; i += 2) {
    sum += Math.sqrt((line[i] - line[i - 2]) ** 2 + (line[i + 1] - line[i - 1]) ** 2);
  }
  return sum;
}
