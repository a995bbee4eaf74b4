import { type Vec3, exactLength, times } from "../../geometry/vector.ts";
import type { Bvh } from "../../mesh/bvh/bvh.ts";
import { closestPoint } from "../../mesh/bvh/closest-point.ts";
import { type Surface, facetNormal } from "../../mesh/mesh.ts";
import type { SurfacePoint } from "./underside.ts";

/** Rounded coordinates of a point on a surface are this near to it. */
const ROUNDING_MM = 1e-3;

/**
 * The point of a surface that is nearest to a position, with the given normal or else that of its facet, as a unit vector; undefined if it is
 * farther than `snapMm`.
 */
export function snappedPoint(
  { bvh, surface }: { readonly bvh: Bvh; readonly surface: Surface },
  position: Vec3,
  normal: Vec3 | undefined,
  snapMm: number,
): SurfacePoint | undefined {
  const closest = closestPoint(bvh, position, Math.max(snapMm, ROUNDING_MM));
  if (!closest) return undefined;
  const outward = normal ?? facetNormal(surface, closest.facet);
  const lengthMm = exactLength(outward);
  return { position: closest.point, normal: lengthMm > 0 ? times(outward, 1 / lengthMm) : DOWN };
}

/** Of facets without area. */
const DOWN: Vec3 = [0, 0, -1];
