import * as v from "valibot";
import type { Setting } from "../../catalog/setting.ts";
import { parseId } from "../../core/id.ts";
import { removeModels, replaceModels } from "../../scene/edit.ts";
import { findModel } from "../../scene/find.ts";
import type { Model } from "../../scene/model.ts";
import { changesScene, type Kit } from "../endpoint.ts";
import { ids, sceneId } from "../schema.ts";
import { supportModels } from "./support-models.ts";
import { turnModels } from "./turn-models.ts";

export const replaceModel = changesScene(
  {
    method: "POST",
    path: "/v1/scene/model/replace/",
    summary: "Puts one model of the scene in the place of another, which is deleted.",
    body: v.pipe(
      v.strictObject({ scene_id: sceneId, model_id: v.string(), replacement_model_id: v.string() }),
      v.forward(
        v.partialCheck(
          [["model_id"], ["replacement_model_id"]],
          ({ model_id, replacement_model_id }) => bare(model_id) !== bare(replacement_model_id),
          "must differ from model_id",
        ),
        ["replacement_model_id"],
      ),
    ),
    reply: v.object({ modified_model_ids: ids, deleted_model_ids: ids }),
  },
  async (scene, { model_id, replacement_model_id }, kit) => {
    const old = findModel(scene, model_id);
    const replacement = findModel(scene, replacement_model_id);
    const posed = { ...replacement, lock: old.lock, pose: old.pose, supports: undefined };
    const placed = await turnModels([posed], scene.setting, kit);
    const next = replaceModels(removeModels(scene, [old]), await supportedAs(old, placed, scene.setting, kit));
    return [next, { modified_model_ids: [replacement.id], deleted_model_ids: [old.id] }];
  },
);

/** The models with supports of their own, made as those of `old`; without, where it has none. */
async function supportedAs(old: Model, models: readonly Model[], setting: Setting, kit: Kit): Promise<readonly Model[]> {
  const settings = old.supports?.settings;
  if (!settings) return models;
  return (await supportModels(models.map((model) => ({ model, settings })), setting, kit)).models;
}

const bare = (id: string): string => parseId(id) ?? id;
