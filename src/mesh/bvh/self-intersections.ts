import type { Progress } from "../../core/progress.ts";
import { moveToSharedMemory, releaseArrays } from "../../core/typed-arrays.ts";
import { boxesOverlap, boxSideSum } from "./box-tree.ts";
import type { Bvh } from "./bvh.ts";
import { type FacetClusters, facetClusters } from "./facet-clusters.ts";
import type { Surface } from "../mesh.ts";
import { startPairs, visitTouchingLeaves } from "./touching-leaves.ts";
import { isFacetSeparated, isSeparatedBetween, newFacetPlanes, setFacetPlanes } from "./triangles-separate.ts";
import { triangleBoxesApart, trianglesIntersect } from "./triangles-intersect.ts";

/**
 * Largest number of pairs of facets that a search compares (about ten million take a second), plus a number for each facet. Models
 * need up to 50 comparisons for each facet, crossed lattices of 29 thousand facets 400; if all facets cross each other, every pair is
 * compared.
 */
const MAX_COMPARISONS = 1e7;
const MAX_COMPARISONS_PER_FACET = 200;

/** The largest number of comparisons, after which a search gives up. */
export const maxComparisons = ({ facets }: Bvh): number => MAX_COMPARISONS + MAX_COMPARISONS_PER_FACET * facets.length;

/**
 * Visits every pair of intersecting facets of the surface once ({@link trianglesIntersect}), in an order that depends only on the
 * tree, until `visit` returns false. Pairs for which `isWanted` does not hold are not tested. False if the search would take more than
 * `maxCompared` comparisons.
 */
export function visitSelfIntersections(
  tree: Bvh,
  progress: Progress,
  visit: (facet: number, other: number) => boolean,
  isWanted: (facet: number, other: number) => boolean = () => true,
  maxCompared = Infinity,
): boolean {
  let compared = 0;
  visitTouchingLeaves(tree, tree.facets.length, progress, (one, other) => {
    compared += tree.links[2 * one + 1] * tree.links[2 * other + 1];
    return compared <= maxCompared && visitLeaves(tree, one, other, visit, isWanted);
  });
  return compared <= maxCompared;
}

function visitLeaves(
  { links, facets, corners }: Bvh,
  one: number,
  other: number,
  visit: (facet: number, other: number) => boolean,
  isWanted: (facet: number, other: number) => boolean,
): boolean {
  const end = links[2 * one] + links[2 * one + 1];
  const otherEnd = links[2 * other] + links[2 * other + 1];
  for (let i = links[2 * one]; i < end; i++) {
    for (let j = one === other ? i + 1 : links[2 * other]; j < otherEnd; j++) {
      if (triangleBoxesApart(corners, 9 * i, corners, 9 * j, 0) || !isWanted(facets[i], facets[j])) continue;
      if (!trianglesIntersect(corners, 9 * i, corners, 9 * j)) continue;
      if (!visit(facets[i], facets[j])) return false;
    }
  }
  return true;
}

/**
 * Whether any two facets of a surface with at least one facet intersect ({@link trianglesIntersect}); stops at the first pair. Takes
 * about half of the time and memory of a {@link Bvh} and {@link visitSelfIntersections}, which find all pairs.
 */
export function isSelfIntersecting(surface: Surface, progress: Progress): boolean {
  const clusters = facetClusters(surface, progress.part(0, 0.4));
  const { tree } = clusters;
  let isFound = false;
  visitTouchingLeaves(tree, tree.items.length, progress.part(0.4, 1), (one, other) => {
    isFound = leavesIntersect(clusters, one, other);
    return !isFound;
  });
  releaseArrays(tree.boxes, tree.links, tree.items, clusters.starts, clusters.corners, clusters.bounds);
  return isFound;
}

/** {@link isSelfIntersecting} in shares that threads search at the same time. All arrays are in shared memory. */
export interface SharedSearch {
  readonly clusters: FacetClusters;
  /** The pairs of nodes of the tree from which the search begins, two numbers each. Share s has every pair s + n × `shares`. */
  readonly pairs: Uint32Array;
  readonly shares: number;
  /** One integer: 1 as soon as an intersection was found, so that the other shares end. */
  readonly isFound: Int32Array;
}

/** Pairs of nodes at the start, at least: they take unequal time, and a share has several of them. */
const MIN_START_PAIRS = 256;
/**
 * Most steps of all shares for each cluster, in equal parts for the pairs of the start. A search in a usual model takes 64. It is less than
 * what a repair of a large mesh may spend, so that it does not succeed here where the repair would give up.
 */
const MAX_STEPS_PER_CLUSTER = 1024;

