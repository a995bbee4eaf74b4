import type { Progress } from "../core/progress.ts";
import type { Vec3 } from "../geometry/vector.ts";
import { squaredTriangleDistance } from "../mesh/bvh/segment-distance.ts";
import { visitLeafPairs } from "./leaf-pairs.ts";
import type { OrientedBvh } from "./oriented-bvh.ts";

export interface NearestFacets {
  readonly distanceMm: number;
  /** Unit vector from the facet of the first part to that of the second. */
  readonly direction: Vec3;
}

/** The nearest facets of `a` and of `b`, which is offset by `offset`; undefined if they are at least `limitMm` apart, or intersect. */
export function nearestFacets(
  a: OrientedBvh,
  b: OrientedBvh,
  [dx, dy, dz]: Vec3,
  limitMm: number,
  progress: Progress,
): NearestFacets | undefined {
  const limit = limitMm * limitMm;
  let least = limit;
  let [facetA, facetB] = [-1, -1];
  const visit = (leafA: number, leafB: number): number => {
    const [firstA, firstB] = [9 * a.links[2 * leafA], 9 * b.links[2 * leafB]];
    for (let j = firstB; j < firstB + 9 * b.links[2 * leafB + 1]; j += 9) {
      moveFacet(b, j, dx, dy, dz);
      for (let i = firstA; i < firstA + 9 * a.links[2 * leafA + 1]; i += 9) {
        const squared = squaredTriangleDistance(a.corners, i, moved, 0, least);
        if (squared < least) [least, facetA, facetB] = [squared, i, j];
      }
    }
    return least;
  };
  visitLeafPairs(a, b, [dx, dy, dz], limit, visit, progress);
  if (least === limit || least === 0) return undefined;
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
