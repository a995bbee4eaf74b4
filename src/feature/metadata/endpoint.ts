import * as v from "valibot";
import { runStepwise } from "../../core/steps.ts";
import { wireS } from "../../scene/wire-numbers.ts";
import { VERSION } from "../../core/version.ts";
import { metadataOnWire } from "../../scene/on-wire.ts";
import { readsScene } from "../../api/endpoint.ts";
import { field, object, strictObject } from "../../api/field.ts";
import {
  boundingBoxReply,
  integer,
  layerCountField,
  materialUsageField,
  sceneId,
  sceneSettings,
  thicknessReply,
  uuid,
} from "../../api/schema.ts";
import { commonVolumesOf } from "../slice/common-volumes.ts";
import { estimatedPrintTime } from "../print-time/endpoint.ts";

export const sceneMetadata = readsScene(
  {
    method: "POST",
    path: "/v1/scene/metadata/",
    summary:
      "Returns metadata of the scene's print job: printer, material, layers, material usage, estimated time, and measures of each model.",
    body: strictObject({ scene_id: sceneId }),
    reply: object({
      version: field(v.string(), "Version of the server."),
      scene_id: sceneId,
      scene_settings: sceneSettings,
      printer_type: field(v.string(), "Name of the type of printer."),
      material: field(v.string(), "Name of the material."),
      layer_count: layerCountField,
      layer_thickness_mm: field(thicknessReply, 'Layer thickness in mm, or "ADAPTIVE".'),
      material_usage: materialUsageField,
      estimated_print_time_s: field(v.number(), "Estimated time of the whole print in seconds."),
      bounding_box: field(
        v.nullable(boundingBoxReply),
        "Box around all models and supports in the scene; null for an empty scene.",
      ),
      models: field(
        v.array(
          object({
            id: field(uuid, "Id of the model, unique in its scene."),
            name: field(v.string(), "Name of the model."),
            volume_ml: field(v.number(), "Volume of the model without supports in ml."),
            surface_area_mm2: field(v.number(), "Area of the surface of the model in mm²."),
            triangle_count: field(integer, "Number of triangles of the mesh."),
            bounding_box: field(boundingBoxReply, "Box around the model and its supports in the scene."),
            has_supports: field(v.boolean(), "Whether the model has supports."),
            support_volume_ml: field(v.number(), "Volume of the supports of the model in ml."),
            raw_mesh_hash: field(
              v.string(),
              "SHA-256 of the mesh before rotation and scale. It is equal for equal shapes, whatever the file format.",
            ),
          }),
        ),
        "Measures of each model.",
      ),
    }),
  },
  async (scene, _, context) => ({
    version: VERSION,
    ...(await runStepwise(metadataOnWire(scene, await commonVolumesOf(scene, context)))),
    estimated_print_time_s: wireS((await estimatedPrintTime(scene, context)).totalS),
  }),
);
