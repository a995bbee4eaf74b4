import * as v from "valibot";
import { selectModels } from "../../scene/find.ts";
import { modelMeasures } from "../../scene/model-measures.ts";
import { readsScene } from "../../api/endpoint.ts";
import { field, object, strictObject } from "../../api/field.ts";
import { count, modelIds, perModelReply, perModelResults, sceneId, sizeReply } from "../../api/schema.ts";

/** An addition to the interface. */
export const measureModels = readsScene(
  {
    method: "POST",
    path: "/v1/scene/model/measure/",
    summary:
      "Measures each model in its pose in the scene, without supports: the sides of its box, its volume, its surface, and the size of its mesh. If the mesh is not closed, the volume is that of the repaired solid.",
    body: strictObject({ scene_id: sceneId, model_ids: modelIds }),
    reply: perModelReply(
      object({
        dimensions_mm: field(sizeReply, "Sides of the box of the model in the scene, in mm."),
        volume_mm3: field(v.number(), "Volume of the solid in mm³."),
        area_mm2: field(v.number(), "Area of all facets in mm²."),
        triangle_count: field(count, "Number of triangles of the mesh."),
        vertex_count: field(count, "Number of vertices of the mesh."),
      }),
    ),
  },
  (scene, { model_ids }) => {
    const models = selectModels(scene, model_ids);
    return perModelResults(models, models.map(modelMeasures));
  },
);
