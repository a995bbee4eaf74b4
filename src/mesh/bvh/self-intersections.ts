import type { Progress } from "../../core/progress.ts";
import { releaseArrays } from "../../core/typed-arrays.ts";
import { type BoxTree, BVH_MAX_DEPTH, boxesOverlap, boxSideSum } from "./box-tree.ts";
import type { Bvh } from "./bvh.ts";
import { type FacetClusters, facetClusters } from "./facet-clusters.ts";
import type { Surface } from "../mesh.ts";
import { isFacetSeparated, isSeparatedBetween, newFacetPlanes, setFacetPlanes } from "./triangles-separate.ts";
import { triangleBoxesApart, trianglesIntersect } from "./triangles-intersect.ts";

/** Pairs of nodes: each step replaces one by at most three, one level deeper in one of the two trees. */
const stack = new Uint32Array(2 * 3 * 2 * BVH_MAX_DEPTH);

const STEPS_PER_REPORT = 4096;
/** About the number of steps that a search in a model takes for each item. */
const STEPS_PER_ITEM = 64;

/**
 * Visits every pair of leaves with touching boxes once, also each leaf with itself, in an order that depends only on the tree, until
 * `visit` returns false. A leaf is given by its node. Reports the share of compared items, and the steps.
 */
function visitTouchingLeaves(
  { boxes, links }: Pick<BoxTree, "boxes" | "links">,
  items: number,
  progress: Progress,
  visit: (leaf: number, other: number) => boolean,
): void {
  let height = 0;
  const push = (one: number, other: number): void => {
    stack[height++] = one;
    stack[height++] = other;
  };
  let done = 0;
  let steps = 0;
  push(0, 0);
  while (height > 0) {
    if (++steps % STEPS_PER_REPORT === 0)
      progress.report((done / items + steps / (steps + STEPS_PER_ITEM * items)) / 2);
    const other = stack[--height];
    const one = stack[--height];
    if (one !== other && !boxesOverlap(boxes, 6 * one, boxes, 6 * other)) continue;
    const count = links[2 * one + 1];
    const otherCount = links[2 * other + 1];
    if (count > 0 && otherCount > 0) {
      if (one === other) done += count;
      if (!visit(one, other)) return;
    } else if (one === other) {
      push(one + 1, one + 1);
      push(links[2 * one], links[2 * one]);
      push(one + 1, links[2 * one]);
    } else if (otherCount > 0 || (count === 0 && boxSideSum(boxes, 6 * one) > boxSideSum(boxes, 6 * other))) {
      push(one + 1, other);
      push(links[2 * one], other);
    } else {
      push(one, other + 1);
      push(one, links[2 * other]);
    }
  }
}

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
    const reach = boxSideSum(tree.boxes, 6 * one) + boxSideSum(tree.boxes, 6 * other);
    const end = tree.links[2 * one] + tree.links[2 * one + 1];
    const otherEnd = tree.links[2 * other] + tree.links[2 * other + 1];
    for (let i = tree.links[2 * one]; i < end; i++) {
      for (let j = one === other ? i : tree.links[2 * other]; j < otherEnd; j++) {
        if (clustersIntersect(clusters, tree.items[i], tree.items[j], reach, 6 * other)) isFound = true;
      }
    }
    return !isFound;
  });
  releaseArrays(tree.boxes, tree.links, tree.items, clusters.starts, clusters.corners, clusters.bounds);
  return isFound;
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
