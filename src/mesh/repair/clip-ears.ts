import type { Vec3 } from "../../core/geometry.ts";
import { ORIGIN, add, cross } from "../../core/geometry.ts";
import type { Watch } from "../../core/watch.ts";
import { newPointGrid } from "./point-grid.ts";

/** What an ear must fulfil. Each level gives up the last demand of the one before, so that every loop can be filled. */
const STRICTEST = 3;
const EMPTY = 2;
const CONVEX = 1;
const ANY = 0;

const WATCH_STEPS = 64;

/** Corners tried and cells looked into, for each corner of a loop. One that asks for more is so tangled that any fill will do. */
const STEPS_PER_CORNER = 1000;

/**
 * A triangulation of a loop, counter-clockwise seen from outside, as triples of its corners: ears are cut in the plane
 * that fits the loop best. Avoids inner edges that `isTaken` tells are in the mesh already, if that can be done.
 */
export function clipEars(
  corners: readonly Vec3[],
  isTaken: (i: number, j: number) => boolean,
  watch: Watch,
): [number, number, number][] {
  const n = corners.length;
  const { xs, ys } = flatten(corners);
  const next = corners.map((_, i) => (i + 1) % n);
  const previous = corners.map((_, i) => (i + n - 1) % n);
  const remaining = newPointGrid(xs, ys);
  let tried = 0;
  const isTangled = (): boolean => tried + remaining.looks() > STEPS_PER_CORNER * n;
  const side = (a: number, b: number, c: number): number =>
    (xs[b] - xs[a]) * (ys[c] - ys[a]) - (ys[b] - ys[a]) * (xs[c] - xs[a]);

  const isEar = (i: number, level: number): boolean => {
    tried++;
    const [a, c] = [previous[i], next[i]];
    if (level >= CONVEX && side(a, i, c) <= 0) return false;
    const isInside = (p: number): boolean =>
      p !== a && p !== i && p !== c && side(a, i, p) >= 0 && side(i, c, p) >= 0 && side(c, a, p) >= 0;
    if (level >= EMPTY && remaining.someNear(a, i, c, isInside)) return false;
    return level < STRICTEST || !isTaken(a, c);
  };

  const facets: [number, number, number][] = [];
  let at = 0;
  let refused = 0;
  let level = STRICTEST;
  for (let left = n; left > 3;) {
    if (!isEar(at, level)) {
      at = next[at];
      if (++refused >= left || isTangled()) {
        level = isTangled() ? ANY : level - 1;
        refused = 0;
      }
      if (refused % WATCH_STEPS === 0) watch.report(1 - left / n);
      continue;
    }
    const [a, c] = [previous[at], next[at]];
    facets.push([a, at, c]);
    next[a] = c;
    previous[c] = a;
    remaining.remove(at);
    // Going on past the new edge cuts ears all around, instead of a fan about one corner.
    at = next[c];
    left--;
    refused = 0;
    level = isTangled() ? ANY : STRICTEST;
    if (left % WATCH_STEPS === 0) watch.report(1 - left / n);
  }
  facets.push([previous[at], at, next[at]]);
  return facets;
}

/** The corners seen along the loop's mean normal (Newell), so that the loop runs counter-clockwise. */
function flatten(corners: readonly Vec3[]): { xs: Float64Array; ys: Float64Array } {
  const normal = corners.map((p, i) => cross(p, corners[(i + 1) % corners.length])).reduce(add, ORIGIN);
  const sizes = normal.map(Math.abs);
  const axis = sizes.indexOf(Math.max(...sizes));
  const [u, v] = normal[axis] > 0 ? [(axis + 1) % 3, (axis + 2) % 3] : [(axis + 2) % 3, (axis + 1) % 3];
  return { xs: Float64Array.from(corners, (p) => p[u]), ys: Float64Array.from(corners, (p) => p[v]) };
}
