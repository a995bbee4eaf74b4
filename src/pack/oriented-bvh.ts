import { type Progress, STEPS_PER_REPORT } from "../core/progress.ts";
import { boxCentre } from "../geometry/box.ts";
import { type EulerDeg, rotationMatrix } from "../geometry/pose.ts";
import type { Vec3 } from "../geometry/vector.ts";
import { BVH_MAX_DEPTH, MAX_LEAF_ITEMS, boxSideSum, growBox } from "../mesh/bvh/box-tree.ts";
import type { Bvh } from "../mesh/bvh/bvh.ts";
import { triangleBoxesApart } from "../mesh/bvh/triangles-intersect.ts";
import { areTrianglesNearer } from "../mesh/bvh/triangles-nearer.ts";
import type { Mesh } from "../mesh/mesh.ts";

/**
 * The hierarchy of a mesh in an orientation and scale, relative to its position, with boxes along the axes of the scene. Parts move along
 * these far more often than they turn: so their distances take half the time of hierarchies in the coordinates of their meshes.
 */
export type OrientedBvh = Pick<Bvh, "boxes" | "links" | "corners">;

export function orientBvh(
  { boxes, links, corners }: Bvh,
  mesh: Mesh,
  orientation: EulerDeg,
  scale: number,
  progress: Progress,
): OrientedBvh {
  // Rounded as the check of interferences does: engines differ in the last bits of sines.
  const [a, b, c, d, e, f, g, h, i] = rotationMatrix(orientation).map((value) => scale * Math.fround(value));
  const [ox, oy, oz] = boxCentre(mesh.box);
  const rotated = new Float32Array(corners.length);
  for (let at = 0; at < corners.length; at += 3) {
    if (at % (3 * STEPS_PER_REPORT) === 0) progress.report(0);
    const x = corners[at] - ox;
    const y = corners[at + 1] - oy;
    const z = corners[at + 2] - oz;
    rotated[at] = a * x + b * y + c * z;
    rotated[at + 1] = d * x + e * y + f * z;
    rotated[at + 2] = g * x + h * y + i * z;
  }
  const bounds = new Float32Array(boxes.length);
  for (let node = links.length / 2 - 1; node >= 0; node--) {
    if (node % STEPS_PER_REPORT === 0) progress.report(0);
    const count = links[2 * node + 1];
    if (count === 0) {
      bounds.copyWithin(6 * node, 6 * node + 6, 6 * node + 12);
      growBox(bounds, 6 * node, bounds, 6 * links[2 * node]);
      continue;
    }
    bounds.fill(Infinity, 6 * node, 6 * node + 3);
    bounds.fill(-Infinity, 6 * node + 3, 6 * node + 6);
    const first = 9 * links[2 * node];
    for (let at = first; at < first + 9 * count; at++) {
      const axis = 6 * node + ((at - first) % 3);
      if (rotated[at] < bounds[axis]) bounds[axis] = rotated[at];
      if (rotated[at] > bounds[axis + 3]) bounds[axis + 3] = rotated[at];
    }
  }
  return { boxes: bounds, links, corners: rotated };
}

/** Pairs of nodes: each step replaces one by two, one level deeper in one of the two trees. */
const stack = new Uint32Array(8 * BVH_MAX_DEPTH);
const moved = new Float32Array(9 * MAX_LEAF_ITEMS);
const PAIRS_PER_REPORT = 4096;

/** Whether a facet of `a` is nearer than `limitMm` to one of `b`, which lies at `offset` from it. */
export function areFacetsNearer(
  a: OrientedBvh,
  b: OrientedBvh,
  offset: Vec3,
  limitMm: number,
  progress: Progress,
): boolean {
  const [dx, dy, dz] = offset;
  const limit = limitMm * limitMm;
  const [boxesA, boxesB] = [a.boxes, b.boxes];
  let height = 2;
  stack[0] = 0;
  stack[1] = 0;
  for (let steps = 1; height > 0; steps++) {
    if (steps % PAIRS_PER_REPORT === 0) progress.report(0);
    const nodeB = stack[--height];
    const nodeA = stack[--height];
    const p = 6 * nodeA;
    const q = 6 * nodeB;
    const x = Math.max(0, boxesB[q] + dx - boxesA[p + 3], boxesA[p] - boxesB[q + 3] - dx);
    const y = Math.max(0, boxesB[q + 1] + dy - boxesA[p + 4], boxesA[p + 1] - boxesB[q + 4] - dy);
    const z = Math.max(0, boxesB[q + 2] + dz - boxesA[p + 5], boxesA[p + 2] - boxesB[q + 5] - dz);
    if (x * x + y * y + z * z >= limit) continue;
    const countA = a.links[2 * nodeA + 1];
    const countB = b.links[2 * nodeB + 1];
    if (countA > 0 && countB > 0) {
      if (areLeavesNearer(a, nodeA, b, nodeB, offset, limitMm)) return true;
    } else if (countB > 0 || (countA === 0 && boxSideSum(boxesA, p) > boxSideSum(boxesB, q))) {
      stack[height++] = nodeA + 1;
      stack[height++] = nodeB;
      stack[height++] = a.links[2 * nodeA];
      stack[height++] = nodeB;
    } else {
      stack[height++] = nodeA;
      stack[height++] = nodeB + 1;
      stack[height++] = nodeA;
      stack[height++] = b.links[2 * nodeB];
    }
  }
  return false;
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

/** Most pairs of leaves are seen to be apart within so many steps. */
const LEAF_STEPS = 3;
/** Well above the rounding of moved corners to single precision, mm. */
const ROUNDING_MM = 1e-4;

/**
 * Whether the convex hulls of two leaves are seen to be at least `limitMm` apart, by steps of Gilbert's algorithm from the line through the
 * middles of their boxes (see `areTrianglesNearer`): true for most pairs, at the cost of a few pairs of triangles.
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

/** Where the corner of a leaf begins that is farthest in a direction. */
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
