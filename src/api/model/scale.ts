import * as v from "valibot";
import { replaceModels } from "../../scene/edit.ts";
import { selectModels } from "../../scene/find.ts";
import { repose } from "../../scene/repose.ts";
import { stand } from "../../scene/stand.ts";
import { changesScene } from "../endpoint.ts";
import { idsOf } from "../ids-of.ts";
import { modelIds, modifiedReply, sceneId } from "../schema.ts";

export const scaleModels = changesScene(
  {
    method: "POST",
    path: "/v1/scene/model/scale/",
    summary: "Sets the scale of models; it replaces the current one.",
    body: v.strictObject({
      scene_id: sceneId,
      model_ids: modelIds,
      scale: v.pipe(v.number(), v.finite(), v.gtValue(0)),
    }),
    reply: modifiedReply,
  },
  (scene, { model_ids, scale }) => {
    const scaled = selectModels(scene, model_ids).map((model) =>
      stand(repose(model, { ...model.pose, scale }), scene.setting),
    );
    return [replaceModels(scene, scaled), { modified_model_ids: idsOf(scaled) }];
  },
);
