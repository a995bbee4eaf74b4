import type { Progress } from "../../core/progress.ts";
import { nextHalfedge, previousHalfedge } from "../../geometry/halfedge.ts";
import {
  type ExactPoint,
  gridPoint,
  type IntegerGrid,
  orient2d,
  type PlaneProjection,
  roundedOrient2d,
} from "./exact-geometry.ts";
import { NONE, type OrientationTest, Triangulation } from "./triangulation.ts";

/** Size of the bounding triangle, as a multiple of the largest coordinate. */
const BOUNDING_FACTOR = 16;
const STEPS_PER_REPORT = 1024;
/** Limit of Delaunay flips: the circle test is not exact, so they might not end. */
const MAX_FLIPS_PER_POINT = 32;
/** Share of the progress at which all points are inserted. Estimated. */
const POINTS_SHARE = 0.8;

/**
 * The constrained Delaunay triangulation of points of a plane: triples of indices of points, counter-clockwise. Each of the given
 * segments is an edge of it. Segments must meet each other and other points only at their ends. `lines` are points that are known to be
 * collinear, which saves most exact predicates. Outside the segments some triangles of the convex hull may be missing. The circle test
 * uses rounded coordinates, all other predicates are exact. The triangulation of manifold-3d uses floating point and cannot replace it.
 * Source: S. W. Sloan, "A Fast Algorithm for Generating Constrained Delaunay Triangulations" (1993).
 */
export function constrainedDelaunay(
  projection: PlaneProjection,
  points: readonly ExactPoint[],
  segments: readonly (readonly [number, number])[],
  lines: readonly (readonly number[])[],
  grid: IntegerGrid,
  progress: Progress,
): [number, number, number][] {
  const count = points.length;
  const all = [...points, ...boundingTriangle(projection, points, grid)];
  const delaunay = new DelaunayTriangulation(projection, all, lines);
  for (let p = 0; p < count; p++) {
    if (p % STEPS_PER_REPORT === STEPS_PER_REPORT - 1) progress.report((POINTS_SHARE * p) / count);
    delaunay.insertPoint(p);
  }
  for (let i = 0; i < segments.length; i++) {
    if (i % STEPS_PER_REPORT === STEPS_PER_REPORT - 1)
      progress.report(POINTS_SHARE + ((1 - POINTS_SHARE) * i) / segments.length);
    delaunay.insertSegment(...segments[i]);
  }
  return delaunay.finish().filter((corners) => corners.every((corner) => corner < count));
}

/** A triangulation with constrained edges. Its other edges are Delaunay. */
class DelaunayTriangulation {
  readonly #triangulation: Triangulation;
  readonly #orient: OrientationTest;
  readonly #x: Float64Array;
  readonly #y: Float64Array;
  /** The edges that are segments, by {@link #keyOf}. */
  readonly #constrained = new Set<number>();
  #flips = 0;

  /** The last three points are the corners of the outer triangle. */
  constructor(projection: PlaneProjection, points: readonly ExactPoint[], lines: readonly (readonly number[])[]) {
    this.#x = Float64Array.from(points, ({ mm }) => mm[projection.right]);
    this.#y = Float64Array.from(points, ({ mm }) => mm[projection.up]);
    this.#orient = orientationTest(projection, points, this.#x, this.#y, lines);
    const outer = points.length - 3;
    this.#triangulation = new Triangulation([outer, outer + 1, outer + 2], this.#orient);
  }

  insertPoint(point: number): void {
    this.#restoreDelaunay(this.#triangulation.insert(point));
  }

  insertSegment(a: number, b: number): void {
    if (this.#triangulation.edgeBetween(a, b) === NONE) this.#flipCrossedEdges(a, b);
    this.#constrained.add(this.#keyOf(a, b));
  }

  /** Restores the Delaunay property after the segments. Returns the corners of all triangles. */
  finish(): [number, number, number][] {
    const { corners } = this.#triangulation;
    const count = corners.length / 3;
    this.#restoreDelaunay(Array.from({ length: count }, (_, t) => t));
    return Array.from({ length: count }, (_, t) => [corners[3 * t], corners[3 * t + 1], corners[3 * t + 2]]);
  }

  #keyOf(a: number, b: number): number {
    return Math.min(a, b) * this.#x.length + Math.max(a, b);
  }

  /** Flips edges that are not Delaunay. The search starts at the given triangles. */
  #restoreDelaunay(triangles: number[]): void {
    for (let t = triangles.pop(); t !== undefined; t = triangles.pop()) {
      const edge = this.#edgeToFlip(t);
      // This order decides between the diagonals of points on one circle.
      if (edge !== NONE) triangles.push(t, this.#triangulation.flip(edge));
    }
  }

