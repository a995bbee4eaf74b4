import type { Progress } from "../../core/progress.ts";
import type { Vec3 } from "../../geometry/vector.ts";
import type { Bvh } from "../../mesh/bvh/bvh.ts";
import { closestPoint } from "../../mesh/bvh/closest-point.ts";
import { type Mesh, facetNormal } from "../../mesh/mesh.ts";
import { type SurfacePoint, unitNormal } from "../points/underside.ts";
import { roundedPlace } from "../../geometry/rounded-place.ts";

export interface SnapRequest {
  readonly mesh: Mesh;
  readonly tree: Bvh;
  /** In the coordinates of the mesh. */
  readonly points: readonly Vec3[];
}

/** The nearest point of a surface, and how far it is. */
export interface Snapped extends SurfacePoint {
  readonly distanceMm: number;
}

/** Points this near to the surface are on it, mm: those that an earlier request put there stay exactly where they are. */
const ON_SURFACE_MM = 1e-5;
/** The nearest point of a mesh to each point, with the outward normal of its facet, in the coordinates of the mesh. */
export function snapPoints({ mesh, tree, points }: SnapRequest, progress: Progress): Snapped[] {
  return points.map((point, i) => {
    progress.report(i / points.length);
    // Without a limit of distance there always is a nearest point.
    const { point: nearest, facet, distanceMm } = closestPoint(tree, point, Infinity)!;
    return {
      position: roundedPlace(distanceMm <= ON_SURFACE_MM ? point : nearest),
      normal: unitNormal(facetNormal(mesh, facet)),
      distanceMm,
    };
  });
}
