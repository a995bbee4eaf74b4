import * as v from "valibot";
import { add, type Vec3 } from "../../core/geometry.ts";
import { replaceModels } from "../../scene/edit.ts";
import { selectModels } from "../../scene/find.ts";
import { repose } from "../../scene/repose.ts";
import { stand } from "../../scene/stand.ts";
import { changesScene } from "../endpoint.ts";
import { idsOf } from "../ids-of.ts";
import { modelIds, modifiedReply, scenePosition, sceneId } from "../schema.ts";

export const translateModels = changesScene(
  {
    method: "POST",
    path: "/v1/scene/model/translate/",
    summary: "Moves model origins to a position, or by an offset. Resin models stay on the platform.",
    body: v.strictObject({
      scene_id: sceneId,
      model_ids: modelIds,
      position: scenePosition,
      mode: v.optional(v.picklist(["ABSOLUTE", "RELATIVE"]), "ABSOLUTE"),
    }),
    reply: modifiedReply,
  },
  (scene, { model_ids, position: { x, y, z }, mode }) => {
    const asked: Vec3 = [x, y, z];
    const moved = selectModels(scene, model_ids).map((model) => {
      const position = mode === "ABSOLUTE" ? asked : add(model.pose.position, asked);
      return stand(repose(model, { ...model.pose, position }), scene.setting);
    });
    return [replaceModels(scene, moved), { modified_model_ids: idsOf(moved) }];
  },
);
