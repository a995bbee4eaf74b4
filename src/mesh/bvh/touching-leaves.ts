import type { Progress } from "../../core/progress.ts";
import { type BoxTree, BVH_MAX_DEPTH, boxesOverlap, boxSideSum } from "./box-tree.ts";

type Nodes = Pick<BoxTree, "boxes" | "links">;

/** Most pairs of nodes that replace one pair: each has one of its nodes a level deeper. */
const MAX_PARTS = 3;
/** Pairs of nodes. */
const stack = new Uint32Array(2 * MAX_PARTS * 2 * BVH_MAX_DEPTH);

const STEPS_PER_REPORT = 4096;
/** About the number of steps that a search in a model takes for each item. */
const STEPS_PER_ITEM = 64;

/** A pair of nodes, from which a search begins, and the most steps that it takes. */
interface SearchStart {
  readonly one: number;
  readonly other: number;
  readonly maxSteps: number;
}

const WHOLE_TREE: SearchStart = { one: 0, other: 0, maxSteps: Infinity };

/**
 * Visits every pair of leaves with touching boxes once, also each leaf with itself, in an order that depends only on the tree, until
 * `visit` returns false. A leaf is given by its node. Reports the share of compared items, and the steps. `start` restricts the search to
 * leaves of one node against leaves of another. False if it takes more than the steps of its start.
 */
export function visitTouchingLeaves(
  tree: Nodes,
  items: number,
  progress: Progress,
  visit: (leaf: number, other: number) => boolean,
  { one: first, other: second, maxSteps }: SearchStart = WHOLE_TREE,
): boolean {
  const { boxes, links } = tree;
  let height = 2;
  let done = 0;
  let steps = 0;
  stack[0] = first;
  stack[1] = second;
  while (height > 0) {
    if (++steps > maxSteps) return false;
    if (steps % STEPS_PER_REPORT === 0) progress.report((done / items + steps / (steps + STEPS_PER_ITEM * items)) / 2);
    const other = stack[--height];
    const one = stack[--height];
    if (one !== other && !boxesOverlap(boxes, 6 * one, boxes, 6 * other)) continue;
    const count = links[2 * one + 1];
    if (count === 0 || links[2 * other + 1] === 0) {
      height = replacePair(tree, one, other, stack, height);
      continue;
    }
    if (one === other) done += count;
    if (!visit(one, other)) return true;
  }
  return true;
}

/** Writes the parts of a pair of nodes, which are not both leaves, to `pairs` from `at` on. Returns the end of what was written. */
function replacePair({ boxes, links }: Nodes, one: number, other: number, pairs: Uint32Array, at: number): number {
  const isLeaf = links[2 * one + 1] > 0;
  if (one === other) {
    pairs[at] = pairs[at + 1] = pairs[at + 4] = one + 1;
    pairs[at + 2] = pairs[at + 3] = pairs[at + 5] = links[2 * one];
    return at + 6;
  }
  const isOther = isLeaf || (links[2 * other + 1] === 0 && boxSideSum(boxes, 6 * one) <= boxSideSum(boxes, 6 * other));
  pairs[at] = isOther ? one : one + 1;
  pairs[at + 1] = isOther ? other + 1 : other;
  pairs[at + 2] = isOther ? one : links[2 * one];
  pairs[at + 3] = isOther ? links[2 * other] : other;
  return at + 4;
}

/**
 * At least `least` pairs of nodes whose leaves are all the pairs of leaves that {@link visitTouchingLeaves} visits, two numbers each; fewer
 * where the tree has fewer. The pair of the root is replaced level by level.
 */
export function startPairs(tree: Nodes, least: number): Uint32Array {
  let pairs = Uint32Array.of(0, 0);
  for (let isWhole = false; !isWhole && pairs.length < 2 * least;) {
    isWhole = true;
    const parts = new Uint32Array(MAX_PARTS * pairs.length);
    let end = 0;
    for (let at = 0; at < pairs.length; at += 2) {
      const one = pairs[at];
      const other = pairs[at + 1];
      if (one !== other && !boxesOverlap(tree.boxes, 6 * one, tree.boxes, 6 * other)) continue;
      if (tree.links[2 * one + 1] > 0 && tree.links[2 * other + 1] > 0) {
        parts[end++] = one;
        parts[end++] = other;
        continue;
      }
      end = replacePair(tree, one, other, parts, end);
      isWhole = false;
    }
    pairs = parts.slice(0, end);
  }
  return pairs;
}
