import type { Progress } from "../../core/progress.ts";
import { facetOf, nextHalfedge, previousHalfedge } from "../../geometry/halfedge.ts";
import {
  type ExactPoint,
  gridPoint,
  type IntegerGrid,
  orient2d,
  type PlaneProjection,
  roundedOrient2d,
} from "./exact-geometry.ts";

/** Size of the bounding triangle, as a multiple of the largest coordinate. */
const BOUNDING_FACTOR = 16;
const STEPS_PER_REPORT = 1024;
/** Limit of Delaunay flips: the circle test is not exact, so they might not end. */
const MAX_FLIPS_PER_POINT = 32;

/**
 * A triangulation of points of a plane in which each of the given segments is an edge: triples of indices of points,
 * counter-clockwise. Segments must meet each other and other points only at their ends. `lines` are points that are known to be
 * collinear, which saves most exact predicates. Outside the segments some triangles
 * of the convex hull may be missing. Delaunay, within rounding, where the segments allow it. Exact predicates, so that
 * manifold-3d's triangulation in floating point cannot take its place.
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
  const x = Float64Array.from(all, ({ mm }) => mm[projection.right]);
  const y = Float64Array.from(all, ({ mm }) => mm[projection.up]);
  const areOnOneLine = collinearityTest(lines, all.length);
  const orient = (a: number, b: number, c: number): number => {
    const rounded = roundedOrient2d(x[a], y[a], x[b], y[b], x[c], y[c]);
    if (rounded !== 0) return rounded;
    return areOnOneLine(a, b, c) ? 0 : orient2d(projection, all[a], all[b], all[c]);
  };
  const triangulation = newTriangulation([count, count + 1, count + 2], orient);
  const { corners } = triangulation;
  const isConstrained = new Set<number>();
  const keyOf = (a: number, b: number): number => Math.min(a, b) * all.length + Math.max(a, b);
  let flips = 0;

  /** Flips edges that are not Delaunay, starting with those of the given triangles. */
  const restoreDelaunay = (triangles: number[]): void => {
    for (let t = triangles.pop(); t !== undefined; t = triangles.pop()) {
      for (let edge = 3 * t; edge < 3 * t + 3; edge++) {
        const d = triangulation.apexBeyond(edge);
        if (d === NONE || flips > MAX_FLIPS_PER_POINT * all.length) continue;
        const a = corners[edge];
        const b = corners[nextHalfedge(edge)];
        const c = corners[previousHalfedge(edge)];
        if (!isInCircle(x, y, a, b, c, d) || isConstrained.has(keyOf(a, b))) continue;
        if (!triangulation.isConvex(edge)) continue;
        flips++;
        // In this order, on which the result depends where points are on one circle.
        triangles.push(t, triangulation.flip(edge));
        break;
      }
    }
  };

  /** Flips the edges that a segment crosses until it is an edge itself. */
  const insertSegment = (a: number, b: number): void => {
    const crossed = crossedEdges(a, b);
    for (let ends = crossed.shift(); ends !== undefined; ends = crossed.shift()) {
      const edge = triangulation.edgeBetween(ends[0], ends[1]);
      if (!triangulation.isConvex(edge)) {
        crossed.push(ends);
        continue;
      }
      const [c, d] = [corners[previousHalfedge(edge)], triangulation.apexBeyond(edge)];
      triangulation.flip(edge);
      const hasCommonEnd = c === a || c === b || d === a || d === b;
      if (!hasCommonEnd && orient(a, b, c) * orient(a, b, d) < 0) crossed.push([c, d]);
    }
  };
  /** The edges that the segment between two points crosses, in order, each from its right to its left. */
  const crossedEdges = (a: number, b: number): [number, number][] => {
    let edge = nextHalfedge(triangulation.edgeFrom(a));
    while (!(orient(a, b, corners[edge]) < 0 && orient(a, b, corners[nextHalfedge(edge)]) > 0)) {
      edge = nextHalfedge(triangulation.opposite(nextHalfedge(edge)));
    }
    const crossed: [number, number][] = [];
    for (let apex = NONE; apex !== b;) {
      crossed.push([corners[edge], corners[nextHalfedge(edge)]]);
      const opposite = triangulation.opposite(edge);
      apex = corners[previousHalfedge(opposite)];
      edge = orient(a, b, apex) > 0 ? nextHalfedge(opposite) : previousHalfedge(opposite);
    }
    return crossed;
  };

  for (let p = 0; p < count; p++) {
    if (p % STEPS_PER_REPORT === STEPS_PER_REPORT - 1) progress.report((0.8 * p) / count);
    restoreDelaunay(triangulation.insert(p));
  }
  for (let i = 0; i < segments.length; i++) {
    if (i % STEPS_PER_REPORT === STEPS_PER_REPORT - 1) progress.report(0.8 + (0.2 * i) / segments.length);
    const [a, b] = segments[i];
    if (triangulation.edgeBetween(a, b) === NONE) insertSegment(a, b);
    isConstrained.add(keyOf(a, b));
  }
  restoreDelaunay(Array.from({ length: corners.length / 3 }, (_, t) => t));
  const triangles: [number, number, number][] = [];
  for (let at = 0; at < corners.length; at += 3) {
    const [a, b, c] = [corners[at], corners[at + 1], corners[at + 2]];
    if (a < count && b < count && c < count) triangles.push([a, b, c]);
  }
  return triangles;
}

