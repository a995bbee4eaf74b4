import { getOrInsert } from "../core/memoize.ts";
import type { Progress } from "../core/progress.ts";
import { newIndexSet } from "./index-set.ts";
import { mostVisits, newPlanarTree } from "./planar-tree.ts";
import { add, cross, ORIGIN, type Vec3 } from "./vector.ts";

const CORNERS_PER_REPORT = 64;
/** 10 µs for 64 corners, measured on holes of ten to thousands of corners. */
const STEPS_PER_CORNER = 16;
/** 20 ns for each node of the tree of corners. */
const STEPS_PER_VISIT = 1.3;

/**
 * Triangulates a loop, counter-clockwise seen from outside, by ear clipping in the axis plane nearest to it: triples of
 * indices of its corners. Each ear is the first corner after the last one that is convex, whose triangle holds no other corner and whose
 * inner edge the mesh does not have already, by `isTaken`; where there is none, the last condition is dropped, then the second, then the
 * first, so that every loop is filled, and all are where the loop is so tangled that the search would not end.
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
  const remaining = newPlanarTree(xs, ys, [...corners.keys()]);
  /** The corners of which is not known whether they are ears, and those that fail the last condition, or the second one. */
  const [untried, withTakenEdge, notEmpty] = [newIndexSet(n), newIndexSet(n, false), newIndexSet(n, false)];
  /** The corners that are not empty while a corner is left in their triangle. */
  const waiting = new Map<number, number[]>();
  const orient2d = (a: number, b: number, c: number): number =>
    (xs[b] - xs[a]) * (ys[c] - ys[a]) - (ys[b] - ys[a]) * (xs[c] - xs[a]);

  const isEar = (i: number): boolean => {
    const [a, c] = [previous[i], next[i]];
    if (orient2d(a, i, c) <= 0) return false;
    const inside = remaining.findInside(
      [xs[a], ys[a], xs[i], ys[i], xs[c], ys[c]],
      (p) =>
        p !== a && p !== i && p !== c && orient2d(a, i, p) >= 0 && orient2d(i, c, p) >= 0 && orient2d(c, a, p) >= 0,
    );
    if (inside >= 0) {
      notEmpty.add(i);
      getOrInsert(waiting, inside, () => []).push(i);
    } else if (isTaken(a, c)) withTakenEdge.add(i);
    else return true;
    return false;
  };

  let left = n;
  let tried = 0;
  let reportedVisits = 0;
  const report = (): void => {
    if (++tried % CORNERS_PER_REPORT !== 0) return;
    const visits = remaining.visits() - reportedVisits;
    reportedVisits += visits;
    progress.report(1 - left / n, STEPS_PER_CORNER * CORNERS_PER_REPORT + STEPS_PER_VISIT * visits);
  };
  const earFrom = (start: number): number => {
    if (remaining.visits() > mostVisits(n)) return start;
    for (let i = untried.firstFrom(start); i !== undefined; i = untried.firstFrom(start)) {
      report();
      untried.remove(i);
      if (isEar(i)) return i;
    }
    return withTakenEdge.firstFrom(start) ?? notEmpty.firstFrom(start) ?? start;
  };

  const facets: [number, number, number][] = [];
  let at = 0;
  for (; left > 3; left--) {
    report();
    const ear = earFrom(at);
    const [a, c] = [previous[ear], next[ear]];
    facets.push([a, ear, c]);
    next[a] = c;
    previous[c] = a;
    remaining.remove(ear);
    for (const corners of [untried, withTakenEdge, notEmpty]) corners.remove(ear);
    for (const other of [a, c, ...(waiting.get(ear) ?? [])]) {
      if (next[previous[other]] !== other) continue;
      untried.add(other);
      withTakenEdge.remove(other);
      notEmpty.remove(other);
    }
    waiting.delete(ear);
    // The corner after the new edge comes next: this clips ears all around, in place of a fan at one corner.
    at = next[c];
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
