import { must } from "../../core/must.ts";
import { paired } from "../../core/paired.ts";
import type { Steps } from "../../core/steps.ts";
import type { KeptScene } from "../../format/form/kept-scene.ts";
import type { Project, Scene } from "../../scene/project.ts";
import { fromFormDocument, toFormDocument } from "./form-document.ts";
import type { OpenedKept } from "./kept-scenes.ts";

/** A scene as it is kept in a state folder. */
export function keptOf(scene: Scene, project: Project, keptAt: string): KeptScene {
  const { projectName, scenes } = toFormDocument(scene.projectName ?? "", [scene], project);
  const { id, models, cages } = scene;
  return {
    id,
    modelIds: models.map((model) => model.id),
    cageIds: cages.map((cage) => cage.id),
    isNamed: scene.name !== undefined,
    keptAt,
    projectName,
    scene: must(scenes[0], "The scene of the document"),
  };
}

/** The inverse of {@link keptOf}. Throws OPERATION_FAILED as a project file does that cannot be opened. */
export function* restoredScene({ id, modelIds, cageIds, isNamed, ...opened }: OpenedKept): Steps<Scene> {
  const { name, projectName, ...scene } = must((yield* fromFormDocument(opened))[0], "The scene of the document");
  const idsNow = new Map(paired(scene.models, modelIds).map(([model, modelId]) => [model.id, modelId]));
  const idOf = (now: string): string => idsNow.get(now) ?? now;
  return {
    ...scene,
    ...(isNamed && { name }),
    ...(projectName && { projectName }),
    id,
    models: scene.models.map((model) => ({ ...model, id: idOf(model.id) })),
    cages: paired(scene.cages, cageIds).map(([cage, cageId]) => ({
      ...cage,
      id: cageId,
      latticeId: idOf(cage.latticeId),
      partIds: cage.partIds.map(idOf),
    })),
  };
}
