import type { Progress } from "../core/progress.ts";
import type { Vec3 } from "../geometry/vector.ts";
import { BVH_MAX_DEPTH, boxSideSum } from "../mesh/bvh/box-tree.ts";
import { squaredTriangleDistance } from "../mesh/bvh/segment-distance.ts";
import type { OrientedBvh } from "./oriented-bvh.ts";

export interface NearestFacets {
  readonly distanceMm: number;
  /** Unit vector from the facet of the first part to that of the second. */
  readonly direction: Vec3;
}

const stack = new Uint32Array(8 * BVH_MAX_DEPTH);
const PAIRS_PER_REPORT = 4096;

/** The nearest facets of `a` and of `b`, which lies at `offset` from it; undefined where they are at least `limitMm` apart, or intersect. */
export function nearestFacets(
  a: OrientedBvh,
  b: OrientedBvh,
  [dx, dy, dz]: Vec3,
  limitMm: number,
  progress: Progress,
): NearestFacets | undefined {
  const [boxesA, boxesB] = [a.boxes, b.boxes];
  let least = limitMm * limitMm;
  let [facetA, facetB] = [-1, -1];
  let height = 2;
  stack[0] = 0;
  stack[1] = 0;
  for (let steps = 1; height > 0; steps++) {
    if (steps % PAIRS_PER_REPORT === 0) progress.report(0);
    const nodeB = stack[--height];
    const nodeA = stack[--height];
    const [p, q] = [6 * nodeA, 6 * nodeB];
    const x = Math.max(0, boxesB[q] + dx - boxesA[p + 3], boxesA[p] - boxesB[q + 3] - dx);
    const y = Math.max(0, boxesB[q + 1] + dy - boxesA[p + 4], boxesA[p + 1] - boxesB[q + 4] - dy);
    const z = Math.max(0, boxesB[q + 2] + dz - boxesA[p + 5], boxesA[p + 2] - boxesB[q + 5] - dz);
    if (x * x + y * y + z * z >= least) continue;
    const [countA, countB] = [a.links[2 * nodeA + 1], b.links[2 * nodeB + 1]];
    if (countA > 0 && countB > 0) {
      const [firstA, firstB] = [9 * a.links[2 * nodeA], 9 * b.links[2 * nodeB]];
      for (let j = firstB; j < firstB + 9 * countB; j += 9) {
        moveFacet(b, j, dx, dy, dz);
        for (let i = firstA; i < firstA + 9 * countA; i += 9) {
          const squared = squaredTriangleDistance(a.corners, i, moved, 0, least);
          if (squared >= least) continue;
          if (squared === 0) return undefined;
          least = squared;
          [facetA, facetB] = [i, j];
        }
      }
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
  if (facetA < 0) return undefined;
  const squaredAt = (x: number, y: number, z: number): number => {
    moveFacet(b, facetB, dx + x, dy + y, dz + z);
    return squaredTriangleDistance(a.corners, facetA, moved, 0, Infinity);
  };
  // The gradient of the squared distance of two convex sets is twice the vector between their nearest points.
  const h = GRADIENT_STEP_MM;
  const gradient = [
    squaredAt(h, 0, 0) - squaredAt(-h, 0, 0),
    squaredAt(0, h, 0) - squaredAt(0, -h, 0),
    squaredAt(0, 0, h) - squaredAt(0, 0, -h),
  ] as const;
  const size = Math.sqrt(gradient[0] ** 2 + gradient[1] ** 2 + gradient[2] ** 2);
  if (size === 0) return undefined;
  return {
    distanceMm: Math.sqrt(least),
    direction: [gradient[0] / size, gradient[1] / size, gradient[2] / size],
  };
}

/** Far above the rounding of corners to single precision, far below the sizes of facets that matter. */
const GRADIENT_STEP_MM = 0.01;

const moved = new Float32Array(9);

/** Writes a facet of `b`, moved by an offset, to {@link moved}. */
function moveFacet({ corners }: OrientedBvh, facet: number, dx: number, dy: number, dz: number): void {
  for (let at = 0; at < 9; at += 3) {
    moved[at] = corners[facet + at] + dx;
    moved[at + 1] = corners[facet + at + 1] + dy;
    moved[at + 2] = corners[facet + at + 2] + dz;
  }
}
