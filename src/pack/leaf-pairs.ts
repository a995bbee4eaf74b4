import type { Progress } from "../core/progress.ts";
import type { Vec3 } from "../geometry/vector.ts";
import { BVH_MAX_DEPTH, boxSideSum } from "../mesh/bvh/box-tree.ts";
import type { OrientedBvh } from "./oriented-bvh.ts";

/** Stack of node pairs: each step replaces one by at most two, one level deeper in one of the two trees. */
const stack = new Uint32Array(8 * BVH_MAX_DEPTH);
/** The squared distance of the boxes of each pair. */
const squares = new Float64Array(4 * BVH_MAX_DEPTH);
const PAIRS_PER_REPORT = 4096;

/**
 * Visits the pairs of leaves of `a` and of `b`, which is offset by `offset`, whose boxes are nearer than a limit, roughly the nearest
 * first. The squared limit is `squaredLimit` at first and then the return value of `visit`; the walk ends once that is 0 or less. Must
 * not be called by `visit`.
 */
export function visitLeafPairs(
  a: OrientedBvh,
  b: OrientedBvh,
  [dx, dy, dz]: Vec3,
  squaredLimit: number,
  visit: (leafA: number, leafB: number) => number,
  progress: Progress,
): void {
  const [boxesA, boxesB, linksA, linksB] = [a.boxes, b.boxes, a.links, b.links];
  const squaredGap = (p: number, q: number): number => {
    const x = Math.max(0, boxesB[q] + dx - boxesA[p + 3], boxesA[p] - boxesB[q + 3] - dx);
    const y = Math.max(0, boxesB[q + 1] + dy - boxesA[p + 4], boxesA[p + 1] - boxesB[q + 4] - dy);
    const z = Math.max(0, boxesB[q + 2] + dz - boxesA[p + 5], boxesA[p + 2] - boxesB[q + 5] - dz);
    return x * x + y * y + z * z;
  };
  let limit = squaredLimit;
  let height = 0;
  const push = (nodeA: number, nodeB: number, squared: number): void => {
    if (squared >= limit) return;
    stack[2 * height] = nodeA;
    stack[2 * height + 1] = nodeB;
    squares[height++] = squared;
  };
  push(0, 0, squaredGap(0, 0));
  for (let steps = 1; height > 0; steps++) {
    if (steps % PAIRS_PER_REPORT === 0) progress.report(0);
    height--;
    if (squares[height] >= limit) continue;
    const nodeA = stack[2 * height];
    const nodeB = stack[2 * height + 1];
    const isLeafA = linksA[2 * nodeA + 1] > 0;
    const isLeafB = linksB[2 * nodeB + 1] > 0;
    if (isLeafA && isLeafB) {
      limit = visit(nodeA, nodeB);
      continue;
    }
    const splitsA = isLeafB || (!isLeafA && boxSideSum(boxesA, 6 * nodeA) > boxSideSum(boxesB, 6 * nodeB));
    const [firstA, firstB] = splitsA ? [nodeA + 1, nodeB] : [nodeA, nodeB + 1];
    const [secondA, secondB] = splitsA ? [linksA[2 * nodeA], nodeB] : [nodeA, linksB[2 * nodeB]];
    const first = squaredGap(6 * firstA, 6 * firstB);
    const second = squaredGap(6 * secondA, 6 * secondB);
    if (first < second) {
      push(secondA, secondB, second);
      push(firstA, firstB, first);
    } else {
      push(firstA, firstB, first);
      push(secondA, secondB, second);
    }
  }
}
