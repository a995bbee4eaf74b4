import type { Progress } from "../core/progress.ts";
import { triangleCentroid, type Vec3 } from "../geometry/vector.ts";
import { buildBvh, type Bvh } from "../mesh/bvh/bvh.ts";
import { distanceToSurface } from "../mesh/bvh/closest-point.ts";
import { windingField } from "../mesh/bvh/fast-winding-number.ts";
import { cornersOf, type Surface, triangleCount } from "../mesh/mesh.ts";
import { remeshVoxelMm } from "./remesh.ts";

/** Most facets whose points are sampled, and most of these points that are examined: the points with the least winding numbers. */
const MAX_FACETS = 2000;
const MAX_POINTS = 256;
/** Spacings of the grid in a ball, in voxels. Coarse grids come first: they show most balls that reach inside. */
const STRIDES = [8, 4, 2, 1] as const;

/** Most evaluations of a facet, at sampled points and at points of grids: a quarter of a second each. */
const MAX_STEPS = 2 ** 23;

/**
 * Shares of the progress at which steps end: of {@link remeshDeviates}, {@link remeshDeviationMm} and {@link farthestFromRemeshedMm}.
 * Estimates.
 */
const SHARES = {
  predicted: { indexed: 0.1, sampled: 0.5 },
  hausdorff: { indexed: 0.1, forward: 0.6 },
  farthest: { indexed: 0.2, sampled: 0.8 },
};

/**
 * Whether the surface of {@link remesh} is certainly farther than `reachMm` from a facet that is not inside: a ball of that radius
 * around a point of the facet is completely outside. Examines few points, so it takes little time. False in doubt.
 */
export function remeshDeviates(surface: Surface, reachMm: number, progress: Progress): boolean {
  const windingNumberAt = windingField(buildBvh(surface, progress.part(0, SHARES.predicted.indexed)));
  const { indexed, sampled } = SHARES.predicted;
  const sampling = progress.part(indexed, sampled);
  const examining = progress.part(sampled, 1);
  let steps = 0;
  /** The winding number without one of the facets. Counts the near facets that it evaluates. */
  const countedWindingNumber = (point: Vec3, without?: number): number =>
    windingNumberAt(point, (other) => {
      steps++;
      return other === without;
    });
  const samples: { readonly point: Vec3; readonly depth: number }[] = [];
  for (const facet of sampledFacets(triangleCount(surface))) {
    sampling.report(steps / MAX_STEPS);
    if (steps > MAX_STEPS) break;
    const corners = cornersOf(surface, facet);
    for (const point of [...corners, triangleCentroid(...corners)]) {
      samples.push({ point, depth: countedWindingNumber(point, facet) - 0.5 });
    }
  }
  const deepest = samples
    // The facet itself adds ±½. With less than −½ without it, both of its sides are outside.
    .filter(({ depth }) => depth < -0.5)
    .sort((one, other) => one.depth - other.depth)
    .slice(0, MAX_POINTS);
  const voxelMm = remeshVoxelMm(surface);
  steps = 0;
  const isOutside = (point: Vec3): boolean => {
    examining.report(steps / MAX_STEPS);
    return steps < MAX_STEPS && countedWindingNumber(point) <= 0.5;
  };
  return deepest.some(({ point }) =>
    STRIDES.every((stride) => isBallOutside(isOutside, point, reachMm, stride * voxelMm)),
  );
}

/** A prime. Steps of this size visit all facets of a mesh, evenly spread at each time. */
const SPREAD = 7_368_787;

/** Up to {@link MAX_FACETS} facets at equal strides. The first ones are spread over the whole mesh. */
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
 * Number of facets sampled for a distance. A remeshed surface is within a voxel of the old one by construction. The search for one
 * point takes half a millisecond where solids overlap densely.
 */
const MAX_SAMPLES = 4000;
const MAX_REMESHED_SAMPLES = 1000;
const SAMPLES_PER_REPORT = 64;

/**
 * The Hausdorff distance of a surface and its {@link remesh}, mm, sampled at the corners and centroids of their facets. Parts inside
 * the surface count as removed, not as moved.
 */
export function remeshDeviationMm(surface: Surface, remeshed: Surface, progress: Progress): number {
  const tree = buildBvh(surface, progress.part(0, SHARES.hausdorff.indexed));
  return Math.max(
    farthestFromRemeshedMm(surface, tree, remeshed, progress.part(SHARES.hausdorff.indexed, SHARES.hausdorff.forward)),
    directedHausdorffMm(tree, remeshed, progress.part(SHARES.hausdorff.forward, 1), MAX_REMESHED_SAMPLES),
  );
}

/** Most points that are tested for being inside: half a second where solids overlap densely. */
const MAX_TESTED = 4096;

/**
 * The greatest distance, mm, from points of a surface that are not inside it to a remeshed surface. `tree` is the BVH of the surface.
 * An upper bound if the farthest {@link MAX_TESTED} points are all inside.
 */
export function farthestFromRemeshedMm(surface: Surface, tree: Bvh, remeshed: Surface, progress: Progress): number {
  const windingNumberAt = windingField(tree);
  const other = buildBvh(remeshed, progress.part(0, SHARES.farthest.indexed));
  const found = [
    ...sampledDistances(other, surface, progress.part(SHARES.farthest.indexed, SHARES.farthest.sampled), MAX_SAMPLES),
  ];
  const testing = progress.part(SHARES.farthest.sampled, 1);
  found.sort((one, next) => next.distanceMm - one.distanceMm);
  const tested = found.slice(0, MAX_TESTED);
  const farthest = tested.find(({ point, facet }, i) => {
    if (i % POINTS_PER_REPORT === 0) testing.report(i / tested.length);
    // The facet itself adds ±½. With more than 1 without it, both of its sides are inside.
    return windingNumberAt(point, (one) => one === facet) <= 1;
  });
  return (farthest ?? found[tested.length] ?? { distanceMm: 0 }).distanceMm;
}

const POINTS_PER_REPORT = 16;

/** The greatest distance of a surface from the surface of a BVH, mm, sampled at the corners and centroids of facets. */
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

/** The distances of a surface from the surface of a BVH, at the corners and centroids of facets. */
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
