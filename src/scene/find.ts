import { excerpt, inputError, notFound } from "../core/api-error.ts";
import { parseId } from "../core/id.ts";
import type { Model, Project, Scene } from "./project.ts";

/** The scene with the id of a request, which may be in braces. Throws INPUT_ERROR where there is none. */
export function findScene(project: Project, sceneId: string): Scene {
  const id = parseId(sceneId);
  if (id === undefined) throw inputError(`scene_id "${excerpt(sceneId)}" is not a well-formed UUID.`);
  const scene = project.scenes.find((one) => one.id === id);
  if (!scene) throw inputError(`No scene has the id ${id}: list the scenes with /v1/scene/list/.`);
  return scene;
}

/** The model with an id. Throws NOT_FOUND where there is none, also for an id that is no UUID. */
export function findModel(scene: Scene, modelId: string): Model {
  const id = parseId(modelId);
  const model = scene.models.find((one) => one.id === id);
  if (!model) throw unknownModel(scene, modelId);
  return model;
}

/** The models with the given ids, each once, in the given order; all models for no ids. Throws NOT_FOUND as {@link findModel}. */
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

/** The number of different ids, whether models have them or not; of all models for no ids. */
export function countSelected(scene: Scene, modelIds: readonly string[] = []): number {
  if (modelIds.length === 0) return scene.models.length;
  return new Set(modelIds.map((modelId) => parseId(modelId) ?? modelId)).size;
}

function unknownModel(scene: Scene, modelId: string): Error {
  return notFound(`Scene ${scene.id} has no model ${excerpt(modelId)}: list its models with /v1/scene/model/list/.`);
}
