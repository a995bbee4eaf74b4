import type { Watch } from "../../core/watch.ts";
import { facetBoxesApart } from "./facet-boxes.ts";
import { type FacetTree, MAX_DEPTH } from "./facet-tree.ts";
import { facetsCross } from "./facets-cross.ts";
import { girth } from "./grow-box.ts";

/** Two nodes a pair; one is taken off, at most three are put on, and each step goes a level down on one of two ways. */
const stack = new Uint32Array(2 * 3 * 2 * MAX_DEPTH);

const STEPS_PER_REPORT = 4096;

/** Whether any two facets of the surface pass through each other, stand on each other or overlap; stops at the first. */
export function isSelfIntersecting(tree: FacetTree, watch: Watch): boolean {
  let isFound = false;
  visitCrossings(tree, watch, () => !(isFound = true));
  return isFound;
}

/**
 * Every two facets of the surface that {@link facetsCross}, by their numbers, each pair once and in an order that depends
 * on the tree alone, until `visit` tells not to go on.
 */
export function visitCrossings(tree: FacetTree, watch: Watch, visit: (facet: number, other: number) => boolean): void {
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
    if (++steps % STEPS_PER_REPORT === 0) watch.report(done / facets.length);
    const other = stack[--height];
    const one = stack[--height];
    if (one !== other && !boxesMeet(boxes, 6 * one, 6 * other)) continue;
    const count = links[2 * one + 1];
    const otherCount = links[2 * other + 1];
    if (count > 0 && otherCount > 0) {
      if (one === other) done += count;
      if (!visitLeaves(tree, one, other, visit)) return;
    } else if (one === other) {
      push(one + 1, one + 1);
      push(links[2 * one], links[2 * one]);
      push(one + 1, links[2 * one]);
    } else if (otherCount > 0 || (count === 0 && girth(boxes, 6 * one) > girth(boxes, 6 * other))) {
      push(one + 1, other);
      push(links[2 * one], other);
    } else {
      push(one, other + 1);
      push(one, links[2 * other]);
    }
  }
}

function visitLeaves(
  { links, facets, corners }: FacetTree,
  one: number,
  other: number,
  visit: (facet: number, other: number) => boolean,
): boolean {
  const end = links[2 * one] + links[2 * one + 1];
  const otherEnd = links[2 * other] + links[2 * other + 1];
  for (let i = links[2 * one]; i < end; i++) {
    for (let j = one === other ? i + 1 : links[2 * other]; j < otherEnd; j++) {
      if (facetBoxesApart(corners, 9 * i, corners, 9 * j, 0) || !facetsCross(corners, 9 * i, corners, 9 * j)) continue;
      if (!visit(facets[i], facets[j])) return false;
    }
  }
  return true;
}

const boxesMeet = (boxes: Float32Array, a: number, b: number): boolean =>
  boxes[a] <= boxes[b + 3] &&
  boxes[b] <= boxes[a + 3] &&
  boxes[a + 1] <= boxes[b + 4] &&
  boxes[b + 1] <= boxes[a + 4] &&
  boxes[a + 2] <= boxes[b + 5] &&
  boxes[b + 2] <= boxes[a + 5];
