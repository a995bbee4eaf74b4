import type { Progress } from "../../core/progress.ts";
import { lowerBound, upperBound } from "../../geometry/binary-search.ts";
import type { CoplanarCluster, Segment } from "./coplanar-cluster.ts";
import {
  commonLine,
  compareAlongLine,
  type ExactPoint,
  type IntegerGrid,
  lineIntersection,
  lineThrough,
  orient2d,
  type PlaneProjection,
  pointOnLine,
  type PointSet,
} from "./exact-geometry.ts";

const STEPS_PER_REPORT = 4096;

/** Most comparisons of the segments of a cluster, which take about two seconds. */
const MAX_STEPS = 1e8;

/**
 * Adds the intersections of the segments of a cluster to its points and splits each segment at the points on it. The first call for
 * a cluster uses all points, later calls only the points that were added after the last call. Returns false if the set would have more
 * than `maxPoints` or the comparisons are too many; the cluster cannot be used then.
 */
export function splitSegments(
  cluster: CoplanarCluster,
  set: PointSet,
  grid: IntegerGrid,
  maxPoints: number,
  progress: Progress,
): boolean {
  const { projection, segments, lines } = cluster;
  const isFirst = lines.length === 0;
  if (isFirst) startLines(cluster);
  const addedOn = addedPointsOnLines(cluster, set);
  const leftOf = ({ ends: [a, b] }: Segment): number =>
    Math.min(leftOfPoint(projection, set, a), leftOfPoint(projection, set, b));
  segments.sort((one, other) => leftOf(one) - leftOf(other));
  if (isFirst && !addCrossings(cluster, addedOn, set, grid, maxPoints, progress)) return false;
  cluster.splitPointCount = cluster.points.size;
  lines.forEach((line, i) => {
    if (addedOn[i].size > 0) lines[i] = inOrder(projection, endsOf(line), [...line, ...addedOn[i]], set);
  });
  const pieces = piecesOf(cluster, isFirst ? undefined : addedOn, set);
  segments.length = 0;
  for (const piece of pieces) segments.push(piece);
  return true;
}

/** Makes each segment a line, and its ends points of the cluster. */
function startLines({ points, segments, lines }: CoplanarCluster): void {
  for (const { ends } of segments) {
    points.add(ends[0]).add(ends[1]);
    lines.push([...ends]);
  }
}

const endsOf = (line: readonly number[]): [number, number] => [line[0], line[line.length - 1]];

const leftOfPoint = ({ right }: PlaneProjection, { all }: PointSet, point: number): number => all[point].mm[right];

/** For each line of a cluster: the points on it that were added after the last split. */
function addedPointsOnLines(
  { projection, points, lines, splitPointCount }: CoplanarCluster,
  set: PointSet,
): Set<number>[] {
  const leftOf = (point: number): number => leftOfPoint(projection, set, point);
  const added = [...points].slice(splitPointCount).sort((a, b) => leftOf(a) - leftOf(b));
  const lefts = Float64Array.from(added, leftOf);
  return lines.map((line) => {
    const ends = endsOf(line);
    const box = boxOf(projection, set.all[ends[0]], set.all[ends[1]]);
    const near = added.slice(lowerBound(lefts, box[0]), upperBound(lefts, box[2]));
    return new Set(near.filter((point) => isInSegment(projection, ends, box, point, set)));
  });
}

/** Adds the points where segments cross. Returns false if these, or the comparisons, are too many. */
function addCrossings(
  { projection, points, segments }: CoplanarCluster,
  addedOn: readonly Set<number>[],
  set: PointSet,
  grid: IntegerGrid,
  maxPoints: number,
  progress: Progress,
): boolean {
  return visitCrossings(projection, segments, set, progress, (one, other) => {
    const crossing = set.add(crossingOf(projection, one, other, set, grid));
    points.add(crossing);
    addedOn[one.line].add(crossing);
    addedOn[other.line].add(crossing);
    return set.all.length <= maxPoints;
  });
}

/** The pieces of all segments, each once. At the first split, without `addedOn`, each segment is a whole line. */
function piecesOf(
  { projection, segments, lines }: CoplanarCluster,
  addedOn: readonly Set<number>[] | undefined,
  set: PointSet,
): Segment[] {
  const known = new Set<number>();
  const pieces: Segment[] = [];
  for (const { ends, line, cut } of segments) {
    const chain = addedOn ? splitAt(projection, ends, addedOn[line], set) : lines[line];
    for (let k = 0; k + 1 < chain.length; k++) {
      const [from, to] = [Math.min(chain[k], chain[k + 1]), Math.max(chain[k], chain[k + 1])];
      const key = from * set.all.length + to;
      if (!known.has(key)) pieces.push({ ends: [from, to], line, cut });
      known.add(key);
    }
  }
  return pieces;
}

