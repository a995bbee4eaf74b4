import { ApiError, inputError } from "../core/api-error.ts";
import { MAX_MODELS } from "../core/limits.ts";
import { withCagesOf } from "./cages.ts";
import type { Cage, Model, Project, Scene } from "./project.ts";

/** The project with `next` in place of the scene with its id. */
export const replaceScene = (project: Project, next: Scene): Project => ({
  ...project,
  scenes: project.scenes.map((scene) => (scene.id === next.id ? next : scene)),
});

/** The project with `scenes` appended. Throws if the server cannot hold this number of scenes. */
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
  if (removed.id === defaultScene?.id)
    return replaceScene(project, { id: removed.id, setting: removed.setting, models: [], cages: [] });
  return { ...project, scenes: project.scenes.filter((scene) => scene.id !== removed.id) };
}

/** The scene with its models replaced by the models of `changed` with the same ids. */
export function replaceModels(scene: Scene, changed: readonly Model[]): Scene {
  const byId = new Map(changed.map((model) => [model.id, model]));
  return { ...scene, models: scene.models.map((model) => byId.get(model.id) ?? model) };
}

/** The scene with its cages replaced by the cages of `changed` with the same ids. */
export function replaceCages(scene: Scene, changed: readonly Cage[]): Scene {
  const byId = new Map(changed.map((cage) => [cage.id, cage]));
  return { ...scene, cages: scene.cages.map((cage) => byId.get(cage.id) ?? cage) };
}

/** The scene with the models of `substitutes` replaced, each by zero or more models in its place, also in its cage. */
export function substituteModels(scene: Scene, substitutes: ReadonlyMap<Model, readonly Model[]>): Scene {
  const models = scene.models.flatMap((model) => substitutes.get(model) ?? model);
  const successors = new Map([...substitutes].map(([{ id }, others]) => [id, others.map((other) => other.id)]));
  return withCagesOf({ ...scene, models }, successors);
}

/** The scene with `models` and `cages` appended. Throws INPUT_ERROR beyond {@link MAX_MODELS}. */
export function appendModels(scene: Scene, models: readonly Model[], cages: readonly Cage[] = []): Scene {
  const present = scene.models.length + scene.cages.length;
  const added = models.length + cages.length;
  if (present + added > MAX_MODELS) {
    throw inputError(
      `A scene holds at most ${MAX_MODELS} models; this one has ${present} and the request adds ${added}.`,
    );
  }
  return { ...scene, models: [...scene.models, ...models], cages: [...scene.cages, ...cages] };
}

/** The scene without models, and without the cages whose lattices are among them. */
export function removeModels(scene: Scene, models: readonly Model[]): Scene {
  const removed = new Set(models);
  return withCagesOf({ ...scene, models: scene.models.filter((model) => !removed.has(model)) });
}
