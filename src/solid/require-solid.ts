import { operationFailed } from "../core/fault.ts";
import type { Watch } from "../core/watch.ts";
import type { Mesh } from "../mesh/mesh.ts";
import { soundnessOf } from "../mesh/soundness.ts";

/** The way out for a mesh that is no solid. */
export const REPAIR_IT = "repair it with /v1/scene/model/repair/ and try again.";

/** Throws OPERATION_FAILED for a mesh that cannot be united with a solid, or cut by one. */
export function requireSolid(mesh: Mesh, watch: Watch): void {
  if (soundnessOf(mesh, watch).isOpen)
    throw operationFailed(`its surface has gaps, or facets that face the wrong way: ${REPAIR_IT}`);
  if (mesh.volumeMm3 <= 0) throw operationFailed(`its surface faces inward: ${REPAIR_IT}`);
}
