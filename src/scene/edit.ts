import { ApiError, inputError } from "../core/api-error.ts";
import { MAX_MODELS } from "../core/model-options.ts";
import type { Model, Project, Scene } from "./project.ts";

/** The project with `next` in place of the scene with its id. */
export const replaceScene = (project: Project, next: Scene): Project => ({
  ...project,
  scenes: project.scenes.map((scene) => (scene.id === next.id ? next : scene)),
});

/** The project with `scenes` appended. Throws where the server may not hold as many. */
export function appendScenes(project: Project, scenes: readonly Scene[], maxScenes: number): Project {
  if (project.scenes.length + scenes.length > maxScenes) {
    throw new ApiError(
      "BUILD_VOLUME_LIMIT_EXCEEDED",
      `This server keeps at most ${maxScenes} scenes and holds ${project.scenes.length}: delete some, or start it with a higher --max-scenes.`,
    );
  }
  return { ...project, scenes: [...project.scenes, ...scenes] };
}

/** The project without a scene. The default scene is emptied instead: it keeps its id, place and combination. */
export function removeScene(project: Project, removed: Scene): Project {
  const [defaultScene] = project.scenes;
  if (removed.id === defaultScene.id)
    return replaceScene(project, { id: removed.id, setting: removed.setting, models: [] });
  return { ...project, scenes: project.scenes.filter((scene) => scene.id !== removed.id) };
}

/** The scene with the models of `changed` in place of those with their ids. */
export function replaceModels(scene: Scene, changed: readonly Model[]): Scene {
  const byId = new Map(changed.map((model) => [model.id, model]));
  return { ...scene, models: scene.models.map((model) => byId.get(model.id) ?? model) };
}

/** The scene with the models of `substitutes` replaced, each by zero or more models in its place. */
export const substituteModels = (scene: Scene, substitutes: ReadonlyMap<Model, readonly Model[]>): Scene => ({
  ...scene,
  models: scene.models.flatMap((model) => substitutes.get(model) ?? model),
});

/** The scene with `models` appended. Throws INPUT_ERROR beyond {@link MAX_MODELS}. */
export function appendModels(scene: Scene, models: readonly Model[]): Scene {
  if (scene.models.length + models.length > MAX_MODELS) {
    throw inputError(
      `A scene holds at most ${MAX_MODELS} models; this one has ${scene.models.length} and the request adds ${models.length}.`,
    );
  }
  return { ...scene, models: [...scene.models, ...models] };
}

export function removeModels(scene: Scene, models: readonly Model[]): Scene {
  const removed = new Set(models);
  return { ...scene, models: scene.models.filter((model) => !removed.has(model)) };
}