/** The ends of a segment and the points between them, in order. `onLine` are points of its line. */
function splitAt(
  projection: PlaneProjection,
  ends: readonly [number, number],
  onLine: ReadonlySet<number>,
  set: PointSet,
): number[] {
  const [p, q] = [set.all[ends[0]], set.all[ends[1]]];
  const inner = [...onLine].filter((point) => isBetween(projection, p, set.all[point], q));
  return inOrder(projection, ends, [...ends, ...inner], set);
}

/** The point where two segments cross. Both must not be split yet. */
function crossingOf(
  projection: PlaneProjection,
  one: Segment,
  other: Segment,
  { all }: PointSet,
  grid: IntegerGrid,
): ExactPoint {
  const [p, q, r, s] = [...one.ends, ...other.ends].map((end) => all[end]);
  if (one.cut && other.cut) return pointOnLine(commonLine(projection.plane, one.cut), other.cut, grid);
  if (one.cut) return pointOnLine(lineThrough(r, s), one.cut, grid);
  if (other.cut) return pointOnLine(lineThrough(p, q), other.cut, grid);
  return lineIntersection(projection, [p, q], [r, s], grid);
}

/**
 * Visits the pairs of segments that cross at a point inside both, until `visit` returns false. The segments must be sorted by their left
 * ends. Returns whether it visited all pairs in at most {@link MAX_STEPS} comparisons.
 */
function visitCrossings(
  projection: PlaneProjection,
  segments: readonly Segment[],
  { all }: PointSet,
  progress: Progress,
  visit: (one: Segment, other: Segment) => boolean,
): boolean {
  const boxes = segments.map(({ ends }) => boxOf(projection, all[ends[0]], all[ends[1]]));
  let steps = 0;
  for (let i = 0; i < segments.length; i++) {
    const [a, b] = segments[i].ends;
    const [p, q, box] = [all[a], all[b], boxes[i]];
    for (let j = i + 1; j < segments.length && boxes[j][0] <= box[2]; j++) {
      if (++steps % STEPS_PER_REPORT === 0) progress.report(i / segments.length);
      if (steps > MAX_STEPS) return false;
      if (!boxesOverlap(box, boxes[j])) continue;
      const [c, d] = segments[j].ends;
      if (a === c || a === d || b === c || b === d) continue;
      const [r, s] = [all[c], all[d]];
      if (!areOpposite(orient2d(projection, p, q, r), orient2d(projection, p, q, s))) continue;
      if (!areOpposite(orient2d(projection, r, s, p), orient2d(projection, r, s, q))) continue;
      if (!visit(segments[i], segments[j])) return false;
    }
  }
  return true;
}

const areOpposite = (a: number, b: number): boolean => (a < 0 && b > 0) || (a > 0 && b < 0);

/** Whether a point is between the ends of a segment with a known box. */
function isInSegment(
  projection: PlaneProjection,
  [a, b]: readonly [number, number],
  box: Box,
  index: number,
  { all }: PointSet,
): boolean {
  if (index === a || index === b) return false;
  const [p, q, point] = [all[a], all[b], all[index]];
  const [x, y] = [point.mm[projection.right], point.mm[projection.up]];
  if (x < box[0] || x > box[2] || y < box[1] || y > box[3]) return false;
  return orient2d(projection, p, q, point) === 0 && isBetween(projection, p, point, q);
}

/** Whether a point of the line through p and q is between them. */
const isBetween = (projection: PlaneProjection, p: ExactPoint, point: ExactPoint, q: ExactPoint): boolean =>
  compareAlongLine(projection, p, point) * compareAlongLine(projection, point, q) > 0;

/** The points of a line in their order, in the direction from one to another. */
function inOrder(
  projection: PlaneProjection,
  [a, b]: readonly [number, number],
  points: readonly number[],
  { all }: PointSet,
): number[] {
  const direction = compareAlongLine(projection, all[a], all[b]);
  return points.toSorted((one, other) => -direction * compareAlongLine(projection, all[one], all[other]));
}

type Box = readonly [left: number, bottom: number, right: number, top: number];

const boxOf = ({ right, up }: PlaneProjection, { mm: p }: ExactPoint, { mm: q }: ExactPoint): Box => [
  Math.min(p[right], q[right]),
  Math.min(p[up], q[up]),
  Math.max(p[right], q[right]),
  Math.max(p[up], q[up]),
];

/** Rounding keeps the order of coordinates: exact boxes do not overlap if the rounded ones do not. */
const boxesOverlap = (a: Box, b: Box): boolean => a[0] <= b[2] && b[0] <= a[2] && a[1] <= b[3] && b[1] <= a[3];
