import * as v from "valibot";
import { removeModels } from "../../scene/edit.ts";
import { selectModels } from "../../scene/find.ts";
import { changesScene } from "../endpoint.ts";
import { idsOf } from "../ids-of.ts";
import { ids, modelIds, sceneId } from "../schema.ts";

export const deleteModels = changesScene(
  {
    method: "DELETE",
    path: "/v1/scene/model/delete/",
    summary: "Removes models from the scene.",
    body: v.strictObject({ scene_id: sceneId, model_ids: modelIds }),
    reply: v.object({ deleted_model_ids: ids }),
  },
  (scene, { model_ids }) => {
    const deleted = selectModels(scene, model_ids);
    return [removeModels(scene, deleted), { deleted_model_ids: idsOf(deleted) }];
  },
);