/** Returns a predicate of three points: whether they are in one of the lines. */
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

/** Three points of the grid, counter-clockwise, far around all others. Their third coordinate has no meaning. */
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

/** In the place of an edge or a point: there is none. */
const NONE = -1;

/** A triangulation of the interior of one triangle. Triangles are counter-clockwise. */
interface Triangulation {
  /** Three points per triangle. Edge 3t + k leads from corner k of triangle t to the next. */
  readonly corners: readonly number[];
  /** The third corner of the triangle beyond an edge, or {@link NONE} at the boundary. */
  apexBeyond(edge: number): number;
  /** The same edge in the triangle beyond it, or {@link NONE} at the boundary. */
  opposite(edge: number): number;
  /** The edge from one point to another, or {@link NONE}. Not both may be corners of the outer triangle. */
  edgeBetween(from: number, to: number): number;
  /** Some edge that starts at a point. */
  edgeFrom(point: number): number;
  /** Inserts a point: splits the triangle that contains it, or the two triangles at its edge. Returns the new triangles. */
  insert(point: number): number[];
  /** Replaces an edge by the other diagonal of its two triangles, which must be convex together. Returns that beyond. */
  flip(edge: number): number;
  /** Whether the two triangles at an edge form a strictly convex quadrilateral. */
  isConvex(edge: number): boolean;
}

