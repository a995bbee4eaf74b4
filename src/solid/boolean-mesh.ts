import { operationFailed } from "../core/api-error.ts";
import type { Progress } from "../core/progress.ts";
import { canonicalMesh } from "../mesh/canonical-mesh.ts";
import { closedManifoldFact } from "../mesh/mesh-facts.ts";
import type { Mesh, Surface } from "../mesh/mesh.ts";
import { removeCollapsedFacets } from "../repair/remove-facets.ts";
import { repairTopology } from "../repair/repair-topology.ts";

/** Ends the message about a mesh that does not bound a solid. */
export const REPAIR_HINT = "repair it with /v1/scene/model/repair/ and try again.";

/**
 * Throws OPERATION_FAILED for a mesh that no boolean can take: one with gaps or wrongly oriented facets, or inside out.
 */
export function requireSolid(mesh: Mesh, progress: Progress): void {
  if (closedManifoldFact(mesh, progress).isOpen)
    throw operationFailed(`its surface has gaps, or facets that face the wrong way: ${REPAIR_HINT}`);
  if (mesh.volumeMm3 <= 0) throw operationFailed(`its surface faces inward: ${REPAIR_HINT}`);
}

/** The mesh of the result of a boolean. If bodies overlapped, their shared walls can coincide, so its topology is repaired. */
export const meshFromBoolean = (surface: Surface, progress: Progress): Mesh =>
  repairTopology(cleanMesh(surface, progress.part(0, 0.7)), progress.part(0.7, 1));

/** The mesh of a computed surface, without the facets that rounding to single precision collapses. */
export function cleanMesh(surface: Surface, progress: Progress): Mesh {
  const mesh = canonicalMesh(surface, 1, progress.part(0, 0.6));
  const kept = removeCollapsedFacets(mesh);
  return kept === mesh ? mesh : canonicalMesh(kept, 1, progress.part(0.6, 1));
}
