import type { Progress } from "../core/progress.ts";
import { triangleCentroid, type Vec3 } from "../geometry/vector.ts";
import { buildBvh, type Bvh } from "../mesh/bvh/bvh.ts";
import { distanceToSurface } from "../mesh/bvh/closest-point.ts";
import { type WindingField, windingField } from "../mesh/bvh/fast-winding-number.ts";
import { cornersOf, type Surface, triangleCount } from "../mesh/mesh.ts";
import { remeshVoxelMm } from "./remesh.ts";

/** Number of facets whose points are sampled, and of those points that are examined: those deepest inside or outside. */
const MAX_FACETS = 2000;
const MAX_POINTS = 256;
/** Spacings of the grid in a ball, in voxels. Coarse ones come first: most balls show both sides there already. */
const STRIDES = [8, 4, 2, 1] as const;

/**
 * Whether the surface of {@link remesh} is certainly farther than `reachMm` from some facet: a ball of that radius around a
 * point of the facet is all inside or all outside. Takes a moment, since it examines few points; false where in doubt.
 */
export function remeshDeviates(surface: Surface, reachMm: number, progress: Progress): boolean {
  const windingNumberAt = windingField(buildBvh(surface, progress.part(0, 0.1)));
  const deepest = samplePoints(surface)
    // The facet itself adds ±½: with a difference of more than ½ from the threshold, both of its sides are inside, or outside.
    .map(({ facet, point }) => {
      progress.report(0.1);
      return { point, depth: windingNumberAt(point, (other) => other === facet) - 0.5 };
    })
    .filter(({ depth }) => Math.abs(depth) > 0.5)
    .sort((one, other) => Math.abs(other.depth) - Math.abs(one.depth))
    .slice(0, MAX_POINTS);
  const voxelMm = remeshVoxelMm(surface);
  return deepest.some(({ point, depth }, i) => {
    progress.report(0.1 + (0.9 * i) / MAX_POINTS);
    return STRIDES.every((stride) =>
      isBallOnOneSide(windingNumberAt, point, depth > 0, reachMm, stride * voxelMm, progress),
    );
  });
}

/** The corners and centroids of facets at equal strides. */
function samplePoints(surface: Surface): { readonly facet: number; readonly point: Vec3 }[] {
  const facets = triangleCount(surface);
  const stride = Math.ceil(facets / MAX_FACETS);
  return Array.from({ length: Math.ceil(facets / stride) }, (_, i) => stride * i).flatMap((facet) => {
    const corners = cornersOf(surface, facet);
    return [...corners, triangleCentroid(...corners)].map((point) => ({ facet, point }));
  });
}

/** Whether all points of a grid in a ball are inside, or all outside. */
function isBallOnOneSide(
  windingNumberAt: WindingField,
  [x, y, z]: Vec3,
  isInside: boolean,
  radiusMm: number,
  stepMm: number,
  progress: Progress,
): boolean {
  const steps = Math.floor(radiusMm / stepMm);
  for (let k = -steps; k <= steps; k++) {
    for (let j = -steps; j <= steps; j++) {
      progress.report(0);
      for (let i = -steps; i <= steps; i++) {
        if (i * i + j * j + k * k > steps * steps) continue;
        if (windingNumberAt([x + i * stepMm, y + j * stepMm, z + k * stepMm]) > 0.5 !== isInside) return false;
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
