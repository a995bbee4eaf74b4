import * as v from "valibot";
import { runStepwise } from "../../core/steps.ts";
import { wireS } from "../../scene/wire-numbers.ts";
import { VERSION } from "../../core/version.ts";
import { metadataOnWire } from "../../scene/on-wire.ts";
import { readsScene } from "../../api/endpoint.ts";
import { boundingBoxReply, integer, materialUsageReply, sceneId, sceneSettingsReply, uuid } from "../../api/schema.ts";
import { commonVolumesOf } from "../slice/common-volumes.ts";
import { estimatedPrintTime } from "../print-time/endpoint.ts";

export const sceneMetadata = readsScene(
  {
    method: "POST",
    path: "/v1/scene/metadata/",
    summary:
      "Metadata of the scene's print job: printer, material, layers, material usage, estimated time, and measures of each model.",
    body: v.strictObject({ scene_id: sceneId }),
    reply: v.object({
      version: v.string(),
      scene_id: sceneId,
      scene_settings: sceneSettingsReply,
      printer_type: v.string(),
      material: v.string(),
      layer_count: integer,
      layer_thickness_mm: v.union([v.number(), v.literal("ADAPTIVE")]),
      material_usage: materialUsageReply,
      estimated_print_time_s: v.number(),
      bounding_box: v.nullable(boundingBoxReply),
      models: v.array(
        v.object({
          id: uuid,
          name: v.string(),
          volume_ml: v.number(),
          surface_area_mm2: v.number(),
          triangle_count: integer,
          bounding_box: boundingBoxReply,
          has_supports: v.boolean(),
          support_volume_ml: v.number(),
          raw_mesh_hash: v.string(),
        }),
      ),
    }),
  },
  async (scene, _, context) => ({
    version: VERSION,
    ...(await runStepwise(metadataOnWire(scene, await commonVolumesOf(scene, context)))),
    estimated_print_time_s: wireS((await estimatedPrintTime(scene, context)).totalS),
  }),
);
