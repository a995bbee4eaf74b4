import type { Progress } from "../../core/progress.ts";
import { BVH_MAX_DEPTH, type Bvh, boxSideSum } from "./bvh.ts";
import { triangleBoxesApart, trianglesIntersect } from "./triangles-intersect.ts";

/** Pairs of nodes: each step replaces one by at most three, one level deeper in one of the two trees. */
const stack = new Uint32Array(2 * 3 * 2 * BVH_MAX_DEPTH);

const STEPS_PER_REPORT = 4096;

/** Whether any two facets of the surface intersect ({@link trianglesIntersect}); stops at the first pair. */
export function isSelfIntersecting(tree: Bvh, progress: Progress): boolean {
  let isFound = false;
  visitSelfIntersections(tree, progress, () => !(isFound = true));
  return isFound;
}

/**
 * Visits every pair of intersecting facets of the surface once ({@link trianglesIntersect}), in an order that depends only
 * on the tree, until `visit` returns false.
 */
export function visitSelfIntersections(
  tree: Bvh,
  progress: Progress,
  visit: (facet: number, other: number) => boolean,
): void {
  const { boxes, links, facets } = tree;
  let height = 0;
  const push = (one: number, other: number): void => {
    stack[height++] = one;
    stack[height++] = other;
  };
  let done = 0;
  let steps = 0;
  push(0, 0);
  while (height > 0) {
    if (++steps % STEPS_PER_REPORT === 0) progress.report(done / facets.length);
    const other = stack[--height];
    const one = stack[--height];
    if (one !== other && !boxesOverlap(boxes, 6 * one, 6 * other)) continue;
    const count = links[2 * one + 1];
    const otherCount = links[2 * other + 1];
    if (count > 0 && otherCount > 0) {
      if (one === other) done += count;
      if (!visitLeaves(tree, one, other, visit)) return;
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

function visitLeaves(
  { links, facets, corners }: Bvh,
  one: number,
  other: number,
  visit: (facet: number, other: number) => boolean,
): boolean {
  const end = links[2 * one] + links[2 * one + 1];
  const otherEnd = links[2 * other] + links[2 * other + 1];
  for (let i = links[2 * one]; i < end; i++) {
    for (let j = one === other ? i + 1 : links[2 * other]; j < otherEnd; j++) {
      if (triangleBoxesApart(corners, 9 * i, corners, 9 * j, 0)) continue;
      if (!trianglesIntersect(corners, 9 * i, corners, 9 * j)) continue;
      if (!visit(facets[i], facets[j])) return false;
    }
  }
  return true;
}

const boxesOverlap = (boxes: Float32Array, a: number, b: number): boolean =>
  boxes[a] <= boxes[b + 3] &&
  boxes[b] <= boxes[a + 3] &&
  boxes[a + 1] <= boxes[b + 4] &&
  boxes[b + 1] <= boxes[a + 4] &&
  boxes[a + 2] <= boxes[b + 5] &&
  boxes[b + 2] <= boxes[a + 5];

/** With more intersections a surface is no damaged solid, and resolving them would take minutes. */
const MAX_PAIRS = 200_000;

/** The pairs of intersecting facets, two indices for each pair; undefined where there are too many. */
export function intersectingPairs(tree: Bvh, progress: Progress): Uint32Array | undefined {
  const pairs: number[] = [];
  visitSelfIntersections(tree, progress, (facet, other) => pairs.push(facet, other) < 2 * MAX_PAIRS);
  return pairs.length < 2 * MAX_PAIRS ? Uint32Array.from(pairs) : undefined;
}
