import { inputError, notFound } from "../core/fault.ts";
import { parseId } from "../core/id.ts";
import { shortened } from "../core/shortened.ts";
import type { Model } from "./model.ts";
import type { Project, Scene } from "./project.ts";

/** The scene that a request's `scene_id` names, bare or in braces. */
export function findScene(project: Project, sceneId: string): Scene {
  const id = parseId(sceneId);
  if (id === undefined) throw inputError(`scene_id "${shortened(sceneId)}" is not a well-formed UUID.`);
  const scene = project.scenes.find((one) => one.id === id);
  if (!scene) throw inputError(`No scene has the id ${id}: list the scenes with /v1/scene/list/.`);
  return scene;
}

/** The model that an id names; an id that is no UUID is simply unknown. */
export function findModel(scene: Scene, modelId: string): Model {
  const id = parseId(modelId);
  const model = scene.models.find((one) => one.id === id);
  if (!model) throw unknownModel(scene, modelId);
  return model;
}

/** The models that `model_ids` selects, each once, in the order given; every model when it is absent or empty. */
export function selectModels(scene: Scene, modelIds: readonly string[] = []): readonly Model[] {
  if (modelIds.length === 0) return scene.models;
  const byId = new Map(scene.models.map((model) => [model.id, model]));
  const selected = new Set<Model>();
  for (const modelId of modelIds) {
    const model = byId.get(parseId(modelId) ?? "");
    if (!model) throw unknownModel(scene, modelId);
    selected.add(model);
  }
  return [...selected];
}

/** How many different models `model_ids` names, known or not. */
export function countSelected(scene: Scene, modelIds: readonly string[] = []): number {
  if (modelIds.length === 0) return scene.models.length;
  return new Set(modelIds.map((modelId) => parseId(modelId) ?? modelId)).size;
}

function unknownModel(scene: Scene, modelId: string): Error {
  return notFound(`Scene ${scene.id} has no model ${shortened(modelId)}: list its models with /v1/scene/model/list/.`);
}
