import type { Progress } from "../core/progress.ts";
import { newDisjointSets } from "../geometry/disjoint-sets.ts";
import { buildBvh } from "../mesh/bvh/bvh.ts";
import { maxComparisons, visitSelfIntersections } from "../mesh/bvh/self-intersections.ts";
import type { Surface } from "../mesh/mesh.ts";

/** Solids that are connected by intersections. */
export interface TouchingSolids {
  /** In ascending order. */
  readonly solids: readonly number[];
  /** Number of pairs of facets of different solids whose boxes touch: a measure of the work of their union. */
  readonly nearPairs: number;
}

/** Share of the progress at which the hierarchy is built. Estimated. */
const INDEXED_SHARE = 0.4;
/** Surfaces known as heaps. A repair asks again for surfaces that it cannot repair. */
const heaps = new WeakSet<Surface>();

/**
 * The groups of solids connected by intersections. `solidOf` is the solid of each facet, or a negative number. A solid for which
 * `canTouch` is not 1 is a group by itself. Undefined for a heap: a search would take too long.
 */
export function touchingSolids(
  surface: Surface,
  solidOf: Int32Array,
  canTouch: Uint8Array,
  progress: Progress,
): TouchingSolids[] | undefined {
  if (heaps.has(surface)) return undefined;
  const sets = newDisjointSets(canTouch.length);
  const nearPairs = new Float64Array(canTouch.length);
  const canJoin = (facet: number, other: number): boolean => {
    const [one, two] = [solidOf[facet], solidOf[other]];
    if (one === two || canTouch[one] !== 1 || canTouch[two] !== 1) return false;
    nearPairs[one]++;
    return sets.find(one) !== sets.find(two);
  };
  const tree = buildBvh(surface, progress.part(0, INDEXED_SHARE));
  const join = (facet: number, other: number): boolean => {
    sets.join(solidOf[facet], solidOf[other]);
    return true;
  };
  if (!visitSelfIntersections(tree, progress.part(INDEXED_SHARE, 1), join, canJoin, maxComparisons(tree))) {
    heaps.add(surface);
    return undefined;
  }
  const groups = Map.groupBy(nearPairs.keys(), (solid) => sets.find(solid));
  return Array.from(groups.values(), (solids) => ({
    solids,
    nearPairs: solids.reduce((sum, solid) => sum + nearPairs[solid], 0),
  }));
}
