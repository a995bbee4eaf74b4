import { getOrInsert } from "../core/memoize.ts";
import type { Progress } from "../core/progress.ts";
import { type IndexSet, newIndexSet } from "./index-set.ts";
import { type PlanarTree, mostVisits, newPlanarTree } from "./planar-tree.ts";
import { add, cross, ORIGIN, type Vec3 } from "./vector.ts";

const CORNERS_PER_REPORT = 64;
/** 10 µs for 64 corners, measured on holes of ten to thousands of corners. */
const STEPS_PER_CORNER = 16;
/** 20 ns for each node of the tree of corners. */
const STEPS_PER_VISIT = 1.3;

/**
 * Triangulates a loop, counter-clockwise seen from outside, by ear clipping in the axis plane nearest to it: triples of indices of its
 * corners. Each ear is the first corner after the last ear that is convex, whose triangle contains no other corner and whose inner
 * edge the mesh does not have already, by `isTaken`. If there is none, the last condition is dropped, then the second, then the first,
 * so that every loop is filled. All three are dropped for a loop so tangled that the search would not end.
 */
export const earClip = (
  corners: readonly Vec3[],
  isTaken: (i: number, j: number) => boolean,
  progress: Progress,
): [number, number, number][] => new EarClipping(corners, isTaken, progress).facets();

class EarClipping {
  readonly #count: number;
  readonly #xs: Float64Array;
  readonly #ys: Float64Array;
  readonly #isTaken: (i: number, j: number) => boolean;
  readonly #progress: Progress;
  readonly #next: number[];
  readonly #previous: number[];
  readonly #remaining: PlanarTree;
  /** Untested corners, and corners that fail the last condition, or the second one. */
  readonly #untried: IndexSet;
  readonly #withTakenEdge: IndexSet;
  readonly #notEmpty: IndexSet;
  /** For each remaining corner, the corners whose triangles contain it: they are not empty while it remains. */
  readonly #waiting = new Map<number, number[]>();
  /** Number of remaining corners. */
  #left: number;
  #tried = 0;
  #reportedVisits = 0;

  constructor(corners: readonly Vec3[], isTaken: (i: number, j: number) => boolean, progress: Progress) {
    const n = corners.length;
    const { xs, ys } = projectLoop(corners);
    [this.#count, this.#left] = [n, n];
    [this.#xs, this.#ys, this.#isTaken, this.#progress] = [xs, ys, isTaken, progress];
    this.#next = corners.map((_, i) => (i + 1) % n);
    this.#previous = corners.map((_, i) => (i + n - 1) % n);
    this.#remaining = newPlanarTree(xs, ys, [...corners.keys()]);
    this.#untried = newIndexSet(n);
    this.#withTakenEdge = newIndexSet(n, false);
    this.#notEmpty = newIndexSet(n, false);
  }

  facets(): [number, number, number][] {
    const next = this.#next;
    const previous = this.#previous;
    const facets: [number, number, number][] = [];
    let at = 0;
    for (; this.#left > 3; this.#left--) {
      this.#report();
      const ear = this.#earFrom(at);
      facets.push([previous[ear], ear, next[ear]]);
      const after = next[ear];
      this.#clip(ear);
      // The corner after the new edge is next: this clips ears all around, instead of a fan at one corner.
      at = next[after];
    }
    facets.push([previous[at], at, next[at]]);
    return facets;
  }

  /** Removes an ear; its neighbours and the corners that it blocked are tested again. */
  #clip(ear: number): void {
    const next = this.#next;
    const previous = this.#previous;
    const [a, c] = [previous[ear], next[ear]];
    next[a] = c;
    previous[c] = a;
    this.#remaining.remove(ear);
    for (const corners of [this.#untried, this.#withTakenEdge, this.#notEmpty]) corners.remove(ear);
    for (const other of [a, c, ...(this.#waiting.get(ear) ?? [])]) {
      if (next[previous[other]] !== other) continue;
      this.#untried.add(other);
      this.#withTakenEdge.remove(other);
      this.#notEmpty.remove(other);
    }
    this.#waiting.delete(ear);
  }

  #earFrom(start: number): number {
    const untried = this.#untried;
    if (this.#remaining.visits() > mostVisits(this.#count)) return start;
    for (let i = untried.firstFrom(start); i !== undefined; i = untried.firstFrom(start)) {
      this.#report();
      untried.remove(i);
      if (this.#isEar(i)) return i;
    }
    return this.#withTakenEdge.firstFrom(start) ?? this.#notEmpty.firstFrom(start) ?? start;
  }

  #isEar(i: number): boolean {
    const xs = this.#xs;
    const ys = this.#ys;
    const a = this.#previous[i];
    const c = this.#next[i];
    const orient2d = (p: number, q: number, r: number): number =>
      (xs[q] - xs[p]) * (ys[r] - ys[p]) - (ys[q] - ys[p]) * (xs[r] - xs[p]);
    if (orient2d(a, i, c) <= 0) return false;
    const inside = this.#remaining.findInside(
      [xs[a], ys[a], xs[i], ys[i], xs[c], ys[c]],
      (p) =>
        p !== a && p !== i && p !== c && orient2d(a, i, p) >= 0 && orient2d(i, c, p) >= 0 && orient2d(c, a, p) >= 0,
    );
    if (inside >= 0) {
      this.#notEmpty.add(i);
      getOrInsert(this.#waiting, inside, () => []).push(i);
    } else if (this.#isTaken(a, c)) this.#withTakenEdge.add(i);
    else return true;
    return false;
  }

  #report(): void {
    if (++this.#tried % CORNERS_PER_REPORT !== 0) return;
    const visits = this.#remaining.visits() - this.#reportedVisits;
    this.#reportedVisits += visits;
    const steps = STEPS_PER_CORNER * CORNERS_PER_REPORT + STEPS_PER_VISIT * visits;
    this.#progress.report(1 - this.#left / this.#count, steps);
  }
}

/** Projects the corners along the axis nearest to the loop's normal (Newell), so that the loop runs counter-clockwise. */
function projectLoop(corners: readonly Vec3[]): { xs: Float64Array; ys: Float64Array } {
  const normal = corners.map((p, i) => cross(p, corners[(i + 1) % corners.length])).reduce(add, ORIGIN);
  const sizes = normal.map(Math.abs);
  const axis = sizes.indexOf(Math.max(...sizes));
  const [u, v] = normal[axis] > 0 ? [(axis + 1) % 3, (axis + 2) % 3] : [(axis + 2) % 3, (axis + 1) % 3];
  return { xs: Float64Array.from(corners, (p) => p[u]), ys: Float64Array.from(corners, (p) => p[v]) };
}
