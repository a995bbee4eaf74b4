import * as v from "valibot";
import { shortened } from "../../core/shortened.ts";
import type { Repaired } from "../../mesh/repair/repair.ts";
import { replaceModels } from "../../scene/edit.ts";
import { selectModels } from "../../scene/find.ts";
import type { Model } from "../../scene/model.ts";
import { changesScene } from "../endpoint.ts";
import { idsOf } from "../ids-of.ts";
import { ids, modelIds, sceneId } from "../schema.ts";
import { perMesh } from "./per-mesh.ts";
import { remakeModels } from "./remake-models.ts";

export const repairModels = changesScene(
  {
    method: "POST",
    path: "/v1/scene/model/repair/",
    summary:
      "Makes meshes closed and manifold: welds seams, drops duplicate facets and facets without area, splits edges and vertices that several sheets share, turns facets and bodies outward, fills holes, and makes one solid of bodies that overlap or pass through themselves. Sound parts keep their facets. What can only be remade with another surface is named in warnings, with how far that lies from the old one. Models that needed nothing are in neither list; those that cannot be repaired stay as they are.",
    body: v.strictObject({ scene_id: sceneId, model_ids: modelIds }),
    reply: v.object({ modified_model_ids: ids, unrepaired_model_ids: ids, warnings: v.array(v.string()) }),
    async: true,
  },
  async (scene, { model_ids }, kit) => {
    const models = selectModels(scene, model_ids);
    const repaired = await perMesh(models, (share) => kit.compute("repairMesh", share));
    const all = models.map((model, i) => ({ model, repaired: repaired[i]! }));
    const unrepaired = all.filter(({ repaired: { isSound } }) => !isSound);
    const modified = all.filter(({ model, repaired: { mesh, isSound } }) => isSound && mesh.hash !== model.mesh.hash);
    const remade = await remakeModels(
      modified.map(({ model, repaired: { mesh } }) => ({ model, mesh, hollowed: model.hollowed })),
      scene.setting,
      kit,
    );
    const answer = {
      modified_model_ids: idsOf(remade),
      unrepaired_model_ids: idsOf(unrepaired.map(({ model }) => model)),
      warnings: modified.flatMap(({ model, repaired }) => lossWarning(model, repaired)),
    };
    return [replaceModels(scene, remade), answer];
  },
);

/** What a client should know of a mesh that has another surface now. */
function lossWarning({ name, pose }: Model, { deviationMm }: Repaired): string[] {
  if (deviationMm === undefined) return [];
  return [
    `"${shortened(name)}" could not be repaired facet by facet: its surface was made anew, up to ` +
      `${(deviationMm * pose.scale).toFixed(3)} mm away from the old one. Look at it before you print it.`,
  ];
}
