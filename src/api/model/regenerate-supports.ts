import * as v from "valibot";
import { replaceModels } from "../../scene/edit.ts";
import { selectModels } from "../../scene/find.ts";
import { changesScene } from "../endpoint.ts";
import { requireFamily } from "../require-family.ts";
import { modelIds, sceneId } from "../schema.ts";
import { supportedReply, supportModels } from "./support-models.ts";

export const regenerateSupports = changesScene(
  {
    method: "POST",
    path: "/v1/scene/model/regenerate-supports/",
    summary: "Rebuilds the supports of models that have them, keeping touchpoints and settings.",
    async: true,
    body: v.strictObject({ scene_id: sceneId, model_ids: modelIds }),
    reply: supportedReply,
  },
  async (scene, { model_ids }, kit) => {
    requireFamily(scene, "resin");
    const held = selectModels(scene, model_ids).flatMap((model) =>
      model.supports ? { model, settings: model.supports.settings, touchpoints: model.supports.touchpoints } : [],
    );
    const supported = await supportModels(held, scene.setting, kit);
    return [replaceModels(scene, supported.models), supported.answer];
  },
);
