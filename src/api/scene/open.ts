import * as v from "valibot";
import { settingsOnWire } from "../../catalog/settings-on-wire.ts";
import { appendScenes } from "../../scene/edit.ts";
import { changesProject } from "../endpoint.ts";
import { idsOf } from "../ids-of.ts";
import { requireFile } from "../require-file.ts";
import { ids, sceneSettingsReply } from "../schema.ts";
import { fromFormDocument } from "./form-document.ts";

export const openScenes = changesProject(
  {
    method: "POST",
    path: "/v1/scene/open/",
    summary: "Opens a .form project file: one new scene for each scene saved in it.",
    async: true,
    body: v.strictObject({ file: v.string() }),
    reply: v.object({
      project_name: v.string(),
      scenes: v.array(
        v.object({
          scene_id: v.string(),
          scene_name: v.string(),
          scene_settings: sceneSettingsReply,
          new_model_ids: ids,
        }),
      ),
    }),
    check: ({ file }) => requireFile(file, ["form"]),
  },
  async ({ file }, kit) => {
    const opened = await kit.compute("openForm", file);
    const scenes = fromFormDocument(opened);
    const answer = {
      project_name: opened.document.projectName,
      scenes: scenes.map(({ id, name, setting, models }) => ({
        scene_id: id,
        scene_name: name,
        scene_settings: settingsOnWire(setting),
        new_model_ids: idsOf(models),
      })),
    };
    return [(project) => appendScenes(project, scenes, kit.maxScenes), answer];
  },
);
