import * as v from "valibot";
import type { ThinFeatures, ThinRegion, ThinRequest } from "../../check/thin/thin-features.ts";
import { withinFault } from "../../core/fault.ts";
import { placeBox, sizeOf, type Vec3 } from "../../core/geometry.ts";
import { remembered } from "../../core/remembered.ts";
import { stanceKey } from "../../mesh/pose.ts";
import { selectModels } from "../../scene/find.ts";
import type { Model } from "../../scene/model.ts";
import { positionOnWire } from "../../scene/model-on-wire.ts";
import { bodyBox } from "../../scene/stand.ts";
import { readsScene } from "../endpoint.ts";
import { boundingBoxReply, coordinateMm, modelIds, sceneId } from "../schema.ts";
import { count } from "./printability.ts";

const status = v.picklist(["ANALYZED", "TOO_SMALL", "TOO_LARGE", "MESH_ERROR"]);

export const validateThinFeatures = readsScene(
  {
    method: "POST",
    path: "/v1/scene/model/validate/thin-features/",
    summary:
      "Where each model, without its supports, is thin: where the largest ball inside it that covers a place is smaller in diameter than threshold_mm. Edges and corners of thick bodies are none, unless they are sharper than 65°. A model is TOO_SMALL where a side of its box is below the threshold, TOO_LARGE where a grid of a quarter of the threshold would have more than 200 million cells over it, and a MESH_ERROR where its mesh is not closed: repair it.",
    async: true,
    body: v.strictObject({
      scene_id: sceneId,
      model_ids: modelIds,
      threshold_mm: v.pipe(coordinateMm, v.gtValue(0)),
    }),
    reply: v.object({
      per_model_results: v.record(
        v.string(),
        v.object({
          status,
          has_thin_walls: v.boolean(),
          thin_volume_mm3: v.number(),
          thin_region_count: count,
          thin_regions: v.array(v.object({ volume_mm3: v.number(), bounding_box: boundingBoxReply })),
        }),
      ),
    }),
  },
  async (scene, { model_ids, threshold_mm: thresholdMm }, kit) => {
    // Other endpoints answer NOT_FOUND for an unknown model, this one does not (interface, "thin-features").
    const models = withinFault("OPERATION_FAILED", "Nothing was examined", () => selectModels(scene, model_ids));
    const known = new Map<string, Promise<ThinFeatures>>();
    const results = models.map(async (model, number) => {
      const { mesh, pose } = model;
      const request: ThinRequest = {
        mesh,
        orientation: pose.orientation,
        scale: pose.scale,
        sizeMm: sizeOf(bodyBox(model)),
        thresholdMm,
      };
      const compute = () => kit.compute("checkThinFeatures", { request, number, of: models.length });
      return [model.id, onWire(await remembered(known, stanceKey(mesh.hash, pose), compute), model)] as const;
    });
    return { per_model_results: Object.fromEntries(await Promise.all(results)) };
  },
);

const onWire = ({ status, regions }: ThinFeatures, { pose }: Model) => ({
  status,
  has_thin_walls: regions.length > 0,
  thin_volume_mm3: regions.reduce((sum, { volumeMm3 }) => sum + volumeMm3, 0),
  thin_region_count: regions.length,
  thin_regions: regions.map((region) => regionOnWire(region, pose.position)),
});

function regionOnWire({ volumeMm3, box }: ThinRegion, position: Vec3) {
  const { min, max } = placeBox(box, 1, position);
  return { volume_mm3: volumeMm3, bounding_box: { min_corner: positionOnWire(min), max_corner: positionOnWire(max) } };
}
