import type { Progress } from "../core/progress.ts";
import { triangleCentroid, type Vec3 } from "../geometry/vector.ts";
import { buildBvh, type Bvh } from "../mesh/bvh/bvh.ts";
import { distanceToSurface } from "../mesh/bvh/closest-point.ts";
import { windingField } from "../mesh/bvh/fast-winding-number.ts";
import { cornersOf, type Surface, triangleCount } from "../mesh/mesh.ts";
import { remeshVoxelMm } from "./remesh.ts";

/** Number of facets whose points are sampled, and of those points that are examined: those deepest inside or outside. */
const MAX_FACETS = 2000;
const MAX_POINTS = 256;
/** Spacings of the grid in a ball, in voxels. Coarse ones come first: most balls show both sides there already. */
const STRIDES = [8, 4, 2, 1] as const;

/** Most evaluations of a facet at sampled points, and at points of grids, which take a quarter of a second each. */
const MAX_STEPS = 2 ** 23;

/**
 * Whether the surface of {@link remesh} is certainly farther than `reachMm` from some facet: a ball of that radius around a
 * point of the facet is all inside or all outside. Takes a moment, since it examines few points; false where in doubt.
 */
export function remeshDeviates(surface: Surface, reachMm: number, progress: Progress): boolean {
  const windingNumberAt = windingField(buildBvh(surface, progress.part(0, 0.1)));
  let steps = 0;
  /** The winding number without one of the facets. Counts the near facets that it takes into account. */
  const countedWindingNumber = (point: Vec3, without?: number): number =>
    windingNumberAt(point, (other) => {
      steps++;
      return other === without;
    });
  const samples: { readonly point: Vec3; readonly depth: number }[] = [];
  for (const facet of sampledFacets(triangleCount(surface))) {
    progress.report(0.1 + (0.4 * steps) / MAX_STEPS);
    if (steps > MAX_STEPS) break;
    const corners = cornersOf(surface, facet);
    for (const point of [...corners, triangleCentroid(...corners)]) {
      samples.push({ point, depth: countedWindingNumber(point, facet) - 0.5 });
    }
  }
  const deepest = samples
    // The facet itself adds ±½: with a difference of more than ½ from the threshold, both of its sides are inside, or outside.
    .filter(({ depth }) => Math.abs(depth) > 0.5)
    .sort((one, other) => Math.abs(other.depth) - Math.abs(one.depth))
    .slice(0, MAX_POINTS);
  const voxelMm = remeshVoxelMm(surface);
  steps = 0;
  const isSide = (point: Vec3, isInside: boolean): boolean => {
    progress.report(0.5 + (0.5 * steps) / MAX_STEPS);
    return steps < MAX_STEPS && countedWindingNumber(point) > 0.5 === isInside;
  };
  return deepest.some(({ point, depth }) =>
    STRIDES.every((stride) => isBallOnOneSide(isSide, point, depth > 0, reachMm, stride * voxelMm)),
  );
}

/** A prime: steps of this size visit all facets of a mesh in an order that is spread over it. */
const SPREAD = 7_368_787;

/** Up to {@link MAX_FACETS} facets at equal strides; the first of them are spread over all. */
function* sampledFacets(facets: number): Generator<number> {
  const stride = Math.ceil(facets / MAX_FACETS);
  const count = Math.ceil(facets / stride);
  for (let i = 0; i < count; i++) yield stride * ((i * SPREAD) % count);
}

/** Whether all points of a grid in a ball are inside, or all outside. */
function isBallOnOneSide(
  isSide: (point: Vec3, isInside: boolean) => boolean,
  [x, y, z]: Vec3,
  isInside: boolean,
  radiusMm: number,
  stepMm: number,
): boolean {
  const steps = Math.floor(radiusMm / stepMm);
  for (let k = -steps; k <= steps; k++) {
    for (let j = -steps; j <= steps; j++) {
      for (let i = -steps; i <= steps; i++) {
        if (i * i + j * j + k * k > steps * steps) continue;
        if (!isSide([x + i * stepMm, y + j * stepMm, z + k * stepMm], isInside)) return false;
      }
    }
  }
  return true;
}

/** Number of facets sampled for a distance: more hardly change it. */
const MAX_SAMPLES = 100_000;
const SAMPLES_PER_REPORT = 1024;

/** The Hausdorff distance of two surfaces, mm, sampled at the corners and centroids of their facets. */
export function hausdorffDistanceMm(one: Surface, other: Surface, progress: Progress): number {
  const [otherTree, oneTree] = [buildBvh(other, progress.part(0, 0.1)), buildBvh(one, progress.part(0.1, 0.2))];
  return Math.max(
    directedHausdorffMm(otherTree, one, progress.part(0.2, 0.6)),
    directedHausdorffMm(oneTree, other, progress.part(0.6, 1)),
  );
}

/** The greatest distance of a surface from that of a BVH, mm, sampled at the corners and centroids of facets. */
export function directedHausdorffMm(tree: Bvh, surface: Surface, progress: Progress): number {
  const facets = triangleCount(surface);
  const stride = Math.ceil(facets / MAX_SAMPLES);
  let farthest = 0;
  for (let facet = 0; facet < facets; facet += stride) {
    if (facet % (SAMPLES_PER_REPORT * stride) === 0) progress.report(facet / facets);
    const corners = cornersOf(surface, facet);
    for (const point of [...corners, triangleCentroid(...corners)]) {
      farthest = Math.max(farthest, distanceToSurface(tree, point, Infinity));
    }
  }
  return farthest;
}
