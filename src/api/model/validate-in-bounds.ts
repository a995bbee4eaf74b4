import * as v from "valibot";
import { selectModels } from "../../scene/find.ts";
import { isInBounds } from "../../scene/stand.ts";
import { readsScene } from "../endpoint.ts";
import { modelIds, sceneId } from "../schema.ts";

export const validateInBounds = readsScene(
  {
    method: "POST",
    path: "/v1/scene/model/validate/in-bounds/",
    summary: "Whether each model lies inside the build volume where it stands.",
    body: v.strictObject({ scene_id: sceneId, model_ids: modelIds }),
    reply: v.object({ per_model_results: v.record(v.string(), v.object({ in_bounds: v.boolean() })) }),
  },
  (scene, { model_ids }) => {
    const results = selectModels(scene, model_ids).map(
      (model) => [model.id, { in_bounds: isInBounds(model, scene.setting) }] as const,
    );
    return { per_model_results: Object.fromEntries(results) };
  },
);
