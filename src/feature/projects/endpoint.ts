import * as v from "valibot";
import { settingsOnWire } from "../../catalog/setting.ts";
import { excerpt } from "../../core/api-error.ts";
import { runStepwise } from "../../core/steps.ts";
import { appendScenes } from "../../scene/edit.ts";
import { findScene } from "../../scene/find.ts";
import { type Scene, quotedNames } from "../../scene/project.ts";
import { fromFormDocument, toFormDocument } from "./form-document.ts";
import type { OpenedForm } from "./open-form.ts";
import { changesProject, readsProject } from "../../api/endpoint.ts";
import { field, object, strictObject } from "../../api/field.ts";
import { ids, idsOf, name, newModelIds, sceneId, sceneSettings, warningsReply } from "../../api/schema.ts";
import { requireFile } from "../../api/preconditions.ts";
import { openFormTask, saveFormTask } from "./task.ts";

export const openScenes = changesProject(
  {
    method: "POST",
    path: "/v1/scene/open/",
    errors: ["BUILD_VOLUME_LIMIT_EXCEEDED"],
    summary:
      "Opens a .form project file and creates a scene for each scene in it. Models that were saved with defects are opened unchanged, and warnings name them.",
    async: true,
    body: strictObject({ file: field(v.string(), "Absolute path of the .form file to read.") }),
    reply: object({
      project_name: field(v.string(), "Name of the project; empty if it has none."),
      scenes: field(
        v.array(
          object({
            scene_id: sceneId,
            scene_name: field(v.string(), "Name of the scene in the file. Saving the scene writes this name again."),
            scene_settings: sceneSettings,
            new_model_ids: newModelIds,
          }),
        ),
        "The new scenes, in the order of the file.",
      ),
      warnings: warningsReply,
    }),
    check: ({ file }) => requireFile(file, ["form"]),
  },
  async ({ file }, context) => {
    const opened = await context.compute(openFormTask, { file, maxScenes: context.maxScenes });
    const scenes = await runStepwise(fromFormDocument(opened));
    const warnings = scenes.flatMap((scene) => defectWarnings(scene, opened.defects));
    const answer = {
      project_name: opened.document.projectName,
      scenes: scenes.map(({ id, name, setting, models, cages }) => ({
        scene_id: id,
        scene_name: name,
        scene_settings: settingsOnWire(setting),
        new_model_ids: idsOf([...models, ...cages]),
      })),
      ...(warnings.length > 0 && { warnings }),
    };
    return [(project) => appendScenes(project, scenes, context.maxScenes), answer];
  },
);

/** Warnings about the models of an opened scene that enclose no solid; models with the same mesh share a sentence. */
function defectWarnings({ name = "", models }: Scene, defects: OpenedForm["defects"]): string[] {
  const broken = models.filter(({ mesh }) => defects.has(mesh.hash));
  return Array.from(
    Map.groupBy(broken, ({ mesh }) => mesh.hash),
    ([hash, alike]) => {
      const [has, stays] = alike.length === 1 ? ["has", "stays"] : ["have", "stay"];
      return `In the scene "${excerpt(name)}" ${quotedNames(alike)} ${has} ${defects.get(hash)?.join(", ")}, and ${stays} as saved. Repair with /v1/scene/model/repair/ before you print.`;
    },
  );
}

export const saveScenes = readsProject(
  {
    method: "POST",
    path: "/v1/scene/save/",
    summary: "Saves scenes, in the given order, to a .form project file.",
    async: true,
    body: strictObject({
      scene_ids: field(v.pipe(ids, v.nonEmpty()), "Ids of the scenes, in the order in which they are stored."),
      file: field(
        v.string(),
        "Absolute path of the .form file to write. Its folder must exist; an existing file is replaced.",
      ),
      project_name: field(
        v.optional(name),
        "Name of the project; if absent, the name of the project from which the scenes were opened.",
      ),
    }),
    check: ({ file }) => requireFile(file, ["form"]),
    waitsFor: ({ scene_ids }) => scene_ids,
  },
  (project, { scene_ids, file, project_name }, context) => {
    const scenes = [...new Set(scene_ids.map((id) => findScene(project, id)))];
    const projectName = project_name ?? projectNameOf(scenes);
    return context.compute(saveFormTask, { file, document: toFormDocument(projectName, scenes, project) });
  },
);

/** The name of the project from which scenes were opened: the first one if they come from several. */
const projectNameOf = (scenes: readonly Scene[]): string =>
  scenes.map(({ projectName }) => projectName).find((known) => known !== undefined && known !== "") ?? "";
