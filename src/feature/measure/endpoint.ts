import * as v from "valibot";
import { selectModels } from "../../scene/find.ts";
import { modelMeasures } from "../../scene/model-measures.ts";
import { readsScene } from "../../api/endpoint.ts";
import { cornerReply, count, modelIds, perModelReply, perModelResults, sceneId } from "../../api/schema.ts";

/** An addition to the interface. */
export const measureModels = readsScene(
  {
    method: "POST",
    path: "/v1/scene/model/measure/",
    summary:
      "Measures each model as it stands in the scene, without supports: the sides of its box, its volume, its surface, and the size of its mesh. The volume is that of the repaired solid where the mesh is not closed.",
    body: v.strictObject({ scene_id: sceneId, model_ids: modelIds }),
    reply: perModelReply(
      v.object({
        dimensions_mm: cornerReply,
        volume_mm3: v.number(),
        area_mm2: v.number(),
        triangle_count: count,
        vertex_count: count,
      }),
    ),
  },
  (scene, { model_ids }) => {
    const models = selectModels(scene, model_ids);
    return perModelResults(models, models.map(modelMeasures));
  },
);
