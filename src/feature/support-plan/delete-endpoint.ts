import * as v from "valibot";
import { runStepwise } from "../../core/steps.ts";
import { replaceModels } from "../../scene/edit.ts";
import { selectModels } from "../../scene/find.ts";
import { placeModels } from "../../scene/placement.ts";
import { changesScene } from "../../api/endpoint.ts";
import { field, strictObject } from "../../api/field.ts";
import { idsOf, modelIds, modifiedReply, sceneId } from "../../api/schema.ts";
import { planOf } from "./plan-of-model.ts";

export const deleteSupports = changesScene(
  {
    method: "DELETE",
    path: "/v1/scene/model/supports/delete/",
    summary:
      "Removes the supports of models, which come down to the platform. Models that have nothing to remove stay as they are and are not listed.",
    body: strictObject({
      scene_id: sceneId,
      model_ids: modelIds,
      keep_plan: field(
        v.optional(v.boolean(), false),
        "Whether the models keep their points and areas, from which supports/set builds the supports again.",
      ),
    }),
    reply: modifiedReply,
  },
  async (scene, { model_ids, keep_plan }) => {
    const selected = selectModels(scene, model_ids);
    const changed = selected.filter(
      ({ supports, lostSupports, supportPlan }) => supports ?? lostSupports ?? (keep_plan ? undefined : supportPlan),
    );
    const bare = changed.map((model) => {
      const supportPlan = keep_plan ? planOf(model) : undefined;
      return { ...model, supports: undefined, lostSupports: undefined, supportPlan };
    });
    const placed = await runStepwise(placeModels(bare, scene.setting));
    return [replaceModels(scene, placed), { modified_model_ids: idsOf(placed) }];
  },
);
