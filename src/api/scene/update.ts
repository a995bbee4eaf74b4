import { isDeepStrictEqual } from "node:util";
import * as v from "valibot";
import { settingsOnWire } from "../../catalog/settings-on-wire.ts";
import { stand } from "../../scene/stand.ts";
import { supportSettingsOf } from "../../scene/support-settings.ts";
import { changesScene } from "../endpoint.ts";
import { idsOf } from "../ids-of.ts";
import { ids, sceneId, sceneSettingsReply } from "../schema.ts";
import { checkCombination, combinationBody, settingOf } from "./combination.ts";

export const updateScene = changesScene(
  {
    method: "POST",
    path: "/v1/scene/update/",
    summary:
      "Changes the scene's combination, or applies an .fps file. Models stay where the new printer lets them stand, and lose supports made for other defaults.",
    body: combinationBody({ scene_id: sceneId }),
    reply: v.object({ scene_settings: sceneSettingsReply, unsupported_model_ids: ids }),
    check: checkCombination,
  },
  async (scene, body, kit) => {
    const setting = await settingOf(body, kit);
    const keepsSupports = isDeepStrictEqual(supportSettingsOf(setting), supportSettingsOf(scene.setting));
    const unsupported = keepsSupports ? [] : scene.models.filter(({ supports }) => supports);
    const models = scene.models.map((model) =>
      stand({ ...model, supports: keepsSupports ? model.supports : undefined }, setting),
    );
    return [
      { ...scene, setting, models },
      { scene_settings: settingsOnWire(setting), unsupported_model_ids: idsOf(unsupported) },
    ];
  },
);
