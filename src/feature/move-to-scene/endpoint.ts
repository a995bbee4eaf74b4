import * as v from "valibot";
import { inputError } from "../../core/api-error.ts";
import { newId } from "../../core/id.ts";
import { runStepwise } from "../../core/steps.ts";
import { containersOf } from "../../scene/cages.ts";
import { appendModels, appendScenes, removeModels, replaceScene } from "../../scene/edit.ts";
import { findScene, selectEntries, selectModels } from "../../scene/find.ts";
import { placeModels, snapsToPlatform } from "../../scene/placement.ts";
import { type Project, type Scene, quotedName } from "../../scene/project.ts";
import { changesProject } from "../../api/endpoint.ts";
import { field, object, strictObject } from "../../api/field.ts";
import { ids, idsOf, sceneId, uuid, warningsReply } from "../../api/schema.ts";
import { lostSupportsWarnings } from "../../api/lost-supports.ts";
import { supportsAlike, withoutSupports } from "../scenes/endpoint.ts";

export const moveToScene = changesProject(
  {
    method: "POST",
    path: "/v1/scene/model/move-to-scene/",
    errors: ["OPERATION_FAILED", "BUILD_VOLUME_LIMIT_EXCEEDED"],
    summary:
      "Moves models to another scene, or to a new one with the same print setting. They keep their ids, and their poses as far as the placement rules of the other printer allow. Supports go along if the default support settings of both scenes are equal; otherwise they are removed. A cage moves with its lattice and its parts.",
    body: strictObject({
      scene_id: sceneId,
      model_ids: field(v.pipe(ids, v.nonEmpty()), "Ids of the models to move."),
      target_scene_id: field(v.optional(uuid), "Id of the scene to which they move; a new scene if absent."),
    }),
    reply: object({
      target_scene_id: field(uuid, "Id of the scene in which the models are now."),
      moved_model_ids: field(ids, "Ids of the models that were moved."),
      warnings: warningsReply,
    }),
    waitsFor: ({ scene_id, target_scene_id }) => [
      scene_id,
      ...(target_scene_id === undefined ? [] : [target_scene_id]),
    ],
  },
  async ({ scene_id, model_ids, target_scene_id }, { maxScenes }, project) => {
    const source = findScene(project, scene_id);
    const target = targetOf(source, project, target_scene_id);
    const entries = selectEntries(source, model_ids);
    const models = selectModels(source, model_ids);
    const moved = new Set(idsOf(models));
    const cages = containersOf(source, models).map((cage) => ({
      ...cage,
      partIds: cage.partIds.filter((id) => moved.has(id)),
    }));
    const [cage] = cages;
    if (cage && snapsToPlatform(target.setting)) {
      const named = quotedName({ ...cage, visible: true });
      throw inputError(`Cages are for powder: ${named} cannot go to a resin scene. Move its parts without it.`);
    }
    const isKept = supportsAlike(source.setting, target.setting);
    const carried = isKept ? models : models.map((model) => withoutSupports(model, target.setting));
    const placed = await runStepwise(placeModels(carried, target.setting));
    const reached = appendModels(target, placed, cages);
    const warnings = lostSupportsWarnings(source, reached);
    return [
      (now) => {
        const emptied = replaceScene(now, removeModels(source, models));
        return target_scene_id === undefined
          ? appendScenes(emptied, [reached], maxScenes)
          : replaceScene(emptied, reached);
      },
      {
        target_scene_id: target.id,
        moved_model_ids: [...new Set(idsOf([...entries, ...models, ...cages]))],
        ...(warnings.length > 0 && { warnings }),
      },
    ];
  },
);

function targetOf(source: Scene, project: Project, targetId: string | undefined): Scene {
  if (targetId === undefined) return { id: newId(), setting: source.setting, models: [], cages: [] };
  const target = findScene(project, targetId);
  if (target !== source) return target;
  throw inputError("The models are in that scene already: choose another one as the target.");
}
