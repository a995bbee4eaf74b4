import type { Progress } from "../../core/progress.ts";
import {
  type Axis,
  type Vec3,
  add,
  cross,
  distance,
  dot,
  exactLength,
  subtract,
  times,
  unit,
} from "../../geometry/vector.ts";
import type { Bvh } from "../../mesh/bvh/bvh.ts";
import { closestPoint } from "../../mesh/bvh/closest-point.ts";

/** Origin of a chart: a point on a surface, the unit tangent of the x axis there, and the outward unit normal. */
export interface Anchor {
  readonly position: Vec3;
  readonly along: Vec3;
  readonly normal: Vec3;
}

/** The range that a chart covers, in mm to each side of the anchor; negative if it need not reach the anchor. */
export interface ChartExtent {
  readonly left: number;
  readonly right: number;
  readonly below: number;
  readonly above: number;
}

/** The image of a point of the plane on the surface. */
export interface ChartPoint {
  readonly position: Vec3;
  /** Outward unit normal, smoothed over {@link SMOOTH_STEPS}. */
  readonly normal: Vec3;
  /** Ratio of areas, surface to plane, for the surface offset along its normals; negative if the offset folds it. */
  areaScale(offsetMm: number): number;
}

/** A map of a part of the plane onto a surface. It preserves lengths along its x axis, and along y from there. */
export interface Chart {
  /** The image of a point; undefined if the surface ends or has a sharp edge before it. */
  at(x: number, y: number): ChartPoint | undefined;
  /** The image of the x axis, from left to right, in points one step apart. */
  readonly axis: readonly Vec3[];
}

/** Normals are computed over this many steps to each side, so that small facets do not show in them. */
const SMOOTH_STEPS = 2;

/**
 * Maps the plane onto a surface by a discrete exponential map: along the geodesic through the anchor, and from there
 * along the geodesics perpendicular to it, in steps of `stepMm`.
 * Source: R. Schmidt, C. Grimm, B. Wyvill, "Interactive Decal Compositing with Discrete Exponential Maps" (2006).
 */
export function exponentialMap(
  bvh: Bvh,
  anchor: Anchor,
  extent: ChartExtent,
  stepMm: number,
  progress: Progress,
): Chart {
  const steps = (mm: number): number => Math.ceil(Math.max(0, mm) / stepMm) + SMOOTH_STEPS;
  const [left, right, below, above] = [extent.left, extent.right, extent.below, extent.above].map(steps);
  const columns = left + right + 1;
  const rows = below + above + 1;
  const points: (Vec3 | undefined)[] = Array.from({ length: columns * rows });
  const put = (column: number, row: number, point: Vec3): void => {
    points[column * rows + row] = point;
  };

  const axis = [
    ...traceGeodesic(bvh, anchor.position, times(anchor.along, -1), stepMm, left).toReversed(),
    anchor.position,
    ...traceGeodesic(bvh, anchor.position, anchor.along, stepMm, right),
  ];
  const middle = axis.indexOf(anchor.position);
  const traceColumn = (at: number, upBefore: Vec3): Vec3 => {
    const chord = subtract(axis[Math.min(at + 1, axis.length - 1)], axis[Math.max(at - 1, 0)]);
    const up = upDirection(bvh, axis[at], axis.length > 1 ? unit(chord) : anchor.along, upBefore, stepMm);
    const column = left + at - middle;
    put(column, below, axis[at]);
    traceGeodesic(bvh, axis[at], up, stepMm, above).forEach((point, i) => put(column, below + 1 + i, point));
    traceGeodesic(bvh, axis[at], times(up, -1), stepMm, below).forEach((point, i) => put(column, below - 1 - i, point));
    progress.report(Math.abs(at - middle) / axis.length);
    return up;
  };
  const upAtAnchor = traceColumn(middle, cross(anchor.normal, anchor.along));
  for (let at = middle + 1, up = upAtAnchor; at < axis.length; at++) up = traceColumn(at, up);
  for (let at = middle - 1, up = upAtAnchor; at >= 0; at--) up = traceColumn(at, up);

  const normals = smoothNormals(points, columns, rows);
  const grid = { bvh, points, normals, columns, rows, left, below, stepMm };
  return { axis, at: (x, y) => chartPoint(grid, x, y) };
}

/** The images of points of the plane one step apart; point (0, 0) is at column `left` and row `below`. */
interface ChartGrid {
  readonly bvh: Bvh;
  readonly points: readonly (Vec3 | undefined)[];
  readonly normals: readonly (Vec3 | undefined)[];
  readonly columns: number;
  readonly rows: number;
  readonly left: number;
  readonly below: number;
  readonly stepMm: number;
}

