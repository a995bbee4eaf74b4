import * as v from "valibot";
import type { SupportDefaults } from "../../catalog/profile-types.ts";
import { camelKeys } from "../../core/json.ts";
import { profileOf } from "../../catalog/profile.ts";
import type { Setting } from "../../catalog/setting.ts";
import type { SupportSettings } from "../../support/support-settings.ts";
import { RAFT_TYPES } from "../../catalog/raft-type.ts";
import { replaceModels } from "../../scene/edit.ts";
import { selectModels } from "../../scene/find.ts";
import { type RequestContext, changesScene } from "../../api/endpoint.ts";
import type { Scene } from "../../scene/project.ts";
import { field, object, strictObject } from "../../api/field.ts";
import { modelIds, modifiedModelIds, sceneId, warningsList } from "../../api/schema.ts";
import { requireFamily } from "../../api/preconditions.ts";
import { supportModels } from "./support-models.ts";

const between = (min: number, max: number) => v.optional(v.pipe(v.number(), v.minValue(min), v.maxValue(max)));
const atLeastZero = v.optional(v.pipe(v.number(), v.finite(), v.minValue(0)));
const flag = v.optional(v.boolean());

/** The support settings that a request may change. */
export const settingFields = {
  density: field(
    atLeastZero,
    "Factor for the number of touchpoints; 1 is the usual number; the value of the print setting if absent.",
  ),
  slope_multiplier: field(
    atLeastZero,
    "Factor for the number of touchpoints on slopes; 1 is the usual number; the value of the print setting if absent.",
  ),
  only_minima: field(
    flag,
    "Whether only minima are supported: places where a part begins in mid-air; the value of the print setting if absent.",
  ),
  raft_type: field(
    v.optional(v.picklist(RAFT_TYPES)),
    "Shape of the plate on the platform; the value of the print setting if absent.",
  ),
  raft_label_enabled: field(
    flag,
    "Whether the raft has the name of the model on it; the value of the print setting if absent.",
  ),
  breakaway_structure_enabled: field(
    flag,
    "Whether pillars have a narrow neck above the raft, at which they break; the value of the print setting if absent.",
  ),
  internal_supports_enabled: field(
    flag,
    "Whether pillars that cannot reach the platform may stand on the model; the value of the print setting if absent.",
  ),
  touchpoint_size_mm: field(
    between(0.1, 5),
    "Diameter of touchpoints in mm; the value of the print setting if absent.",
  ),
  raft_thickness_mm: field(between(0, 10), "Thickness of the raft in mm; the value of the print setting if absent."),
  height_above_raft_mm: field(
    between(0, 50),
    "Height of the model above the raft in mm; the value of the print setting if absent.",
  ),
  z_compression_correction_mm: field(
    between(0, 5),
    "Thickness by which the raft is raised in mm, because the first layers are compressed; the value of the print setting if absent.",
  ),
  early_layer_merge_mm: field(
    between(0, 5),
    "Height over which the first layers count as merged in mm, so that shapes stay vertical; the value of the print setting if absent.",
  ),
};

export const supportBody = strictObject({ scene_id: sceneId, model_ids: modelIds, ...settingFields });

const supportedReply = object({ modified_model_ids: modifiedModelIds, warnings: warningsList });

export const autoSupport = changesScene(
  {
    method: "POST",
    path: "/v1/scene/model/auto-support/",
    errors: ["UNSUPPORTED_SCENE"],
    summary: "Generates supports. The scene's print setting gives the values of absent fields.",
    async: true,
    body: supportBody,
    reply: supportedReply,
  },
  (scene, body, context) => autoSupportModels(scene, body, context),
);

/** The scene with new supports of models, and the answer of `auto-support`. */
export async function autoSupportModels(
  scene: Scene,
  { scene_id: _scene, model_ids, ...changes }: v.InferOutput<typeof supportBody>,
  context: RequestContext,
): Promise<[Scene, v.InferInput<typeof supportedReply>]> {
  requireFamily(scene, "resin");
  // Fields that the request omits are absent, not undefined. Printers of the resin family have support settings.
  const settings = { ...supportSettingsOf(scene.setting)!, ...(camelKeys(changes) as Partial<SupportDefaults>) };
  const targets = selectModels(scene, model_ids).map((model) => ({ model, settings }));
  const supported = await supportModels(targets, scene.setting, context);
  return [replaceModels(scene, supported.models), supported.answer];
}

export const regenerateSupports = changesScene(
  {
    method: "POST",
    path: "/v1/scene/model/regenerate-supports/",
    errors: ["UNSUPPORTED_SCENE"],
    summary: "Rebuilds the supports of models that have supports. Touchpoints and settings are kept.",
    async: true,
    body: strictObject({ scene_id: sceneId, model_ids: modelIds }),
    reply: supportedReply,
  },
  async (scene, { model_ids }, context) => {
    requireFamily(scene, "resin");
    const targets = selectModels(scene, model_ids).flatMap((model) =>
      model.supports ? { model, settings: model.supports.settings, touchpoints: model.supports.touchpoints } : [],
    );
    const supported = await supportModels(targets, scene.setting, context);
    return [replaceModels(scene, supported.models), supported.answer];
  },
);

/** The support settings of a print setting. Undefined for powder, which carries the parts. */
export function supportSettingsOf(setting: Setting): SupportSettings | undefined {
  const profile = profileOf(setting);
  if (profile.family === "powder") return undefined;
  const { supports, selfSupportingAngleDeg, bridgingDistanceMm } = profile;
  return { ...supports, selfSupportingAngleDeg, bridgingDistanceMm };
}
