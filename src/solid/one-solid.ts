import { operationFailed } from "../core/api-error.ts";
import type { Progress } from "../core/progress.ts";
import { closedManifoldFact } from "../mesh/mesh-facts.ts";
import { bareMesh } from "../mesh/filled-mesh.ts";
import type { Mesh } from "../mesh/mesh.ts";
import { repairWithinBudget } from "../repair/repair.ts";
import { withOverlapsOnce } from "../repair/solid-volume.ts";
import { REPAIR_HINT } from "./boolean-mesh.ts";

/** Shares of the progress after which it is known whether the mesh is closed, and whether it encloses anything twice. */
const CLOSED_SHARE = 0.1;
const OVERLAPS_SHARE = 0.3;

/**
 * The mesh as one solid, without infill, so that something can be taken away from it: if several bodies overlap, or one crosses itself, the
 * winding number is 2 or more, and a hole through it or a cavity in it takes away 1, so that slices would still fill it. The same object
 * if nothing overlaps, and for a mesh with gaps or inside out. Throws OPERATION_FAILED if the bodies cannot be united.
 */
export async function oneSolid(given: Mesh, progress: Progress): Promise<Mesh> {
  const mesh = bareMesh(given);
  if (mesh.volumeMm3 <= 0 || closedManifoldFact(mesh, progress.part(0, CLOSED_SHARE)).isOpen) return mesh;
  if (withOverlapsOnce(mesh, progress.part(CLOSED_SHARE, OVERLAPS_SHARE)).solidVolumeMm3 === undefined) return mesh;
  const united = await repairWithinBudget(mesh, progress.part(OVERLAPS_SHARE, 1));
  if (!united) throw operationFailed(`its bodies overlap and cannot be united: ${REPAIR_HINT}`);
  return united;
}
