import { Fault, inputError } from "../core/fault.ts";
import type { Model } from "./model.ts";
import type { Project, Scene } from "./project.ts";

/** Models one scene may hold (interface supplement, "Limits of the server"). */
export const MAX_MODELS = 10_000;

/** The project with the scene of the same id exchanged for `next`. */
export const replaceScene = (project: Project, next: Scene): Project => ({
  ...project,
  scenes: project.scenes.map((scene) => (scene.id === next.id ? next : scene)),
});

/** The project with `scenes` at its end. */
export function appendScenes(project: Project, scenes: readonly Scene[], maxScenes: number): Project {
  if (project.scenes.length + scenes.length > maxScenes) {
    throw new Fault(
      "BUILD_VOLUME_LIMIT_EXCEEDED",
      `This server keeps at most ${maxScenes} scenes and holds ${project.scenes.length}: delete some, or start it with a higher --max-scenes.`,
    );
  }
  return { ...project, scenes: [...project.scenes, ...scenes] };
}

/** The project without a scene. The default scene is emptied in place: it keeps its id, its place and its combination. */
export function removeScene(project: Project, removed: Scene): Project {
  const [first] = project.scenes;
  if (removed.id === first!.id) return replaceScene(project, { id: removed.id, setting: removed.setting, models: [] });
  return { ...project, scenes: project.scenes.filter((scene) => scene.id !== removed.id) };
}

/** The scene with each model of `changed` in the place of the one with its id. */
export function replaceModels(scene: Scene, changed: readonly Model[]): Scene {
  const byId = new Map(changed.map((model) => [model.id, model]));
  return { ...scene, models: scene.models.map((model) => byId.get(model.id) ?? model) };
}

/** The scene with the successors of each model that has some in its place. */
export const succeedModels = (scene: Scene, successors: ReadonlyMap<Model, readonly Model[]>): Scene => ({
  ...scene,
  models: scene.models.flatMap((model) => successors.get(model) ?? model),
});

/** The scene with `models` at its end. */
export function appendModels(scene: Scene, models: readonly Model[]): Scene {
  if (scene.models.length + models.length > MAX_MODELS) {
    throw inputError(
      `A scene holds at most ${MAX_MODELS} models; this one has ${scene.models.length} and ${models.length} more were asked for.`,
    );
  }
  return { ...scene, models: [...scene.models, ...models] };
}

export function removeModels(scene: Scene, models: readonly Model[]): Scene {
  const removed = new Set(models);
  return { ...scene, models: scene.models.filter((model) => !removed.has(model)) };
}
