import * as v from "valibot";
import type { SupportDefaults } from "../../catalog/profile.ts";
import { camelKeys } from "../../core/key-case.ts";
import { RAFT_TYPES } from "../../core/raft-type.ts";
import { replaceModels } from "../../scene/edit.ts";
import { selectModels } from "../../scene/find.ts";
import { supportSettingsOf } from "../../scene/support-settings.ts";
import { changesScene } from "../endpoint.ts";
import { modelIds, sceneId } from "../schema.ts";
import { requireFamily } from "../require-family.ts";
import { supportedReply, supportModels } from "./support-models.ts";

const between = (least: number, most: number) => v.optional(v.pipe(v.number(), v.minValue(least), v.maxValue(most)));
const atLeastZero = v.optional(v.pipe(v.number(), v.finite(), v.minValue(0)));
const flag = v.optional(v.boolean());

/** What a request may set; all optional. */
const fields = {
  density: atLeastZero,
  slope_multiplier: atLeastZero,
  only_minima: flag,
  raft_type: v.optional(v.picklist(RAFT_TYPES)),
  raft_label_enabled: flag,
  breakaway_structure_enabled: flag,
  internal_supports_enabled: flag,
  touchpoint_size_mm: between(0.1, 5),
  raft_thickness_mm: between(0, 10),
  height_above_raft_mm: between(0, 50),
  z_compression_correction_mm: between(0, 5),
  early_layer_merge_mm: between(0, 5),
};

export const autoSupport = changesScene(
  {
    method: "POST",
    path: "/v1/scene/model/auto-support/",
    summary: "Generates supports. Fields that are omitted come from the scene's print setting.",
    async: true,
    body: v.strictObject({
      scene_id: sceneId,
      model_ids: modelIds,
      ...fields,
    }),
    reply: supportedReply,
  },
  async (scene, body, kit) => {
    requireFamily(scene, "resin");
    const models = selectModels(scene, body.model_ids);
    const asked: Partial<SupportDefaults> = camelKeys(v.parse(v.object(fields), body));
    const settings = { ...supportSettingsOf(scene.setting)!, ...asked };
    const supported = await supportModels(models.map((model) => ({ model, settings })), scene.setting, kit);
    return [replaceModels(scene, supported.models), supported.answer];
  },
);