  /** The first edge of a triangle that can be flipped and is not Delaunay, or {@link NONE}. */
  #edgeToFlip(t: number): number {
    const triangulation = this.#triangulation;
    const { corners } = triangulation;
    for (let edge = 3 * t; edge < 3 * t + 3; edge++) {
      const d = triangulation.apexBeyond(edge);
      if (d === NONE || this.#flips > MAX_FLIPS_PER_POINT * this.#x.length) continue;
      const a = corners[edge];
      const b = corners[nextHalfedge(edge)];
      const c = corners[previousHalfedge(edge)];
      if (!isInCircle(this.#x, this.#y, a, b, c, d) || this.#constrained.has(this.#keyOf(a, b))) continue;
      if (!triangulation.isConvex(edge)) continue;
      this.#flips++;
      return edge;
    }
    return NONE;
  }

  /** Flips the edges that cross a segment until the segment itself is an edge. */
  #flipCrossedEdges(a: number, b: number): void {
    const triangulation = this.#triangulation;
    const crossed = this.#crossedEdges(a, b);
    for (let ends = crossed.shift(); ends !== undefined; ends = crossed.shift()) {
      const edge = triangulation.edgeBetween(ends[0], ends[1]);
      if (!triangulation.isConvex(edge)) {
        crossed.push(ends);
        continue;
      }
      const [c, d] = [triangulation.corners[previousHalfedge(edge)], triangulation.apexBeyond(edge)];
      triangulation.flip(edge);
      const hasCommonEnd = c === a || c === b || d === a || d === b;
      if (!hasCommonEnd && this.#orient(a, b, c) * this.#orient(a, b, d) < 0) crossed.push([c, d]);
    }
  }

  /** The ends of the edges that cross the segment from a to b, in order along it: first the end on its right. */
  #crossedEdges(a: number, b: number): [number, number][] {
    const triangulation = this.#triangulation;
    const { corners } = triangulation;
    let edge = nextHalfedge(triangulation.edgeFrom(a));
    while (!(this.#orient(a, b, corners[edge]) < 0 && this.#orient(a, b, corners[nextHalfedge(edge)]) > 0)) {
      edge = nextHalfedge(triangulation.opposite(nextHalfedge(edge)));
    }
    const crossed: [number, number][] = [];
    for (let apex = NONE; apex !== b;) {
      crossed.push([corners[edge], corners[nextHalfedge(edge)]]);
      const opposite = triangulation.opposite(edge);
      apex = corners[previousHalfedge(opposite)];
      edge = this.#orient(a, b, apex) > 0 ? nextHalfedge(opposite) : previousHalfedge(opposite);
    }
    return crossed;
  }
}

/** The exact orientation of three points with rounded coordinates `x` and `y`. */
function orientationTest(
  projection: PlaneProjection,
  points: readonly ExactPoint[],
  x: Float64Array,
  y: Float64Array,
  lines: readonly (readonly number[])[],
): OrientationTest {
  const areOnOneLine = collinearityTest(lines, points.length);
  return (a, b, c) => {
    const rounded = roundedOrient2d(x[a], y[a], x[b], y[b], x[c], y[c]);
    if (rounded !== 0) return rounded;
    return areOnOneLine(a, b, c) ? 0 : orient2d(projection, points[a], points[b], points[c]);
  };
}

/** Returns a test of three points: whether one of the lines contains all of them. */
function collinearityTest(
  lines: readonly (readonly number[])[],
  points: number,
): (a: number, b: number, c: number) => boolean {
  const linesOf = Array.from({ length: points }, (): number[] => []);
  lines.forEach((line, i) => {
    for (const point of line) linesOf[point].push(i);
  });
  return (a, b, c) => {
    for (const line of linesOf[a]) if (linesOf[b].includes(line) && linesOf[c].includes(line)) return true;
    return false;
  };
}

/**
 * Three points of the grid, counter-clockwise: a triangle that contains all points with a wide margin. The third coordinate has no
 * meaning.
 */
function boundingTriangle(
  { right, up }: PlaneProjection,
  points: readonly ExactPoint[],
  grid: IntegerGrid,
): ExactPoint[] {
  const largest = points.reduce((most, { mm }) => Math.max(most, Math.abs(mm[right]), Math.abs(mm[up])), 0);
  const far = BOUNDING_FACTOR * 2 ** Math.ceil(Math.log2(Math.max(largest, 1 / grid.stepsPerMm)));
  const corners = [
    [-far, -far],
    [far, -far],
    [0, far],
  ] as const;
  return corners.map(([x, y]) => {
    const mm: [number, number, number] = [0, 0, 0];
    mm[right] = x;
    mm[up] = y;
    return gridPoint(mm, grid);
  });
}

/** Whether d is inside the circle through a, b and c, from rounded coordinates. */
function isInCircle(x: Float64Array, y: Float64Array, a: number, b: number, c: number, d: number): boolean {
  const dx = x[d];
  const dy = y[d];
  const ax = x[a] - dx;
  const ay = y[a] - dy;
  const bx = x[b] - dx;
  const by = y[b] - dy;
  const cx = x[c] - dx;
  const cy = y[c] - dy;
  const aa = ax * ax + ay * ay;
  const bb = bx * bx + by * by;
  const cc = cx * cx + cy * cy;
  return aa * (bx * cy - cx * by) - bb * (ax * cy - cx * ay) + cc * (ax * by - bx * ay) > 0;
}
