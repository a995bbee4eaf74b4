import type { Watch } from "../../core/watch.ts";
import { MAX_DEPTH } from "./facet-tree.ts";
import { facetBoxesApart } from "./facet-boxes.ts";
import { girth } from "./grow-box.ts";
import { placeFacet, type PlacedTree, placeNodeBox } from "./placed-tree.ts";
import { FEW } from "./split-facets.ts";

/** Two nodes a pair; one is taken off, two are put on, and each step goes a level down on one of two ways. */
const stack = new Uint32Array(2 * 2 * 2 * MAX_DEPTH);
const boxA = new Float64Array(6);
const boxB = new Float64Array(6);
const cornersA = new Float32Array(9 * FEW);
const cornersB = new Float32Array(9 * FEW);

const STEPS_PER_REPORT = 1024;

/** Sees two facets by their places in the trees, and where their corners stand. Tells whether to go on. */
export type VisitNear = (
  placeA: number,
  placeB: number,
  a: Float32Array,
  i: number,
  b: Float32Array,
  j: number,
) => boolean;

/**
 * Every facet of one surface with every one of another whose boxes lie within `reachMm` of each other along each axis, until
 * `visit` tells not to go on. The order depends on the trees and on how they stand alone.
 */
export function visitNearFacets(a: PlacedTree, b: PlacedTree, reachMm: number, watch: Watch, visit: VisitNear): void {
  const [linksA, linksB] = [a.tree.links, b.tree.links];
  let height = 0;
  const push = (nodeA: number, nodeB: number): void => {
    stack[height++] = nodeA;
    stack[height++] = nodeB;
  };
  let steps = 0;
  push(0, 0);
  while (height > 0) {
    if (++steps % STEPS_PER_REPORT === 0) watch.report(0);
    const nodeB = stack[--height];
    const nodeA = stack[--height];
    placeNodeBox(a, nodeA, boxA);
    placeNodeBox(b, nodeB, boxB);
    if (areApart(reachMm)) continue;
    const countA = linksA[2 * nodeA + 1];
    const countB = linksB[2 * nodeB + 1];
    if (countA > 0 && countB > 0) {
      if (!visitLeaves(a, nodeA, b, nodeB, reachMm, visit)) return;
    } else if (countB > 0 || (countA === 0 && girth(boxA, 0) > girth(boxB, 0))) {
      push(nodeA + 1, nodeB);
      push(linksA[2 * nodeA], nodeB);
    } else {
      push(nodeA, nodeB + 1);
      push(nodeA, linksB[2 * nodeB]);
    }
  }
}

function visitLeaves(
  a: PlacedTree,
  nodeA: number,
  b: PlacedTree,
  nodeB: number,
  reachMm: number,
  visit: VisitNear,
): boolean {
  const endA = placeLeaf(a, nodeA, cornersA);
  const endB = placeLeaf(b, nodeB, cornersB);
  const firstA = a.tree.links[2 * nodeA];
  const firstB = b.tree.links[2 * nodeB];
  for (let i = 0; i < endA; i++) {
    for (let j = 0; j < endB; j++) {
      if (facetBoxesApart(cornersA, 9 * i, cornersB, 9 * j, reachMm)) continue;
      if (!visit(firstA + i, firstB + j, cornersA, 9 * i, cornersB, 9 * j)) return false;
    }
  }
  return true;
}

/** Writes the corners of the facets of a leaf, and tells how many it has. */
function placeLeaf(placed: PlacedTree, node: number, corners: Float32Array): number {
  const { links } = placed.tree;
  const count = links[2 * node + 1];
  for (let i = 0; i < count; i++) placeFacet(placed, links[2 * node] + i, corners, 9 * i);
  return count;
}

/** Whether the two boxes are farther from each other. */
function areApart(reachMm: number): boolean {
  let squared = 0;
  for (let axis = 0; axis < 3; axis++) {
    const gap = Math.max(0, boxA[axis] - boxB[axis + 3], boxB[axis] - boxA[axis + 3]);
    squared += gap * gap;
  }
  return squared > reachMm * reachMm;
}
