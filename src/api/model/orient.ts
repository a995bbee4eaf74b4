import * as v from "valibot";
import { replaceModels } from "../../scene/edit.ts";
import { selectModels } from "../../scene/find.ts";
import { repose } from "../../scene/repose.ts";
import { changesScene } from "../endpoint.ts";
import { idsOf } from "../ids-of.ts";
import { modelIds, modifiedReply, sceneId } from "../schema.ts";
import { eulerOf, rotationSchema } from "./rotation.ts";
import { turnModels } from "./turn-models.ts";

export const orientModels = changesScene(
  {
    method: "POST",
    path: "/v1/scene/model/orient/",
    summary: "Sets the orientation of models; it replaces the current one.",
    body: v.strictObject({ scene_id: sceneId, model_ids: modelIds, orientation: rotationSchema }),
    reply: modifiedReply,
  },
  async (scene, { model_ids, orientation: rotation }, kit) => {
    const selected = selectModels(scene, model_ids);
    const orientation = eulerOf(rotation);
    const posed = selected.map((model) => repose(model, { ...model.pose, orientation }));
    const turned = await turnModels(posed, scene.setting, kit);
    return [replaceModels(scene, turned), { modified_model_ids: idsOf(turned) }];
  },
);
