import { nearestShare } from "./segment.ts";
import type { Ring } from "./region.ts";

/** A point on a hull: on its edge `edge`, at `share` of its length. */
interface OnHull {
  readonly edge: number;
  readonly share: number;
}

/**
 * A ring without the bits that it reaches beyond a convex hull: those are drawn in to the hull's nearest points, by way of its
 * corners between. So it still encloses whatever lies in both, and is as exact as the hull wherever it lay outside of it.
 *
 * @param hull Counter-clockwise.
 */
export function clampToHull(ring: Ring, hull: Ring): Ring {
  const corners: number[] = [];
  let [ax, ay] = [ring.at(-2)!, ring.at(-1)!];
  for (let i = 0; i < ring.length; i += 2) {
    const [bx, by] = [ring[i], ring[i + 1]];
    const [from, to] = shareInside(hull, ax, ay, bx, by);
    const at = (share: number): [number, number] => [ax + share * (bx - ax), ay + share * (by - ay)];
    if (from >= to) followHull(corners, hull, [ax, ay], [bx, by]);
    else {
      if (from > 0) followHull(corners, hull, [ax, ay], at(from));
      corners.push(...at(to));
      if (to < 1) followHull(corners, hull, at(to), [bx, by]);
    }
    [ax, ay] = [bx, by];
  }
  return Float64Array.from(corners);
}

/** The shares of a segment between which it lies in the hull; the first is the greater one where it lies outside. */
function shareInside(hull: Ring, ax: number, ay: number, bx: number, by: number): [from: number, to: number] {
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

type Xy = readonly [x: number, y: number];

/** Adds the way along the hull between the points nearest to two points: the shorter one, without its start. */
function followHull(corners: number[], hull: Ring, from: Xy, to: Xy): void {
  const [start, end] = [nearestOnHull(hull, from), nearestOnHull(hull, to)];
  const onward = wayAlong(hull, start, end);
  const back = wayAlong(hull, end, start);
  const startPoint = pointAt(hull, start);
  const endPoint = pointAt(hull, end);
  const ways = [
    [...onward, ...endPoint],
    [...inPairs(back).toReversed().flat(), ...endPoint],
  ];
  const [first, second] = ways.map((way) => lengthOf([...startPoint, ...way]));
  corners.push(...(first <= second ? ways[0] : ways[1]));
}

function nearestOnHull(hull: Ring, [x, y]: Xy): OnHull {
  let nearest: OnHull = { edge: 0, share: 0 };
  let least = Infinity;
  for (let edge = 0; edge < hull.length / 2; edge++) {
    const [i, j] = [2 * edge, (2 * edge + 2) % hull.length];
    const share = nearestShare(x, y, hull[i], hull[i + 1], hull[j], hull[j + 1]);
    const [px, py] = pointAt(hull, { edge, share });
    const square = (px - x) ** 2 + (py - y) ** 2;
    if (square < least) [nearest, least] = [{ edge, share }, square];
  }
  return nearest;
}

function pointAt(hull: Ring, { edge, share }: OnHull): [number, number] {
  const [i, j] = [2 * edge, (2 * edge + 2) % hull.length];
  return share === 1
    ? [hull[j], hull[j + 1]]
    : [hull[i] + share * (hull[j] - hull[i]), hull[i + 1] + share * (hull[j + 1] - hull[i + 1])];
}

/** The corners that a counter-clockwise walk from one point to another passes. */
function wayAlong(hull: Ring, start: OnHull, end: OnHull): number[] {
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

const inPairs = (line: readonly number[]): number[][] =>
  Array.from({ length: line.length / 2 }, (_, i) => [line[2 * i], line[2 * i + 1]]);

function lengthOf(line: readonly number[]): number {
  let sum = 0;
  for (let i = 2; i < line.length; i += 2) {
    sum += Math.sqrt((line[i] - line[i - 2]) ** 2 + (line[i + 1] - line[i - 1]) ** 2);
  }
  return sum;
}
