import type { Watch } from "../../core/watch.ts";
import { placedSurface } from "../../mesh/bvh/placed-surface.ts";
import type { Surface } from "../../mesh/mesh.ts";
import type { Placed } from "../../slice/placed.ts";
import { solidOf } from "../../slice/solid.ts";

/** The surface of the solid that a mesh stands for, where it stands in the scene. */
export function standingSolid({ mesh, pose }: Placed, watch: Watch): Surface {
  const { vertices, triangles } = solidOf(mesh, watch);
  return placedSurface({ mesh: { ...mesh, vertices: Float32Array.from(vertices), triangles }, pose });
}
