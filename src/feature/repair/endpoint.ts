import { paired } from "../../core/paired.ts";
import { replaceModels } from "../../scene/edit.ts";
import { selectModels } from "../../scene/find.ts";
import { bareMesh } from "../../mesh/filled-mesh.ts";
import { quotedName } from "../../scene/project.ts";
import { repairWarnings } from "./repair-warnings.ts";
import { changesScene } from "../../api/endpoint.ts";
import { field, object, strictObject } from "../../api/field.ts";
import { ids, idsOf, modelIds, modifiedModelIds, sceneId, warningsList } from "../../api/schema.ts";
import { mapDistinctMeshes, replaceMeshes } from "../mesh-tasks.ts";
import { repairMeshTask } from "./task.ts";

export const repairModels = changesScene(
  {
    method: "POST",
    path: "/v1/scene/model/repair/",
    summary:
      "Makes meshes closed and manifold: welds seams, removes duplicate facets and facets without area, splits non-manifold edges and vertices, orients facets and bodies outward, fills holes, and unites bodies that overlap or intersect themselves. Parts without defects keep their facets. Meshes that could only be remeshed are listed in warnings, with the distance of the new surface from the old one. Models without defects are in neither list. Models that cannot be repaired, and closed models that would lose thin walls by remeshing, stay unchanged, and warnings list their defects. Warnings also report faces that enclose no volume: with the volume of the solid that was made of them, or with their area if they were removed.",
    body: strictObject({ scene_id: sceneId, model_ids: modelIds }),
    reply: object({
      modified_model_ids: modifiedModelIds,
      unrepaired_model_ids: field(ids, "Ids of the models that could not be repaired and stay unchanged."),
      warnings: warningsList,
    }),
    async: true,
  },
  async (scene, { model_ids }, context) => {
    const selected = selectModels(scene, model_ids);
    const models = selected.filter(({ mesh }) => mesh.latticed === undefined);
    const latticed = selected.filter(({ mesh }) => mesh.latticed !== undefined);
    const results = await mapDistinctMeshes(models, (item) => context.compute(repairMeshTask, item));
    const outcomes = paired(models, results).map(([model, result]) => ({ model, result }));
    const unrepaired = outcomes.filter(({ result }) => !result.isClosedManifold);
    const modified = outcomes.filter(
      ({ model, result }) => result.isClosedManifold && result.mesh.hash !== bareMesh(model.mesh).hash,
    );
    const replacements = modified.map(({ model, result }) => ({
      model,
      mesh: result.mesh,
      hollowed: model.hollowed,
    }));
    const repaired = await replaceMeshes(replacements, scene.setting, context);
    const answer = {
      modified_model_ids: idsOf(repaired),
      unrepaired_model_ids: idsOf(unrepaired.map(({ model }) => model)),
      warnings: [
        ...[...unrepaired, ...modified].flatMap(({ model, result }) =>
          repairWarnings(quotedName(model), result, model.pose.scale),
        ),
        ...latticed.map(
          (model) =>
            `${quotedName(model)} has a lattice of beams, which is left as it is: an import can repair its mesh.`,
        ),
      ],
    };
    return [replaceModels(scene, repaired), answer];
  },
);