/** A triangulation of one triangle. `orient` is positive where three points are counter-clockwise, 0 where collinear. */
function newTriangulation(
  outer: readonly [number, number, number],
  orient: (a: number, b: number, c: number) => number,
): Triangulation {
  const corners: number[] = [...outer];
  const opposites: number[] = [NONE, NONE, NONE];
  /** For each point some edge that starts there. */
  const startingAt: number[] = [];
  outer.forEach((point, edge) => (startingAt[point] = edge));
  let lastInserted = 0;

  const link = (edge: number, opposite: number): void => {
    opposites[edge] = opposite;
    if (opposite !== NONE) opposites[opposite] = edge;
  };
  const setEdge = (edge: number, from: number, opposite: number): void => {
    corners[edge] = from;
    startingAt[from] = edge;
    link(edge, opposite);
  };
  /** Sets the corners of a triangle, and what is opposite its edges. */
  const set = (t: number, a: number, b: number, c: number, ab: number, bc: number, ca: number): void => {
    setEdge(3 * t, a, ab);
    setEdge(3 * t + 1, b, bc);
    setEdge(3 * t + 2, c, ca);
  };
  /** The side of an edge on which a point is: positive where its triangle is. */
  const sideOf = (edge: number, p: number): number => orient(corners[edge], corners[nextHalfedge(edge)], p);
  /** The first edge of a triangle beyond which a point is, or {@link NONE}. */
  const edgeBefore = (t: number, p: number): number => {
    for (let edge = 3 * t; edge < 3 * t + 3; edge++) if (sideOf(edge, p) < 0) return edge;
    return NONE;
  };
  /** The first edge of a triangle on whose line a point is, or {@link NONE}. */
  const edgeAt = (t: number, p: number): number => {
    for (let edge = 3 * t; edge < 3 * t + 3; edge++) if (sideOf(edge, p) === 0) return edge;
    return NONE;
  };
  const apexBeyond = (edge: number): number =>
    opposites[edge] === NONE ? NONE : corners[previousHalfedge(opposites[edge])];

  const edgeBetween = (from: number, to: number): number => {
    // Triangles go all around each point except the corners of the outer triangle.
    if (outer.includes(from)) {
      const back = outer.includes(to) ? NONE : edgeBetween(to, from);
      return back === NONE ? NONE : opposites[back];
    }
    const start = startingAt[from];
    for (let edge = start; ;) {
      if (corners[nextHalfedge(edge)] === to) return edge;
      edge = opposites[previousHalfedge(edge)];
      if (edge === start) return NONE;
    }
  };

  /** The triangle that contains a point, by a walk from the last one. */
  const locate = (p: number): number => {
    let t = lastInserted;
    for (let steps = 0; steps < corners.length; steps++) {
      const edge = edgeBefore(t, p);
      if (edge === NONE) return t;
      t = facetOf(opposites[edge]);
    }
    // Where triangles are not Delaunay a walk may go in circles.
    for (t = 0; 3 * t < corners.length; t++) if (edgeBefore(t, p) === NONE) return t;
    throw new Error("A point is in no triangle of its plane.");
  };

  return {
    corners,
    apexBeyond,
    opposite: (edge) => opposites[edge],
    edgeFrom: (point) => startingAt[point],
    edgeBetween,
    insert(p) {
      const t = locate(p);
      const edge = edgeAt(t, p);
      const added = corners.length / 3;
      lastInserted = t;
      if (edge === NONE) {
        const a = corners[3 * t];
        const b = corners[3 * t + 1];
        const c = corners[3 * t + 2];
        const bc = opposites[3 * t + 1];
        const ca = opposites[3 * t + 2];
        set(t, a, b, p, opposites[3 * t], NONE, NONE);
        set(added, b, c, p, bc, NONE, 3 * t + 1);
        set(added + 1, c, a, p, ca, 3 * t + 2, 3 * added + 1);
        return [t, added, added + 1];
      }
      const { u, a, b, c, d, bc, ca, ad, db } = quadrilateralAt(edge);
      set(t, c, a, p, ca, NONE, NONE);
      set(u, a, d, p, ad, NONE, 3 * t + 1);
      set(added, d, b, p, db, NONE, 3 * u + 1);
      set(added + 1, b, c, p, bc, 3 * t + 2, 3 * added + 1);
      return [t, u, added, added + 1];
    },
    flip(edge) {
      const t = facetOf(edge);
      const { u, a, b, c, d, bc, ca, ad, db } = quadrilateralAt(edge);
      set(t, c, a, d, ca, ad, NONE);
      set(u, d, b, c, db, bc, 3 * t + 2);
      return u;
    },
    isConvex(edge) {
      const [a, b] = [corners[edge], corners[nextHalfedge(edge)]];
      const [c, d] = [corners[previousHalfedge(edge)], apexBeyond(edge)];
      return orient(c, a, d) > 0 && orient(d, b, c) > 0;
    },
  };

  /** The triangle u beyond edge ab, the apexes c and d on either side of it, and the opposites of the four outer edges. */
  function quadrilateralAt(edge: number) {
    const opposite = opposites[edge];
    return {
      u: facetOf(opposite),
      a: corners[edge],
      b: corners[nextHalfedge(edge)],
      c: corners[previousHalfedge(edge)],
      d: apexBeyond(edge),
      bc: opposites[nextHalfedge(edge)],
      ca: opposites[previousHalfedge(edge)],
      ad: opposites[nextHalfedge(opposite)],
      db: opposites[previousHalfedge(opposite)],
    };
  }
}
