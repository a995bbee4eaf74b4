import type { Progress } from "../../core/progress.ts";
import { lowerBound, upperBound } from "../../geometry/binary-search.ts";
import { constrainedDelaunay } from "./constrained-delaunay.ts";
import {
  commonLine,
  compareAlongLine,
  type ExactFacet,
  type ExactPlane,
  type ExactPoint,
  type IntegerGrid,
  lineIntersection,
  lineThrough,
  orient2d,
  type PlaneProjection,
  pointOnLine,
  type PointSet,
} from "./exact-geometry.ts";

/** Overlapping facets in one plane, most often a single one, and what cuts them. Points are indices in a {@link PointSet}. */
export interface CoplanarCluster {
  readonly facets: readonly ClusterFacet[];
  readonly projection: PlaneProjection;
  /** Points in the plane that must become vertices. */
  readonly points: Set<number>;
  /** Segments in the plane that must become edges, first the edges of the facets, three for each. */
  readonly segments: Segment[];
  /** The points on each of the segments, as they were before they were split, in order. */
  readonly lines: number[][];
  /** The number of points at which segments are split: those added since come after them. */
  splitPoints: number;
}

const STEPS_PER_REPORT = 4096;
const TRIANGLES_PER_REPORT = 256;
/** Beside a look at the box of each facet of the cluster. */
const STEPS_PER_TRIANGLE = 256;

/** Most comparisons of the segments of a cluster, which take about two seconds. */
const MAX_STEPS = 1e8;

export interface Segment {
  readonly ends: readonly [number, number];
  /** The line of the cluster that it is a part of. */
  readonly line: number;
  /** The plane of the facet that cuts the cluster along this segment; edges of the facets themselves have none. */
  readonly cut: ExactPlane | undefined;
}

interface ClusterFacet {
  readonly exact: ExactFacet;
  /** Index in the surface. */
  readonly facet: number;
  /** 1 where it is counter-clockwise in the projection, −1 where it is clockwise. */
  readonly orientation: 1 | -1;
}

/** A triangle of a cluster, its corners counter-clockwise in the projection. */
interface ClusterTriangle {
  readonly corners: readonly [number, number, number];
  /** Number of facets that cover it, those with orientation −1 subtracted. */
  readonly multiplicity: number;
}

/**
 * Adds the intersections of the segments of a cluster to its points, and splits each segment at the points on it; where that was
 * done before, at the points added since. False, and the cluster of no use, where the set would get more than `maxPoints`.
 */
export function splitSegments(
  cluster: CoplanarCluster,
  set: PointSet,
  grid: IntegerGrid,
  maxPoints: number,
  progress: Progress,
): boolean {
  const { projection, points, segments, lines } = cluster;
  const leftOf = (index: number): number => set.all[index].mm[projection.right];
  const isFirst = lines.length === 0;
  if (isFirst) {
    for (const { ends } of segments) {
      points.add(ends[0]).add(ends[1]);
      lines.push([...ends]);
    }
  }
  const added = [...points].slice(cluster.splitPoints).sort((a, b) => leftOf(a) - leftOf(b));
  const lefts = Float64Array.from(added, leftOf);
  const addedOn = lines.map((line) => {
    const [a, b] = [line[0], line[line.length - 1]];
    const box = boxOf(projection, set.all[a], set.all[b]);
    const near = added.slice(lowerBound(lefts, box[0]), upperBound(lefts, box[2]));
    return new Set(near.filter((point) => isInSegment(projection, [a, b], box, point, set)));
  });
  segments.sort((one, other) => segmentLeft(one, leftOf) - segmentLeft(other, leftOf));
  if (isFirst) {
    const isWhole = visitCrossings(projection, segments, set, progress, (one, other) => {
      const crossing = set.add(crossingOf(projection, one, other, set, grid));
      points.add(crossing);
      addedOn[one.line].add(crossing);
      addedOn[other.line].add(crossing);
      return set.all.length <= maxPoints;
    });
    if (!isWhole) return false;
  }
  cluster.splitPoints = points.size;
  lines.forEach((line, i) => {
    if (addedOn[i].size > 0)
      lines[i] = inOrder(projection, [line[0], line[line.length - 1]], [...line, ...addedOn[i]], set);
  });
  const isSplit = new Set<number>();
  const split: Segment[] = [];
  for (const { ends, line, cut } of segments) {
    const [p, q] = [set.all[ends[0]], set.all[ends[1]]];
    const inner = isFirst ? [] : [...addedOn[line]].filter((point) => isBetween(projection, p, set.all[point], q));
    const chain = isFirst ? lines[line] : inOrder(projection, ends, [...ends, ...inner], set);
    for (let k = 0; k + 1 < chain.length; k++) {
      const [from, to] = [Math.min(chain[k], chain[k + 1]), Math.max(chain[k], chain[k + 1])];
      const key = from * set.all.length + to;
      if (!isSplit.has(key)) split.push({ ends: [from, to], line, cut });
      isSplit.add(key);
    }
  }
  segments.length = 0;
  for (const segment of split) segments.push(segment);
  return true;
}

