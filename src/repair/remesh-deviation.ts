import type { Progress } from "../core/progress.ts";
import { triangleCentroid, type Vec3 } from "../geometry/vector.ts";
import { buildBvh, type Bvh } from "../mesh/bvh/bvh.ts";
import { distanceToSurface } from "../mesh/bvh/closest-point.ts";
import { windingField } from "../mesh/bvh/fast-winding-number.ts";
import { cornersOf, type Surface, triangleCount } from "../mesh/mesh.ts";
import { remeshVoxelMm } from "./remesh.ts";

/** Number of facets whose points are sampled, and of those points that are examined: those deepest outside. */
const MAX_FACETS = 2000;
const MAX_POINTS = 256;
/** Spacings of the grid in a ball, in voxels. Coarse ones come first: most balls show the inside there already. */
const STRIDES = [8, 4, 2, 1] as const;

/** Most evaluations of a facet at sampled points, and at points of grids, which take a quarter of a second each. */
const MAX_STEPS = 2 ** 23;

/**
 * Whether the surface of {@link remesh} is certainly farther than `reachMm` from some facet that is not inside: a ball of that radius
 * around a point of the facet is all outside. Takes a moment, since it examines few points; false where in doubt.
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
    // The facet itself adds ±½: where less than −½ is left above the threshold, both of its sides are outside.
    .filter(({ depth }) => depth < -0.5)
    .sort((one, other) => one.depth - other.depth)
    .slice(0, MAX_POINTS);
  const voxelMm = remeshVoxelMm(surface);
  steps = 0;
  const isOutside = (point: Vec3): boolean => {
    progress.report(0.5 + (0.5 * steps) / MAX_STEPS);
    return steps < MAX_STEPS && countedWindingNumber(point) <= 0.5;
  };
  return deepest.some(({ point }) =>
    STRIDES.every((stride) => isBallOutside(isOutside, point, reachMm, stride * voxelMm)),
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

/** Whether all points of a grid in a ball are outside. */
function isBallOutside(
  isOutside: (point: Vec3) => boolean,
  [x, y, z]: Vec3,
  radiusMm: number,
  stepMm: number,
): boolean {
  const steps = Math.floor(radiusMm / stepMm);
  for (let k = -steps; k <= steps; k++) {
    for (let j = -steps; j <= steps; j++) {
      for (let i = -steps; i <= steps; i++) {
        if (i * i + j * j + k * k > steps * steps) continue;
        if (!isOutside([x + i * stepMm, y + j * stepMm, z + k * stepMm])) return false;
      }
    }
  }
  return true;
}

/**
 * Number of facets sampled for a distance. A remeshed surface is within a voxel of the old one by its making, and the search of a
 * point takes half a millisecond where solids lie densely in one another.
 */
const MAX_SAMPLES = 4000;
const MAX_REMESHED_SAMPLES = 1000;
const SAMPLES_PER_REPORT = 64;

/**
 * The Hausdorff distance of a surface and the one that was made of it by {@link remesh}, mm, sampled at the corners and centroids of
 * their facets. What is inside of the surface counts as removed, not as moved.
 */
export function remeshDeviationMm(surface: Surface, remeshed: Surface, progress: Progress): number {
  const tree = buildBvh(surface, progress.part(0, 0.1));
  return Math.max(
    farthestFromRemeshedMm(surface, tree, remeshed, progress.part(0.1, 0.6)),
    directedHausdorffMm(tree, remeshed, progress.part(0.6, 1), MAX_REMESHED_SAMPLES),
  );
}

/** Most points for which is found out whether they are inside: half a second where solids lie densely in one another. */
const MAX_TESTED = 4096;

/**
 * The greatest distance of a surface, whose BVH is given, from a remeshed one, mm; of points that are not inside. At most as great as
 * said where very many are.
 */
export function farthestFromRemeshedMm(surface: Surface, tree: Bvh, remeshed: Surface, progress: Progress): number {
  const windingNumberAt = windingField(tree);
  const other = buildBvh(remeshed, progress.part(0, 0.2));
  const found = [...sampledDistances(other, surface, progress.part(0.2, 0.8), MAX_SAMPLES)];
  found.sort((one, next) => next.distanceMm - one.distanceMm);
  const tested = found.slice(0, MAX_TESTED);
  const farthest = tested.find(({ point, facet }, i) => {
    if (i % POINTS_PER_REPORT === 0) progress.report(0.8 + (0.2 * i) / tested.length);
    // The facet itself adds ±½: where more than 1 is left, both of its sides are inside.
    return windingNumberAt(point, (one) => one === facet) <= 1;
  });
  return (farthest ?? found[tested.length] ?? { distanceMm: 0 }).distanceMm;
}

const POINTS_PER_REPORT = 16;

/** The greatest distance of a surface from that of a BVH, mm, sampled at the corners and centroids of facets. */
export function directedHausdorffMm(tree: Bvh, surface: Surface, progress: Progress, maxSamples = MAX_SAMPLES): number {
  let farthest = 0;
  for (const { distanceMm } of sampledDistances(tree, surface, progress, maxSamples))
    farthest = Math.max(farthest, distanceMm);
  return farthest;
}

interface SampledDistance {
  readonly point: Vec3;
  readonly facet: number;
  readonly distanceMm: number;
}

/** The distances of a surface from that of a BVH, at the corners and centroids of facets. */
function* sampledDistances(
  tree: Bvh,
  surface: Surface,
  progress: Progress,
  maxSamples: number,
): Generator<SampledDistance> {
  const facets = triangleCount(surface);
  const stride = Math.ceil(facets / maxSamples);
  for (let facet = 0; facet < facets; facet += stride) {
    if (facet % (SAMPLES_PER_REPORT * stride) === 0) progress.report(facet / facets);
    const corners = cornersOf(surface, facet);
    for (const point of [...corners, triangleCentroid(...corners)]) {
      yield { point, facet, distanceMm: distanceToSurface(tree, point, Infinity) };
    }
  }
}
