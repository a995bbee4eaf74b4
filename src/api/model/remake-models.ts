import type { Setting } from "../../catalog/setting.ts";
import type { Mesh } from "../../mesh/mesh.ts";
import { internMesh } from "../../scene/intern-mesh.ts";
import type { Model } from "../../scene/model.ts";
import { withMesh } from "../../scene/with-mesh.ts";
import type { Hollowed } from "../../solid/hollowed.ts";
import type { Kit } from "../endpoint.ts";
import { turnModels } from "./turn-models.ts";

/** A model and the raw mesh that shall take the place of its own. */
export interface Remade {
  readonly model: Model;
  readonly mesh: Mesh;
  /** What it can be hollowed anew from; absent where that is nothing but the mesh. */
  readonly hollowed?: Hollowed;
}

/**
 * The models with their new meshes, standing as their printer has it: what a mesh has in common with the one before stays
 * where it stood in x and y, supports go.
 */
export const remakeModels = (remade: readonly Remade[], setting: Setting, kit: Kit): Promise<Model[]> =>
  turnModels(
    remade.map(({ model, mesh, hollowed }) => ({
      ...withMesh(model, internMesh(mesh)),
      hollowed: hollowed && { ...hollowed, solid: internMesh(hollowed.solid) },
    })),
    setting,
    kit,
  );
