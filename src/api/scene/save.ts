import * as v from "valibot";
import { findScene } from "../../scene/find.ts";
import { readsProject } from "../endpoint.ts";
import { requireFile } from "../require-file.ts";
import { ids, name } from "../schema.ts";
import { toFormDocument } from "./form-document.ts";

export const saveScenes = readsProject(
  {
    method: "POST",
    path: "/v1/scene/save/",
    summary: "Saves scenes, in the order given, as a .form project file.",
    async: true,
    body: v.strictObject({
      scene_ids: v.pipe(ids, v.nonEmpty()),
      file: v.string(),
      project_name: v.optional(name, ""),
    }),
    check: ({ file }) => requireFile(file, ["form"]),
    waitsFor: ({ scene_ids }) => scene_ids,
  },
  (project, { scene_ids, file, project_name }, kit) => {
    const scenes = [...new Set(scene_ids.map((id) => findScene(project, id)))];
    return kit.compute("saveForm", { file, document: toFormDocument(project_name, scenes, project) });
  },
);
