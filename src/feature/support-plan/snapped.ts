import type { Vec3 } from "../../geometry/vector.ts";
import type { Mesh } from "../../mesh/mesh.ts";
import type { Snapped } from "../../support/plan/snap-points.ts";
import type { Compute } from "../../worker/compute.ts";
import { keptMeshTree } from "../kept-of-mesh.ts";
import { snapPointsTask } from "./task.ts";

/** Points on the surface of a mesh, as `snapPoints`; the tree of the mesh is kept for the next edit. */
export async function snapped(mesh: Mesh, points: readonly Vec3[], context: Compute): Promise<Snapped[]> {
  const { tree } = await keptMeshTree(mesh, context);
  return context.compute(snapPointsTask, { mesh, tree, points });
}
