import { lowerBound, upperBound } from "../../geometry/binary-search.ts";
import { constrainedDelaunay } from "./constrained-delaunay.ts";
import {
  compareAlongLine,
  type ExactFacet,
  type ExactPoint,
  type IntegerGrid,
  isInFacet,
  lineIntersection,
  orient2d,
  type PlaneProjection,
  type PointSet,
} from "./exact-geometry.ts";

/** Overlapping facets in one plane, most often a single one, and what cuts them. Points are indices in a {@link PointSet}. */
export interface CoplanarCluster {
  readonly facets: readonly ClusterFacet[];
  readonly projection: PlaneProjection;
  /** Points in the plane that must become vertices. */
  readonly points: Set<number>;
  /** Segments in the plane that must become edges, including the edges of the facets. */
  readonly segments: [number, number][];
}

interface ClusterFacet {
  readonly exact: ExactFacet;
  /** Index in the surface. */
  readonly facet: number;
  /** 1 where it is counter-clockwise in the projection, −1 where it is clockwise. */
  readonly orientation: 1 | -1;
}

/** A triangle of a cluster, its corners counter-clockwise in the projection. */
interface Piece {
  readonly corners: readonly [number, number, number];
  /** Number of facets that cover it, those with orientation −1 subtracted. */
  readonly multiplicity: number;
}

/** Adds the intersections of the segments of a cluster to its points, and splits each segment at the points on it. */
export function splitSegments(
  { projection, points, segments }: CoplanarCluster,
  set: PointSet,
  grid: IntegerGrid,
): void {
  const leftOf = (index: number): number => set.all[index].mm[projection.right];
  for (const [a, b] of segments) points.add(a).add(b);
  const boxed = segments.map((ends) => ({ ends, box: boxOf(projection, set.all[ends[0]], set.all[ends[1]]) }));
  boxed.sort((one, other) => one.box[0] - other.box[0]);
  boxed.forEach(({ ends: [a, b], box }, i) => {
    for (let j = i + 1; j < boxed.length && boxed[j].box[0] <= box[2]; j++) {
      const [c, d] = boxed[j].ends;
      if (!boxesOverlap(box, boxed[j].box) || a === c || a === d || b === c || b === d) continue;
      const [p, q, r, s] = [set.all[a], set.all[b], set.all[c], set.all[d]];
      if (!areOpposite(orient2d(projection, p, q, r), orient2d(projection, p, q, s))) continue;
      if (!areOpposite(orient2d(projection, r, s, p), orient2d(projection, r, s, q))) continue;
      points.add(set.add(lineIntersection(projection, [p, q], [r, s], grid)));
    }
  });
  const sorted = [...points].sort((a, b) => leftOf(a) - leftOf(b));
  const lefts = Float64Array.from(sorted, leftOf);
  const split = new Map<string, [number, number]>();
  for (const { ends, box } of boxed) {
    const near = sorted.slice(lowerBound(lefts, box[0]), upperBound(lefts, box[2]));
    const chain = pointsOnSegment(projection, ends, near, set);
    for (let k = 0; k + 1 < chain.length; k++) {
      const segment: [number, number] = [Math.min(chain[k], chain[k + 1]), Math.max(chain[k], chain[k + 1])];
      split.set(segment.join(" "), segment);
    }
  }
  segments.splice(0, segments.length, ...split.values());
}

const areOpposite = (a: number, b: number): boolean => (a < 0 && b > 0) || (a > 0 && b < 0);

/** The points on a segment in their order, including its ends. */
export function pointsOnSegment(
  projection: PlaneProjection,
  [a, b]: readonly [number, number],
  points: Iterable<number>,
  { all }: PointSet,
): number[] {
  const [p, q] = [all[a], all[b]];
  const box = boxOf(projection, p, q);
  const found: number[] = [];
  for (const index of points) {
    if (index === a || index === b) continue;
    const point = all[index];
    if (!boxesOverlap(box, boxOf(projection, point, point)) || orient2d(projection, p, q, point) !== 0) continue;
    if (compareAlongLine(projection, p, point) * compareAlongLine(projection, point, q) > 0) found.push(index);
  }
  const direction = compareAlongLine(projection, p, q);
  found.sort((one, other) => -direction * compareAlongLine(projection, all[one], all[other]));
  return [a, ...found, b];
}

/** Triangulates the facets of a cluster along its points and segments, which must be split already. */
export function triangulateCluster(
  { facets, projection, points, segments }: CoplanarCluster,
  set: PointSet,
  grid: IntegerGrid,
): Piece[] {
  const indices = [...points].sort((a, b) => a - b);
  const local = indices.map((index) => set.all[index]);
  const edges = segments.map(([a, b]) => [lowerBound(indices, a), lowerBound(indices, b)] as const);
  const projected = facets.map(({ orientation, exact }) => ({ orientation, exact: inProjection(projection, exact) }));
  return constrainedDelaunay(projection, local, edges, grid).flatMap(([a, b, c]): Piece[] => {
    // All triangles in the plane of a single facet are in that facet.
    const covering =
      facets.length === 1
        ? facets
        : projected.filter(({ exact }) => [a, b, c].every((corner) => isInFacet(exact, local[corner])));
    if (covering.length === 0) return [];
    const multiplicity = covering.reduce((sum, { orientation }) => sum + orientation, 0);
    return [{ corners: [indices[a], indices[b], indices[c]], multiplicity }];
  });
}

/** The facet in another projection of its plane, with its corners counter-clockwise there. */
function inProjection(projection: PlaneProjection, exact: ExactFacet): ExactFacet {
  const [a, b, c] = exact.corners;
  return orient2d(projection, a, b, c) > 0 ? { ...exact, projection } : { ...exact, corners: [a, c, b], projection };
}

type Box = readonly [left: number, bottom: number, right: number, top: number];

const boxOf = ({ right, up }: PlaneProjection, { mm: p }: ExactPoint, { mm: q }: ExactPoint): Box => [
  Math.min(p[right], q[right]),
  Math.min(p[up], q[up]),
  Math.max(p[right], q[right]),
  Math.max(p[up], q[up]),
];

/** Rounding keeps the order of coordinates: exact boxes do not overlap where the rounded ones do not. */
const boxesOverlap = (a: Box, b: Box): boolean => a[0] <= b[2] && b[0] <= a[2] && a[1] <= b[3] && b[1] <= a[3];
