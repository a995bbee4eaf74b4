import type { Progress } from "../../core/progress.ts";
import { rotateVector, transpose } from "../../geometry/pose.ts";
import { IDENTITY, type Mat3, ORIGIN, type Vec3, subtract, times } from "../../geometry/vector.ts";
import { BVH_MAX_DEPTH, MAX_LEAF_ITEMS, boxSideSum } from "./box-tree.ts";
import type { Bvh } from "./bvh.ts";
import { triangleBoxesApart, trianglesIntersect } from "./triangles-intersect.ts";

/** A hierarchy in another coordinate system: point p of the tree is at scale · rotation · p + offset. */
export interface PlacedBvh {
  readonly tree: Bvh;
  readonly rotation: Mat3;
  readonly scale: number;
  readonly offset: Vec3;
}

/** The point in the coordinates of the tree. */
export const toBvhSpace = ({ rotation, scale, offset }: PlacedBvh, point: Vec3): Vec3 =>
  times(rotateVector(transpose(rotation), subtract(point, offset)), 1 / scale);

/** Writes the placed corners of the facet in a slot of the tree, from `to` on. */
export function placeTriangle(placed: PlacedBvh, slot: number, corners: Float32Array, to: number): void {
  const from = placed.tree.corners;
  const [a, b, c, d, e, f, g, h, k] = placed.rotation;
  const [u, v, w] = placed.offset;
  const { scale } = placed;
  for (let corner = 0; corner < 9; corner += 3) {
    const x = scale * from[9 * slot + corner];
    const y = scale * from[9 * slot + corner + 1];
    const z = scale * from[9 * slot + corner + 2];
    corners[to + corner] = a * x + b * y + c * z + u;
    corners[to + corner + 1] = d * x + e * y + f * z + v;
    corners[to + corner + 2] = g * x + h * y + k * z + w;
  }
}

/** Writes the axis-aligned box around the placed box of a node: least x, y, z and greatest x, y, z. */
function placeNodeBox({ tree, rotation, scale, offset }: PlacedBvh, node: number, box: Float64Array): void {
  const { boxes } = tree;
  const half = scale / 2;
  const x = half * (boxes[6 * node] + boxes[6 * node + 3]);
  const y = half * (boxes[6 * node + 1] + boxes[6 * node + 4]);
  const z = half * (boxes[6 * node + 2] + boxes[6 * node + 5]);
  const w = half * (boxes[6 * node + 3] - boxes[6 * node]);
  const d = half * (boxes[6 * node + 4] - boxes[6 * node + 1]);
  const h = half * (boxes[6 * node + 5] - boxes[6 * node + 2]);
  for (let axis = 0; axis < 3; axis++) {
    const p = rotation[3 * axis];
    const q = rotation[3 * axis + 1];
    const r = rotation[3 * axis + 2];
    const middle = p * x + q * y + r * z + offset[axis];
    const reach = Math.abs(p) * w + Math.abs(q) * d + Math.abs(r) * h;
    box[axis] = middle - reach;
    box[axis + 3] = middle + reach;
  }
}

/** Pairs of nodes: each step replaces one by two, one level deeper in one of the two trees. */
const stack = new Uint32Array(2 * 2 * 2 * BVH_MAX_DEPTH);
const boxA = new Float64Array(6);
const boxB = new Float64Array(6);
const cornersA = new Float32Array(9 * MAX_LEAF_ITEMS);
const cornersB = new Float32Array(9 * MAX_LEAF_ITEMS);

const STEPS_PER_REPORT = 1024;

/** Receives the slots of two facets and the offsets of their placed corners. Returns whether to continue. */
export type NearbyTriangleVisitor = (
  slotA: number,
  slotB: number,
  a: Float32Array,
  i: number,
  b: Float32Array,
  j: number,
) => boolean;

/**
 * Visits every pair of a facet of one surface and a facet of another whose boxes are within `reachMm` of each other on each
 * axis, until `visit` returns false. The order depends only on the trees and their placement.
 */
export function visitNearbyTriangles(
  a: PlacedBvh,
  b: PlacedBvh,
  reachMm: number,
  progress: Progress,
  visit: NearbyTriangleVisitor,
): void {
  const [linksA, linksB] = [a.tree.links, b.tree.links];
  let height = 0;
  const push = (nodeA: number, nodeB: number): void => {
    stack[height++] = nodeA;
    stack[height++] = nodeB;
  };
  let steps = 0;
  push(0, 0);
  while (height > 0) {
    if (++steps % STEPS_PER_REPORT === 0) progress.report(0);
    const nodeB = stack[--height];
    const nodeA = stack[--height];
    placeNodeBox(a, nodeA, boxA);
    placeNodeBox(b, nodeB, boxB);
    if (areApart(reachMm)) continue;
    const countA = linksA[2 * nodeA + 1];
    const countB = linksB[2 * nodeB + 1];
    if (countA > 0 && countB > 0) {
      if (!visitLeaves(a, nodeA, b, nodeB, reachMm, visit)) return;
    } else if (countB > 0 || (countA === 0 && boxSideSum(boxA, 0) > boxSideSum(boxB, 0))) {
      push(nodeA + 1, nodeB);
      push(linksA[2 * nodeA], nodeB);
    } else {
      push(nodeA, nodeB + 1);
      push(nodeA, linksB[2 * nodeB]);
    }
  }
}

function visitLeaves(
  a: PlacedBvh,
  nodeA: number,
  b: PlacedBvh,
  nodeB: number,
  reachMm: number,
  visit: NearbyTriangleVisitor,
): boolean {
  const endA = placeLeaf(a, nodeA, cornersA);
  const endB = placeLeaf(b, nodeB, cornersB);
  const firstA = a.tree.links[2 * nodeA];
  const firstB = b.tree.links[2 * nodeB];
  for (let i = 0; i < endA; i++) {
    for (let j = 0; j < endB; j++) {
      if (triangleBoxesApart(cornersA, 9 * i, cornersB, 9 * j, reachMm)) continue;
      if (!visit(firstA + i, firstB + j, cornersA, 9 * i, cornersB, 9 * j)) return false;
    }
  }
  return true;
}

/** Writes the placed corners of the facets of a leaf and returns their number. */
function placeLeaf(placed: PlacedBvh, node: number, corners: Float32Array): number {
  const { links } = placed.tree;
  const count = links[2 * node + 1];
  for (let i = 0; i < count; i++) placeTriangle(placed, links[2 * node] + i, corners, 9 * i);
  return count;
}

/** Whether `boxA` and `boxB` are farther apart than `reachMm`. */
function areApart(reachMm: number): boolean {
  let squared = 0;
  for (let axis = 0; axis < 3; axis++) {
    const gap = Math.max(0, boxA[axis] - boxB[axis + 3], boxB[axis] - boxA[axis + 3]);
    squared += gap * gap;
  }
  return squared > reachMm * reachMm;
}

/** Whether any facet of one surface intersects a facet of another for which `isCandidate` is true. */
export function bvhsIntersect(
  one: Bvh,
  other: Bvh,
  isCandidate: (facetOfOther: number) => boolean,
  progress: Progress,
): boolean {
  const identity = { rotation: IDENTITY, scale: 1, offset: ORIGIN };
  let isFound = false;
  visitNearbyTriangles({ tree: one, ...identity }, { tree: other, ...identity }, 0, progress, (_, slot, a, i, b, j) => {
    if (isCandidate(other.facets[slot]) && trianglesIntersect(a, i, b, j)) isFound = true;
    return !isFound;
  });
  return isFound;
}
