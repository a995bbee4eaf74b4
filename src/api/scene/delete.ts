import * as v from "valibot";
import { findScene } from "../../scene/find.ts";
import { removeScene } from "../../scene/edit.ts";
import { changesProject } from "../endpoint.ts";
import { sceneId } from "../schema.ts";

export const deleteScene = changesProject(
  {
    method: "DELETE",
    path: "/v1/scene/delete/",
    summary: "Removes a scene. The default scene is emptied in place.",
    body: v.strictObject({ scene_id: sceneId }),
    waitsFor: ({ scene_id }) => [scene_id],
  },
  async ({ scene_id }) => [(project) => removeScene(project, findScene(project, scene_id)), undefined],
);
