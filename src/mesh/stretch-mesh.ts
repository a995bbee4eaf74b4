import type { Progress } from "../core/progress.ts";
import { releaseArrays } from "../core/typed-arrays.ts";
import type { Vec3 } from "../geometry/vector.ts";
import { canonicalMesh } from "./canonical-mesh.ts";
import { type Mesh, flipFacets } from "./mesh.ts";

/**
 * The mesh stretched along its axes about its coordinate origin. A negative factor (−1: the mirror image) turns the facets, so that the solid
 * stays the one inside. Mirroring twice gives the same mesh, bit by bit. Errors as for `canonicalMesh`.
 */
export function stretchMesh(mesh: Mesh, factors: Vec3, progress: Progress): Mesh {
  const vertices = Float64Array.from(mesh.vertices, (value, i) => value * factors[(i % 3) as 0 | 1 | 2]);
  const ratio = factors[0] * factors[1] * factors[2];
  const surface = { vertices, triangles: mesh.triangles };
  const stretched = canonicalMesh(ratio < 0 ? flipFacets(surface, () => true) : surface, 1, progress);
  releaseArrays(vertices);
  const { solidVolumeMm3 } = mesh;
  return solidVolumeMm3 === undefined ? stretched : { ...stretched, solidVolumeMm3: solidVolumeMm3 * Math.abs(ratio) };
}