function chartPoint(grid: ChartGrid, x: number, y: number): ChartPoint | undefined {
  const { bvh, points, normals, columns, rows, left, below, stepMm } = grid;
  const column = Math.min(columns - 2, Math.max(0, Math.floor(x / stepMm + left)));
  const row = Math.min(rows - 2, Math.max(0, Math.floor(y / stepMm + below)));
  const shares = [x / stepMm + left - column, y / stepMm + below - row] as const;
  const cellPoints = cellCorners(points, column, row, rows);
  const cellNormals = cellCorners(normals, column, row, rows);
  const onSurface = cellPoints && closestPoint(bvh, bilinear(cellPoints, shares), stepMm);
  if (!onSurface || !cellNormals) return undefined;
  const normal = unit(bilinear(cellNormals, shares));
  const areaScale = (mm: number): number => {
    const [corner, right, up] = cellPoints.map((point, i) => add(point, times(cellNormals[i], mm)));
    return dot(cross(subtract(right, corner), subtract(up, corner)), normal) / (stepMm * stepMm);
  };
  return { position: onSurface.point, normal, areaScale };
}

/** The unit tangent of the surface at a point that is perpendicular to `along`, on the side of `before`. */
function upDirection(bvh: Bvh, point: Vec3, along: Vec3, before: Vec3, stepMm: number): Vec3 {
  const perpendicular = (direction: Vec3): Vec3 => unit(subtract(direction, times(along, dot(direction, along))));
  const guess = perpendicular(before);
  const [above, below] = [1, -1].map((side) => closestPoint(bvh, add(point, times(guess, side * stepMm)), stepMm));
  return above && below ? perpendicular(subtract(above.point, below.point)) : guess;
}

/** At each point that exists the unit normal of the lines between its neighbours up to {@link SMOOTH_STEPS} away. */
function smoothNormals(points: readonly (Vec3 | undefined)[], columns: number, rows: number): (Vec3 | undefined)[] {
  return points.map((point, i) => {
    if (!point) return undefined;
    const [column, row] = [Math.floor(i / rows), i % rows];
    const farthest = (byColumn: number, byRow: number): Vec3 => {
      let found = point;
      for (let step = 1; step <= SMOOTH_STEPS; step++) {
        const [c, r] = [column + step * byColumn, row + step * byRow];
        const next = c >= 0 && c < columns && r >= 0 && r < rows ? points[c * rows + r] : undefined;
        if (!next) return found;
        found = next;
      }
      return found;
    };
    const normal = cross(subtract(farthest(1, 0), farthest(-1, 0)), subtract(farthest(0, 1), farthest(0, -1)));
    return exactLength(normal) > 0 ? unit(normal) : undefined;
  });
}

/** The values at the corners of a cell: its first, those of the next column, of the next row, and of both. */
type CellCorners = readonly [first: Vec3, right: Vec3, up: Vec3, diagonal: Vec3];

function cellCorners(
  values: readonly (Vec3 | undefined)[],
  column: number,
  row: number,
  rows: number,
): CellCorners | undefined {
  const at = column * rows + row;
  const [first, right, up, diagonal] = [values[at], values[at + rows], values[at + 1], values[at + rows + 1]];
  return first && right && up && diagonal ? [first, right, up, diagonal] : undefined;
}

function bilinear([a, b, c, d]: CellCorners, [x, y]: readonly [number, number]): Vec3 {
  const along = (axis: Axis): number =>
    (1 - y) * ((1 - x) * a[axis] + x * b[axis]) + y * ((1 - x) * c[axis] + x * d[axis]);
  return [along(0), along(1), along(2)];
}

/** A step whose length is off by more than this share is tried again. */
const STEP_TOLERANCE = 0.001;
/** A step whose length is off by more than this share after the last try ends the line. */
const MAX_STEP_ERROR = 0.1;
const MAX_TRIES = 4;
/** Factor by which a try may reach farther than the one before. */
const MAX_STRETCH = 1.5;

/** The direction turns by at most 40° over two steps; a sharper turn is an edge. */
const MIN_TURN_COS = 0.766;

/**
 * Traces a geodesic from `start` along the unit tangent `heading`: points on the surface, one step apart. Fewer than
 * `steps` if the surface ends or has an edge. Each step continues the last direction, then moves to the closest
 * point of the surface, so that the connectivity of the facets does not matter.
 */
export function traceGeodesic(bvh: Bvh, start: Vec3, heading: Vec3, stepMm: number, steps: number): Vec3[] {
  const points: Vec3[] = [];
  let [point, direction, directionBefore] = [start, heading, heading];
  while (points.length < steps) {
    const next = geodesicStep(bvh, point, direction, stepMm);
    if (!next) break;
    const chord = unit(subtract(next, point));
    if (dot(chord, directionBefore) < MIN_TURN_COS) break;
    [point, direction, directionBefore] = [next, chord, direction];
    points.push(next);
  }
  return points;
}

/** The point of the surface one step away in a direction. */
function geodesicStep(bvh: Bvh, from: Vec3, direction: Vec3, stepMm: number): Vec3 | undefined {
  let [reach, deviation] = [stepMm, Infinity];
  let point: Vec3 | undefined;
  for (let i = 0; i < MAX_TRIES && deviation > STEP_TOLERANCE; i++) {
    point = closestPoint(bvh, add(from, times(direction, reach)), stepMm)?.point;
    const moved = point ? distance(point, from) : 0;
    deviation = Math.abs(moved / stepMm - 1);
    reach *= Math.min(MAX_STRETCH, stepMm / moved);
  }
  return deviation <= MAX_STEP_ERROR ? point : undefined;
}
