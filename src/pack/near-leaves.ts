import type { Progress } from "../core/progress.ts";
import type { Vec3 } from "../geometry/vector.ts";
import { MAX_LEAF_ITEMS } from "../mesh/bvh/box-tree.ts";
import { triangleBoxesApart } from "../mesh/bvh/triangles-intersect.ts";
import { areTrianglesNearer } from "../mesh/bvh/triangles-nearer.ts";
import { visitLeafPairs } from "./leaf-pairs.ts";
import type { OrientedBvh } from "./oriented-bvh.ts";

/** Leaves of two hierarchies. */
export type LeafPair = readonly [leafA: number, leafB: number];

const moved = new Float32Array(9 * MAX_LEAF_ITEMS);

/**
 * Leaves of `a` and of `b`, which is offset by `offset`, with facets that are nearer than `limitMm`; undefined if there are none.
 * `known` are tested first: nearby positions mostly have the same ones.
 */
export function nearLeaves(
  a: OrientedBvh,
  b: OrientedBvh,
  offset: Vec3,
  { limitMm, known }: { readonly limitMm: number; readonly known?: LeafPair | undefined },
  progress: Progress,
): LeafPair | undefined {
  if (known && areLeavesNearer(a, known[0], b, known[1], offset, limitMm)) return known;
  const limit = limitMm * limitMm;
  let found: LeafPair | undefined;
  const visit = (leafA: number, leafB: number): number => {
    if (!areLeavesNearer(a, leafA, b, leafB, offset, limitMm)) return limit;
    found = [leafA, leafB];
    return 0;
  };
  visitLeafPairs(a, b, offset, limit, visit, progress);
  return found;
}

function areLeavesNearer(
  a: OrientedBvh,
  nodeA: number,
  b: OrientedBvh,
  nodeB: number,
  offset: Vec3,
  limitMm: number,
): boolean {
  if (areLeavesApart(a, nodeA, b, nodeB, offset, limitMm)) return false;
  const [dx, dy, dz] = offset;
  const limit = limitMm * limitMm;
  const firstB = 9 * b.links[2 * nodeB];
  const sizeB = 9 * b.links[2 * nodeB + 1];
  for (let at = 0; at < sizeB; at += 3) {
    moved[at] = b.corners[firstB + at] + dx;
    moved[at + 1] = b.corners[firstB + at + 1] + dy;
    moved[at + 2] = b.corners[firstB + at + 2] + dz;
  }
  const firstA = 9 * a.links[2 * nodeA];
  const endA = firstA + 9 * a.links[2 * nodeA + 1];
  for (let i = firstA; i < endA; i += 9) {
    for (let j = 0; j < sizeB; j += 9) {
      if (triangleBoxesApart(a.corners, i, moved, j, limitMm)) continue;
      if (areTrianglesNearer(a.corners, i, moved, j, limit)) return true;
    }
  }
  return false;
}

/** Most pairs of leaves turn out to be apart within this many steps. */
const LEAF_STEPS = 3;
/** Well above the rounding of moved corners to single precision, mm. */
const ROUNDING_MM = 1e-4;

/**
 * Whether a few steps of Gilbert's algorithm, from the line through the middles of their boxes (see `areTrianglesNearer`), show that the
 * convex hulls of two leaves are at least `limitMm` apart: true for most pairs, at the cost of a few pairs of triangles.
 */
function areLeavesApart(
  a: OrientedBvh,
  nodeA: number,
  b: OrientedBvh,
  nodeB: number,
  [dx, dy, dz]: Vec3,
  limitMm: number,
): boolean {
  const limit = (limitMm + ROUNDING_MM) ** 2;
  const [p, q] = [6 * nodeA, 6 * nodeB];
  let x = dx + (b.boxes[q] + b.boxes[q + 3] - a.boxes[p] - a.boxes[p + 3]) / 2;
  let y = dy + (b.boxes[q + 1] + b.boxes[q + 4] - a.boxes[p + 1] - a.boxes[p + 4]) / 2;
  let z = dz + (b.boxes[q + 2] + b.boxes[q + 5] - a.boxes[p + 2] - a.boxes[p + 5]) / 2;
  for (let step = 0; step < LEAF_STEPS; step++) {
    const squared = x * x + y * y + z * z;
    if (squared < limit) return false;
    const i = farthest(a, nodeA, x, y, z);
    const j = farthest(b, nodeB, -x, -y, -z);
    const toX = b.corners[j] + dx - a.corners[i];
    const toY = b.corners[j + 1] + dy - a.corners[i + 1];
    const toZ = b.corners[j + 2] + dz - a.corners[i + 2];
    const gap = x * toX + y * toY + z * toZ;
    if (gap > 0 && gap * gap >= limit * squared) return true;
    const [u, v, w] = [toX - x, toY - y, toZ - z];
    const toCorner = u * u + v * v + w * w;
    const share = Math.min(1, -(x * u + y * v + z * w) / toCorner);
    if (!(share > 0)) return false;
    x += share * u;
    y += share * v;
    z += share * w;
  }
  return false;
}

/** Start of the corner of a leaf that is farthest in a direction. */
function farthest({ corners, links }: OrientedBvh, leaf: number, x: number, y: number, z: number): number {
  const first = 9 * links[2 * leaf];
  const end = first + 9 * links[2 * leaf + 1];
  let found = first;
  let most = -Infinity;
  for (let at = first; at < end; at += 3) {
    const along = x * corners[at] + y * corners[at + 1] + z * corners[at + 2];
    if (along > most) {
      most = along;
      found = at;
    }
  }
  return found;
}
