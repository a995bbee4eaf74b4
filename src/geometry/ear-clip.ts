import type { Progress } from "../core/progress.ts";
import { add, cross, ORIGIN, type Vec3 } from "./vector.ts";

/** What an ear must fulfil, from the strictest level down. Each level drops one condition, so that every loop is filled. */
const NO_TAKEN_EDGE = 3;
const EMPTY = 2;
const CONVEX = 1;
const ANY = 0;

const CORNERS_PER_REPORT = 64;
/** 10 µs for 64 corners, measured on holes of ten to thousands of corners. */
const STEPS_PER_CORNER = 16;

/** Corners tried and cells visited per corner, above which a loop is so tangled that any ear will do. */
const MAX_STEPS_PER_CORNER = 1000;

/**
 * Triangulates a loop, counter-clockwise seen from outside, by ear clipping in the axis plane nearest to it: triples of
 * indices of its corners. Avoids, where possible, inner edges that exist in the mesh already, by `isTaken`.
 */
export function earClip(
  corners: readonly Vec3[],
  isTaken: (i: number, j: number) => boolean,
  progress: Progress,
): [number, number, number][] {
  const n = corners.length;
  const { xs, ys } = projectLoop(corners);
  const next = corners.map((_, i) => (i + 1) % n);
  const previous = corners.map((_, i) => (i + n - 1) % n);
  const remaining = newPlanarGrid(xs, ys);
  let tried = 0;
  const isTangled = (): boolean => tried + remaining.lookups() > MAX_STEPS_PER_CORNER * n;
  const orient2d = (a: number, b: number, c: number): number =>
    (xs[b] - xs[a]) * (ys[c] - ys[a]) - (ys[b] - ys[a]) * (xs[c] - xs[a]);

  const isEar = (i: number, level: number): boolean => {
    tried++;
    const [a, c] = [previous[i], next[i]];
    if (level >= CONVEX && orient2d(a, i, c) <= 0) return false;
    const isInside = (p: number): boolean =>
      p !== a && p !== i && p !== c && orient2d(a, i, p) >= 0 && orient2d(i, c, p) >= 0 && orient2d(c, a, p) >= 0;
    if (level >= EMPTY && remaining.someNear(a, i, c, isInside)) return false;
    return level < NO_TAKEN_EDGE || !isTaken(a, c);
  };

  const report = (share: number): void => progress.report(share, STEPS_PER_CORNER * CORNERS_PER_REPORT);
  const facets: [number, number, number][] = [];
  let at = 0;
  let refused = 0;
  let level = NO_TAKEN_EDGE;
  for (let left = n; left > 3;) {
    if (!isEar(at, level)) {
      at = next[at];
      if (++refused >= left || isTangled()) {
        level = isTangled() ? ANY : level - 1;
        refused = 0;
      }
      if (refused % CORNERS_PER_REPORT === 0) report(1 - left / n);
      continue;
    }
    const [a, c] = [previous[at], next[at]];
    facets.push([a, at, c]);
    next[a] = c;
    previous[c] = a;
    remaining.remove(at);
    // The corner after the new edge comes next: this clips ears all around, in place of a fan at one corner.
    at = next[c];
    left--;
    refused = 0;
    level = isTangled() ? ANY : NO_TAKEN_EDGE;
    if (left % CORNERS_PER_REPORT === 0) report(1 - left / n);
  }
  facets.push([previous[at], at, next[at]]);
  return facets;
}

/** Projects the corners along the axis nearest to the loop's normal (Newell), so that the loop runs counter-clockwise. */
function projectLoop(corners: readonly Vec3[]): { xs: Float64Array; ys: Float64Array } {
  const normal = corners.map((p, i) => cross(p, corners[(i + 1) % corners.length])).reduce(add, ORIGIN);
  const sizes = normal.map(Math.abs);
  const axis = sizes.indexOf(Math.max(...sizes));
  const [u, v] = normal[axis] > 0 ? [(axis + 1) % 3, (axis + 2) % 3] : [(axis + 2) % 3, (axis + 1) % 3];
  return { xs: Float64Array.from(corners, (p) => p[u]), ys: Float64Array.from(corners, (p) => p[v]) };
}

/** Points in the plane, in square cells of about two points each where they are evenly spread. */
interface PlanarGrid {
  /** Whether any point in the cells at the box of the triangle of points a, b, c passes the test. */
  someNear(a: number, b: number, c: number, test: (point: number) => boolean): boolean;
  remove(point: number): void;
  /** Number of cells visited so far. */
  lookups(): number;
}

function newPlanarGrid(xs: Float64Array, ys: Float64Array): PlanarGrid {
  const [left, right] = rangeOf(xs);
  const [bottom, top] = rangeOf(ys);
  const [width, height] = [right - left, top - bottom];
  const cell = Math.max(Math.sqrt((width * height * 2) / xs.length), (right - left + top - bottom) / xs.length) || 1;
  const columns = Math.floor(width / cell) + 1;
  const rows = Math.floor(height / cell) + 1;
  const columnOf = (x: number): number => Math.floor((x - left) / cell);
  const rowOf = (y: number): number => Math.floor((y - bottom) / cell);
  const cells: number[][] = Array.from({ length: columns * rows }, () => []);
  const cellOf = (point: number): number[] => cells[rowOf(ys[point]) * columns + columnOf(xs[point])];
  for (let point = 0; point < xs.length; point++) cellOf(point).push(point);
  let lookups = 0;

  return {
    someNear(a, b, c, test) {
      const lastRow = rowOf(Math.max(ys[a], ys[b], ys[c]));
      const lastColumn = columnOf(Math.max(xs[a], xs[b], xs[c]));
      const firstColumn = columnOf(Math.min(xs[a], xs[b], xs[c]));
      for (let row = rowOf(Math.min(ys[a], ys[b], ys[c])); row <= lastRow; row++) {
        for (let column = firstColumn; column <= lastColumn; column++) {
          lookups++;
          if (cells[row * columns + column].some(test)) return true;
        }
      }
      return false;
    },
    remove(point) {
      const points = cellOf(point);
      points.splice(points.indexOf(point), 1);
    },
    lookups: () => lookups,
  };
}

function rangeOf(values: Float64Array): [least: number, greatest: number] {
  let [least, greatest] = [Infinity, -Infinity];
  for (const value of values) {
    least = Math.min(least, value);
    greatest = Math.max(greatest, value);
  }
  return [least, greatest];
}