/** A search in `shares` shares, some of which may be empty. */
export function planSharedSearch(surface: Surface, shares: number, progress: Progress): SharedSearch {
  const { tree, starts, corners, bounds } = facetClusters(surface, progress);
  return {
    pairs: startPairs(tree, MIN_START_PAIRS),
    clusters: {
      tree: {
        boxes: moveToSharedMemory(tree.boxes),
        links: moveToSharedMemory(tree.links),
        items: moveToSharedMemory(tree.items),
      },
      starts: moveToSharedMemory(starts),
      corners: moveToSharedMemory(corners),
      bounds: moveToSharedMemory(bounds),
    },
    shares,
    isFound: new Int32Array(new SharedArrayBuffer(4)),
  };
}

/**
 * Whether a share of a search finds an intersection, or another one has; undefined where it takes too many steps. Each pair has its own
 * bound, so that the answers of all shares together depend on the surface alone: true if one of them is, else undefined if one of them is.
 */
export function searchShare(
  { clusters, pairs, shares, isFound }: SharedSearch,
  share: number,
  progress: Progress,
  maxStepsPerCluster = MAX_STEPS_PER_CLUSTER,
): boolean | undefined {
  const { tree } = clusters;
  const items = tree.items.length;
  const maxSteps = (2 * maxStepsPerCluster * items) / pairs.length;
  const visit = (one: number, other: number): boolean => {
    if (leavesIntersect(clusters, one, other)) Atomics.store(isFound, 0, 1);
    return Atomics.load(isFound, 0) === 0;
  };
  let isDecided = true;
  for (let at = 2 * share; at < pairs.length; at += 2 * shares) {
    const start = { one: pairs[at], other: pairs[at + 1], maxSteps };
    const part = progress.part(at / pairs.length, Math.min(1, (at + 2 * shares) / pairs.length));
    if (!visitTouchingLeaves(tree, items, part, visit, start)) isDecided = false;
    if (Atomics.load(isFound, 0) === 1) return true;
  }
  return isDecided ? false : undefined;
}

/** Whether a facet in one leaf of the tree intersects one in another leaf. */
function leavesIntersect(clusters: FacetClusters, one: number, other: number): boolean {
  const { boxes, links, items } = clusters.tree;
  const reach = boxSideSum(boxes, 6 * one) + boxSideSum(boxes, 6 * other);
  const end = links[2 * one] + links[2 * one + 1];
  const otherEnd = links[2 * other] + links[2 * other + 1];
  for (let i = links[2 * one]; i < end; i++) {
    for (let j = one === other ? i : links[2 * other]; j < otherEnd; j++) {
      if (clustersIntersect(clusters, items[i], items[j], reach, 6 * other)) return true;
    }
  }
  return false;
}

const planes = newFacetPlanes();
const otherPlanes = newFacetPlanes();

/** Whether a facet of cluster `one` intersects one of cluster `other`, whose facets are in the box at `box` of the tree. */
function clustersIntersect(clusters: FacetClusters, one: number, other: number, reach: number, box: number): boolean {
  const { tree, starts, corners, bounds } = clusters;
  const end = starts[one + 1];
  const otherEnd = starts[other + 1];
  for (let i = starts[one]; i < end; i++) {
    if (one !== other && !boxesOverlap(bounds, 6 * i, tree.boxes, box)) continue;
    let hasPlanes = false;
    for (let j = one === other ? i + 1 : starts[other]; j < otherEnd; j++) {
      if (!boxesOverlap(bounds, 6 * i, bounds, 6 * j)) continue;
      if (!hasPlanes) setFacetPlanes(planes, corners, 9 * i);
      hasPlanes = true;
      if (isFacetSeparated(planes, reach, corners, 9 * i, 9 * j)) continue;
      setFacetPlanes(otherPlanes, corners, 9 * j);
      if (isFacetSeparated(otherPlanes, reach, corners, 9 * j, 9 * i)) continue;
      if (isSeparatedBetween(reach, corners, 9 * i, 9 * j)) continue;
      if (trianglesIntersect(corners, 9 * i, corners, 9 * j)) return true;
    }
  }
  return false;
}

/** A surface with more intersections is no damaged solid; resolving them would take minutes. */
const MAX_PAIRS = 200_000;

/**
 * The pairs of intersecting facets, two indices for each pair; undefined if there are more than `maxPairs`, or the search would take
 * more than {@link maxComparisons}.
 */
export function intersectingPairs(tree: Bvh, progress: Progress, maxPairs = MAX_PAIRS): Uint32Array | undefined {
  const pairs: number[] = [];
  const visit = (facet: number, other: number): boolean => pairs.push(facet, other) <= 2 * maxPairs;
  const isWhole = visitSelfIntersections(tree, progress, visit, undefined, maxComparisons(tree));
  return isWhole && pairs.length <= 2 * maxPairs ? Uint32Array.from(pairs) : undefined;
}
