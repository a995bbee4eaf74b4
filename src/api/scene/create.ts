import * as v from "valibot";
import { settingsOnWire } from "../../catalog/settings-on-wire.ts";
import { newId } from "../../core/id.ts";
import { appendScenes } from "../../scene/edit.ts";
import { changesProject } from "../endpoint.ts";
import { sceneSettingsReply } from "../schema.ts";
import { checkCombination, combinationBody, settingOf } from "./combination.ts";

export const createScene = changesProject(
  {
    method: "POST",
    path: "/v1/scene/create/",
    summary: "A new empty scene for a combination of the catalog or for an .fps file.",
    body: combinationBody({}),
    reply: v.object({ scene_id: v.string(), scene_settings: sceneSettingsReply }),
    check: checkCombination,
  },
  async (body, kit) => {
    const setting = await settingOf(body, kit);
    const scene = { id: newId(), setting, models: [] };
    const answer = { scene_id: scene.id, scene_settings: settingsOnWire(setting) };
    return [(project) => appendScenes(project, [scene], kit.maxScenes), answer];
  },
);
