import * as v from "valibot";
import { selectModels } from "../../scene/find.ts";
import { modelOnWire } from "../../scene/model-on-wire.ts";
import { readsScene } from "../endpoint.ts";
import { modelIds, modelReply, sceneId } from "../schema.ts";

export const listModels = readsScene(
  {
    method: "POST",
    path: "/v1/scene/model/list/",
    summary: "The models named, in the order given, or all models of the scene.",
    body: v.strictObject({ scene_id: sceneId, model_ids: modelIds }),
    reply: v.object({ models: v.array(modelReply) }),
  },
  (scene, { model_ids }) => ({
    models: selectModels(scene, model_ids).map((model) => modelOnWire(model, scene.setting)),
  }),
);
