import * as v from "valibot";
import { metadataOnWire } from "../../scene/metadata-on-wire.ts";
import { VERSION } from "../../version.ts";
import { readsScene } from "../endpoint.ts";
import { boundingBoxReply, materialUsageReply, sceneId, sceneSettingsReply } from "../schema.ts";
import { estimatedTime } from "./estimated-time.ts";

const whole = v.pipe(v.number(), v.integer());

export const sceneMetadata = readsScene(
  {
    method: "POST",
    path: "/v1/scene/metadata/",
    summary:
      "What a job of the scene would be: printer, material, layers, usage, estimated time, and each model's measures.",
    body: v.strictObject({ scene_id: sceneId }),
    reply: v.object({
      version: v.string(),
      scene_id: v.string(),
      scene_settings: sceneSettingsReply,
      printer_type: v.string(),
      material: v.string(),
      layer_count: whole,
      layer_thickness_mm: v.union([v.number(), v.literal("ADAPTIVE")]),
      material_usage: materialUsageReply,
      estimated_print_time_s: v.number(),
      bounding_box: v.nullable(boundingBoxReply),
      models: v.array(
        v.object({
          id: v.string(),
          name: v.string(),
          volume_ml: v.number(),
          surface_area_mm2: v.number(),
          triangle_count: whole,
          bounding_box: boundingBoxReply,
          has_supports: v.boolean(),
          support_volume_ml: v.number(),
          raw_mesh_hash: v.string(),
        }),
      ),
    }),
  },
  (scene) => ({
    version: VERSION,
    ...metadataOnWire(scene),
    estimated_print_time_s: estimatedTime(scene).totalS,
  }),
);
