import * as v from "valibot";
import { selectModels } from "../../scene/find.ts";
import { readsScene } from "../endpoint.ts";
import { modelIds, sceneId } from "../schema.ts";
import { perMesh } from "./per-mesh.ts";
import { count } from "./printability.ts";

export const bodyCount = readsScene(
  {
    method: "POST",
    path: "/v1/scene/model/body-count/",
    summary:
      "How many bodies each model has. Facets joined by edges are a body; a cavity belongs to the body around it, a body in a cavity is one of its own.",
    async: true,
    body: v.strictObject({ scene_id: sceneId, model_ids: modelIds }),
    reply: v.object({ per_model_results: v.record(v.string(), v.object({ body_count: count })) }),
  },
  async (scene, { model_ids }, kit) => {
    const models = selectModels(scene, model_ids);
    const counts = await perMesh(models, (share) => kit.compute("countBodies", share));
    return { per_model_results: Object.fromEntries(models.map(({ id }, i) => [id, { body_count: counts[i] }])) };
  },
);
