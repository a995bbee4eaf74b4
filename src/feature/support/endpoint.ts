import * as v from "valibot";
import type { SupportDefaults } from "../../catalog/profile-types.ts";
import { camelKeys } from "../../core/json.ts";
import { paired } from "../../core/paired.ts";
import { profileOf } from "../../catalog/profile.ts";
import type { Setting } from "../../catalog/setting.ts";
import type { SupportPlan } from "../../support/plan/support-plan.ts";
import type { SupportSettings } from "../../support/support-settings.ts";
import { replaceModels } from "../../scene/edit.ts";
import { selectModels } from "../../scene/find.ts";
import { type RequestContext, changesScene } from "../../api/endpoint.ts";
import type { Scene, Supports } from "../../scene/project.ts";
import { field, object, strictObject } from "../../api/field.ts";
import { modelIds, modifiedModelIds, sceneId, warningsList } from "../../api/schema.ts";
import { requireFamily } from "../../api/preconditions.ts";
import { planAfterSupport, respected } from "../support-plan/plan-after-support.ts";
import { settingFields } from "./setting-fields.ts";
import { supportModels } from "./support-models.ts";

export const supportBody = strictObject({
  scene_id: sceneId,
  model_ids: modelIds,
  ...settingFields,
  keep_hand_points: field(
    v.optional(v.boolean(), true),
    "Whether points that were put by hand or locked stay; the others are chosen anew around them.",
  ),
  respect_areas: field(
    v.optional(v.boolean(), true),
    "Whether the areas of supports/set count: no support touches those of NEVER, and touchpoints are denser in those of ALWAYS.",
  ),
});

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
  { scene_id: _scene, model_ids, keep_hand_points, respect_areas, ...changes }: v.InferOutput<typeof supportBody>,
  context: RequestContext,
): Promise<[Scene, v.InferInput<typeof supportedReply>]> {
  requireFamily(scene, "resin");
  // Fields that the request omits are absent, not undefined. Printers of the resin family have support settings.
  const settings = { ...supportSettingsOf(scene.setting)!, ...(camelKeys(changes) as Partial<SupportDefaults>) };
  const respect = { handPoints: keep_hand_points, areas: respect_areas };
  const targets = selectModels(scene, model_ids).map((model) => ({ model, settings, ...respected(model, respect) }));
  const { models, answer } = await supportModels(targets, scene.setting, context);
  const planned = paired(targets, models).map(([target, model]) => ({
    ...model,
    supportPlan: planAfterSupport(target.model, model, target, respect),
  }));
  return [replaceModels(scene, planned), answer];
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
      model.supports ? { model, ...rebuilt(model.supports, model.supportPlan) } : [],
    );
    const supported = await supportModels(targets, scene.setting, context);
    return [replaceModels(scene, supported.models), supported.answer];
  },
);

const rebuilt = ({ settings, touchpoints }: Supports, plan: SupportPlan | undefined) => ({
  settings,
  touchpoints,
  areas: plan?.areas,
});

/** The support settings of a print setting. Undefined for powder, which carries the parts. */
export function supportSettingsOf(setting: Setting): SupportSettings | undefined {
  const profile = profileOf(setting);
  if (profile.family === "powder") return undefined;
  const { supports, selfSupportingAngleDeg, bridgingDistanceMm } = profile;
  return { ...supports, selfSupportingAngleDeg, bridgingDistanceMm };
}
