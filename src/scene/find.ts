import { excerpt, inputError, notFound } from "../core/api-error.ts";
import { parseId } from "../core/id.ts";
import { type SceneEntry, isCage, memberIdsOf } from "./cages.ts";
import type { Cage, Model, Project, Scene } from "./project.ts";

/** The scene with the id of a request, which may be in braces. Throws INPUT_ERROR if there is none. */
export function findScene(project: Project, sceneId: string): Scene {
  const id = parseId(sceneId);
  if (id === undefined) throw inputError(`scene_id "${excerpt(sceneId)}" is not a well-formed UUID.`);
  const scene = project.scenes.find((one) => one.id === id);
  if (!scene) throw inputError(`No scene has the id ${id}: list the scenes with /v1/scene/list/.`);
  return scene;
}

/** The model with an id. Throws NOT_FOUND if there is none, also for an id that is no UUID, and INPUT_ERROR for the id of a cage. */
export function findModel(scene: Scene, modelId: string): Model {
  const id = parseId(modelId);
  const model = scene.models.find((one) => one.id === id);
  if (model) return model;
  if (!scene.cages.some((cage) => cage.id === id)) throw unknownModel(scene, modelId);
  throw inputError(`${id} is the container of a cage, which has no mesh: name its lattice or one of its parts.`);
}

/**
 * The models and cages with the given ids, each once, in the given order; all of them if no ids are given. Throws NOT_FOUND as {@link
 * findModel}.
 */
export function selectEntries(scene: Scene, modelIds: readonly string[] = []): readonly SceneEntry[] {
  if (modelIds.length === 0) return scene.cages.length === 0 ? scene.models : [...scene.models, ...scene.cages];
  const byId = new Map<string, SceneEntry>([...scene.models, ...scene.cages].map((entry) => [entry.id, entry]));
  const selected = new Set<SceneEntry>();
  for (const modelId of modelIds) {
    const entry = byId.get(parseId(modelId) ?? "");
    if (!entry) throw unknownModel(scene, modelId);
    selected.add(entry);
  }
  return [...selected];
}

/** As {@link selectEntries}, with the lattice and the parts of a cage in its place. */
export function selectModels(scene: Scene, modelIds: readonly string[] = []): readonly Model[] {
  if (modelIds.length === 0) return scene.models;
  const entries = selectEntries(scene, modelIds);
  if (!entries.some(isCage)) return entries as readonly Model[];
  const byId = new Map(scene.models.map((model) => [model.id, model]));
  // The members of a cage are models of its scene.
  const models = entries.flatMap((entry) => (isCage(entry) ? memberIdsOf(entry).map((id) => byId.get(id)!) : [entry]));
  return [...new Set(models)];
}

/**
 * The models of a selection, as {@link selectModels}, and the containers of cages in it: the entries in the replies of checks of
 * meshes.
 */
export function selectWithContainers(
  scene: Scene,
  modelIds?: readonly string[],
): { readonly models: readonly Model[]; readonly containers: readonly Cage[] } {
  return { models: selectModels(scene, modelIds), containers: selectEntries(scene, modelIds).filter(isCage) };
}

/** The number of different ids, whether or not a model has the id; the number of all models and cages if no ids are given. */
export function countSelected(scene: Scene, modelIds: readonly string[] = []): number {
  if (modelIds.length === 0) return scene.models.length + scene.cages.length;
  return new Set(modelIds.map((modelId) => parseId(modelId) ?? modelId)).size;
}

function unknownModel(scene: Scene, modelId: string): Error {
  return notFound(`Scene ${scene.id} has no model ${excerpt(modelId)}: list its models with /v1/scene/model/list/.`);
}