const segmentLeft = ({ ends }: Segment, leftOf: (point: number) => number): number =>
  Math.min(leftOf(ends[0]), leftOf(ends[1]));

/** The point where two segments, which were not split yet, cross. */
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
 * Visits the pairs of segments, sorted from left to right, that cross each other inside both, until `visit` returns false. Returns
 * whether it has visited all of them, in at most {@link MAX_STEPS} comparisons.
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

/** Whether a point is between the ends of a segment, whose box is known. */
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

/** Triangulates the facets of a cluster along its points and segments, which must be split already. */
export function triangulateCluster(
  { facets, projection, points, segments, lines }: CoplanarCluster,
  set: PointSet,
  grid: IntegerGrid,
  progress: Progress,
): ClusterTriangle[] {
  const indices = [...points].sort((a, b) => a - b);
  const local = indices.map((index) => set.all[index]);
  const localOf = (index: number): number => lowerBound(indices, index);
  const edges = segments.map(({ ends: [a, b] }) => [localOf(a), localOf(b)] as const);
  const localLines = lines.filter(({ length }) => length > 2).map((line) => line.map(localOf));
  const triangles = constrainedDelaunay(projection, local, edges, localLines, grid, progress.part(0, 0.5));
  const covering = coveringFacets(facets, projection, lines, set);
  return triangles.flatMap((triangle, i): ClusterTriangle[] => {
    if (i % TRIANGLES_PER_REPORT === TRIANGLES_PER_REPORT - 1) {
      progress.report(0.5 + (0.5 * i) / triangles.length, TRIANGLES_PER_REPORT * (STEPS_PER_TRIANGLE + facets.length));
    }
    const [a, b, c] = triangle;
    const corners = [indices[a], indices[b], indices[c]] as const;
    // All triangles in the plane of a single facet are in that facet.
    const around = facets.length === 1 ? facets : covering(corners);
    if (around.length === 0) return [];
    return [{ corners, multiplicity: around.reduce((sum, { orientation }) => sum + orientation, 0) }];
  });
}

/**
 * Returns a look-up of the facets of a cluster that cover a triangle, which must not cross their edges. The first of `lines` are the
 * points on these edges, three for each facet: they need no exact predicate.
 */
function coveringFacets(
  facets: readonly ClusterFacet[],
  projection: PlaneProjection,
  lines: readonly (readonly number[])[],
  { all }: PointSet,
): (corners: readonly [number, number, number]) => ClusterFacet[] {
  const { right, up } = projection;
  const boxes = Float64Array.from(facets.flatMap(({ exact: { corners } }) => boxAround(projection, corners)));
  const onEdge = lines.slice(0, 3 * facets.length).map((line) => new Set(line));
  const isCovered = (index: number, corner: number): boolean => {
    const { exact, orientation } = facets[index];
    return [0, 1, 2].every((k) => {
      if (onEdge[3 * index + k].has(corner)) return true;
      return orientation * orient2d(projection, exact.corners[k], exact.corners[(k + 1) % 3], all[corner]) >= 0;
    });
  };
  return (corners) => {
    const [p, q, r] = corners.map((corner) => all[corner].mm);
    const left = Math.min(p[right], q[right], r[right]);
    const bottom = Math.min(p[up], q[up], r[up]);
    const rightmost = Math.max(p[right], q[right], r[right]);
    const top = Math.max(p[up], q[up], r[up]);
    const found: ClusterFacet[] = [];
    for (let index = 0, at = 0; index < facets.length; index++, at += 4) {
      if (left < boxes[at] || bottom < boxes[at + 1] || rightmost > boxes[at + 2] || top > boxes[at + 3]) continue;
      if (corners.every((corner) => isCovered(index, corner))) found.push(facets[index]);
    }
    return found;
  };
}

type Box = readonly [left: number, bottom: number, right: number, top: number];

const boxAround = ({ right, up }: PlaneProjection, points: readonly ExactPoint[]): Box => [
  Math.min(...points.map(({ mm }) => mm[right])),
  Math.min(...points.map(({ mm }) => mm[up])),
  Math.max(...points.map(({ mm }) => mm[right])),
  Math.max(...points.map(({ mm }) => mm[up])),
];

const boxOf = ({ right, up }: PlaneProjection, { mm: p }: ExactPoint, { mm: q }: ExactPoint): Box => [
  Math.min(p[right], q[right]),
  Math.min(p[up], q[up]),
  Math.max(p[right], q[right]),
  Math.max(p[up], q[up]),
];

/** Rounding keeps the order of coordinates: exact boxes do not overlap where the rounded ones do not. */
const boxesOverlap = (a: Box, b: Box): boolean => a[0] <= b[2] && b[0] <= a[2] && a[1] <= b[3] && b[1] <= a[3];
