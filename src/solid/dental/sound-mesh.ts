import { operationFailed } from "../../core/fault.ts";
import { unwatched, type Watch } from "../../core/watch.ts";
import type { Mesh, Surface } from "../../mesh/mesh.ts";
import { repair } from "../../mesh/repair/repair.ts";
import { faultsOf, survey } from "../../mesh/survey.ts";
import { cleanMesh } from "../clean-mesh.ts";

/** The mesh of a surface, repaired where it has faults. Throws OPERATION_FAILED where that does not help. */
export function soundMesh(surface: Surface, watch: Watch): Mesh {
  const clean = cleanMesh(surface, watch.part(0, 0.5));
  if (faultsOf(survey(clean, watch.part(0.5, 0.7))).length === 0) return clean;
  const { mesh: repaired, isSound } = repair(clean, watch.part(0.7, 1));
  if (isSound) return repaired;
  const faults = faultsOf(survey(repaired, unwatched)).join(", ");
  throw operationFailed(
    `above the cut its surface has faults (${faults}). Repair it first with /v1/scene/model/repair/.`,
  );
}
