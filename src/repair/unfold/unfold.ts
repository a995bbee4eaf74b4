import { nextHalfedge } from "../../geometry/halfedge.ts";
import type { Progress } from "../../core/progress.ts";
import { dot, exactLength, lerp, subtract, type Vec3 } from "../../geometry/vector.ts";
import { buildBvh, cornersInOrder } from "../../mesh/bvh/bvh.ts";
import { type Barycentric, squaredDistanceToTriangle } from "../../mesh/bvh/closest-point.ts";
import { intersectingPairs } from "../../mesh/bvh/self-intersections.ts";
import { cornersOf, facetNormal, type Surface, triangleCount, vertexAt } from "../../mesh/mesh.ts";
import { CrossingIndex } from "./crossing-index.ts";
import { type LocalEdit, EditableSurface } from "./editable-surface.ts";

/** The tolerance grows by this factor when no edit within it removes any more crossings. */
const TOLERANCE_GROWTH = 4;
/** Least share of the crossings that a sweep removes. After a smaller share the tolerance grows. */
const MIN_REMOVED_SHARE = 0.02;
/** With a smaller share of folds among the crossing pairs, solids pass through one another. */
const MIN_FOLD_SHARE = 0.5;

/** Shares of the progress at which the hierarchy is built and crossings are found. The rest removes them. Estimates. */
const SHARES = { indexed: 0.05, searched: 0.2 };

/**
 * Removes folds of a closed manifold surface. When the coordinates of a finely divided, long face are rounded, slivers of it turn over
 * and cross their neighbours, each in up to hundreds of places, though the surface as a whole encloses each point once. An exact cut
 * would make thousands of slivers. Flips and collapses of edges remove nearly all folds: each leaves fewer pairs of facets that cross,
 * and moves the surface by at most a tolerance, which grows from `toleranceMm` to `maxToleranceMm`. The surface stays a closed
 * manifold, and its vertices are not moved. Returns the same object if there are no crossings or most are no folds; undefined if
 * there are more than `maxPairs`.
 */
export function unfold(
  surface: Surface,
  toleranceMm: number,
  maxToleranceMm: number,
  maxPairs: number,
  progress: Progress,
): Surface | undefined {
  const tree = buildBvh(surface, progress.part(0, SHARES.indexed));
  const pairs = intersectingPairs(tree, progress.part(SHARES.indexed, SHARES.searched), maxPairs);
  if (!pairs) return undefined;
  if (pairs.length === 0 || !areMostlyFolds(surface, pairs, maxToleranceMm)) return surface;
  progress.report(SHARES.searched);
  const unfolding = progress.part(SHARES.searched, 1);
  const index = new CrossingIndex(tree, pairs);
  const edited = new EditableSurface(surface);
  const all = index.pairCount;
  let tried = 0;

  /** Applies the edit at a facet that leaves the fewest pairs, if it leaves fewer than before. */
  const improve = (facet: number, tolerance: number): void => {
    let [best, most]: [LocalEdit | undefined, number] = [undefined, 0];
    for (const edit of edited.editsAt(facet)) {
      tried++;
      const facets = new Set(edit.facets);
      const before = index.pairsOf(facets);
      if (before <= most || !isWithin(edited.patch(edit.facets), edit.after, tolerance)) continue;
      const removed = before - index.pairsWith(cornersInOrder(edit.after, facetsOf(edit.after)), facets, before - most);
      if (removed > most) [best, most] = [edit, removed];
    }
    if (!best) return;
    index.replace(best.facets, cornersInOrder(best.after, facetsOf(best.after)));
    edited.apply(best);
  };

  for (let tolerance = toleranceMm; ; tolerance = Math.min(TOLERANCE_GROWTH * tolerance, maxToleranceMm)) {
    for (let left = Infinity; index.pairCount < (1 - MIN_REMOVED_SHARE) * left;) {
      left = index.pairCount;
      for (const facet of index.crossingFacets()) {
        improve(facet, tolerance);
        if (tried < EDITS_PER_REPORT) continue;
        unfolding.report(1 - index.pairCount / all, STEPS_PER_EDIT * tried);
        tried = 0;
      }
    }
    if (index.pairCount === 0 || tolerance >= maxToleranceMm) break;
  }
  return edited.surface();
}

const EDITS_PER_REPORT = 64;
/** 30 µs for each edit that is tried, measured on a body of 58 thousand facets with 70 thousand crossing pairs. */
const STEPS_PER_EDIT = 1950;

const facetsOf = (surface: Surface): Uint32Array => Uint32Array.from({ length: triangleCount(surface) }, (_, i) => i);

/** Whether most pairs are folds: one of the facets is on both sides of the plane of the other by at most the tolerance. */
function areMostlyFolds(surface: Surface, pairs: Uint32Array, toleranceMm: number): boolean {
  let folds = 0;
  for (let at = 0; at < pairs.length; at += 2) {
    const depth = Math.min(
      depthBehind(surface, pairs[at], pairs[at + 1]),
      depthBehind(surface, pairs[at + 1], pairs[at]),
    );
    if (depth <= toleranceMm) folds++;
  }
  return folds >= (MIN_FOLD_SHARE * pairs.length) / 2;
}

/** The extent of `other` on both sides of the plane of `facet`, mm: the smaller of the two. */
function depthBehind(surface: Surface, facet: number, other: number): number {
  const [normal, [origin]] = [facetNormal(surface, facet), cornersOf(surface, facet)];
  const heights = cornersOf(surface, other).map((corner) => dot(normal, subtract(corner, origin)));
  return Math.min(Math.max(...heights), -Math.min(...heights)) / exactLength(normal);
}

/** Places on an edge where the distance to another patch is measured, as shares of its length. Facets are flat: their edges suffice. */
const SAMPLED_SHARES = [0, 0.25, 0.5, 0.75] as const;

/** Whether two patches with the same border are within a distance of each other. Sampled on the edges that only one of them has. */
const isWithin = (one: Surface, other: Surface, distanceMm: number): boolean =>
  isOneSideWithin(one, other, distanceMm) && isOneSideWithin(other, one, distanceMm);

function isOneSideWithin(one: Surface, other: Surface, distanceMm: number): boolean {
  const corners = cornersInOrder(other, facetsOf(other));
  const isNear = ([x, y, z]: Vec3): boolean => {
    for (let at = 0; at < corners.length; at += 9) {
      if (squaredDistanceToTriangle(corners, at, x, y, z, nearest) <= distanceMm * distanceMm) return true;
    }
    return false;
  };
  for (let halfedge = 0; halfedge < one.triangles.length; halfedge++) {
    const [a, b] = [one.triangles[halfedge], one.triangles[nextHalfedge(halfedge)]];
    if (hasEdge(other, a, b)) continue;
    const [from, to] = [vertexAt(one, a), vertexAt(one, b)];
    if (!SAMPLED_SHARES.every((share) => isNear(lerp(from, to, share)))) return false;
  }
  return true;
}

const nearest: Barycentric = { v: 0, w: 0 };

/** Whether a surface of few facets has an edge between two vertices. */
function hasEdge({ triangles }: Surface, a: number, b: number): boolean {
  for (let halfedge = 0; halfedge < triangles.length; halfedge++) {
    const [from, to] = [triangles[halfedge], triangles[nextHalfedge(halfedge)]];
    if ((from === a && to === b) || (from === b && to === a)) return true;
  }
  return false;
}
