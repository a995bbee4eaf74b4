import * as v from "valibot";
import { settingFromFps } from "../../catalog/custom-print-setting.ts";
import { resolveCombination } from "../../catalog/resolve.ts";
import { type Setting, settingsOnWire } from "../../catalog/setting.ts";
import { excerpt, withErrorPrefix } from "../../core/api-error.ts";
import { newId } from "../../core/id.ts";
import { type Steps, runStepwise, mapSteps } from "../../core/steps.ts";
import { paired } from "../../core/paired.ts";
import { must } from "../../core/must.ts";
import type { FormCage, FormDocument, FormModel, FormScene, FormSupports } from "../../format/form/document.ts";

import { appendModels, appendScenes } from "../../scene/edit.ts";
import { findScene } from "../../scene/find.ts";
import { internMesh } from "../../scene/model-mesh.ts";
import { requireCoordinateRange } from "../../scene/placement.ts";
import { type Cage, type Model, type Project, quotedNames, type Scene, type Supports } from "../../scene/project.ts";
import type { ModelOutlines, OpenedForm } from "./open-form.ts";
import { changesProject, readsProject } from "../../api/endpoint.ts";
import { field, object, strictObject } from "../../api/field.ts";
import { ids, idsOf, name, newModelIds, sceneId, sceneSettings, warningsReply } from "../../api/schema.ts";
import { requireFile } from "../../api/preconditions.ts";
import { openFormTask, saveFormTask } from "./task.ts";

export const openScenes = changesProject(
  {
    method: "POST",
    path: "/v1/scene/open/",
    errors: ["BUILD_VOLUME_LIMIT_EXCEEDED"],
    summary:
      "Opens a .form project file and creates a scene for each scene in it. Models that were saved with defects are opened unchanged, and warnings name them.",
    async: true,
    body: strictObject({ file: field(v.string(), "Absolute path of the .form file to read.") }),
    reply: object({
      project_name: field(v.string(), "Name of the project; empty if it has none."),
      scenes: field(
        v.array(
          object({
            scene_id: sceneId,
            scene_name: field(v.string(), "Name of the scene in the file. Saving the scene writes this name again."),
            scene_settings: sceneSettings,
            new_model_ids: newModelIds,
          }),
        ),
        "The new scenes, in the order of the file.",
      ),
      warnings: warningsReply,
    }),
    check: ({ file }) => requireFile(file, ["form"]),
  },
  async ({ file }, context) => {
    const opened = await context.compute(openFormTask, { file, maxScenes: context.maxScenes });
    const scenes = await runStepwise(fromFormDocument(opened));
    const warnings = scenes.flatMap((scene) => defectWarnings(scene, opened.defects));
    const answer = {
      project_name: opened.document.projectName,
      scenes: scenes.map(({ id, name, setting, models, cages }) => ({
        scene_id: id,
        scene_name: name,
        scene_settings: settingsOnWire(setting),
        new_model_ids: idsOf([...models, ...cages]),
      })),
      ...(warnings.length > 0 && { warnings }),
    };
    return [(project) => appendScenes(project, scenes, context.maxScenes), answer];
  },
);

/** Warnings about the models of an opened scene that enclose no solid; models with the same mesh share a sentence. */
function defectWarnings({ name = "", models }: Scene, defects: OpenedForm["defects"]): string[] {
  const broken = models.filter(({ mesh }) => defects.has(mesh.hash));
  return Array.from(
    Map.groupBy(broken, ({ mesh }) => mesh.hash),
    ([hash, alike]) => {
      const [has, stays] = alike.length === 1 ? ["has", "stays"] : ["have", "stay"];
      return `In the scene "${excerpt(name)}" ${quotedNames(alike)} ${has} ${defects.get(hash)?.join(", ")}, and ${stays} as saved. Repair with /v1/scene/model/repair/ before you print.`;
    },
  );
}

export const saveScenes = readsProject(
  {
    method: "POST",
    path: "/v1/scene/save/",
    summary: "Saves scenes, in the given order, to a .form project file.",
    async: true,
    body: strictObject({
      scene_ids: field(v.pipe(ids, v.nonEmpty()), "Ids of the scenes, in the order in which they are stored."),
      file: field(
        v.string(),
        "Absolute path of the .form file to write. Its folder must exist; an existing file is replaced.",
      ),
      project_name: field(
        v.optional(name),
        "Name of the project; if absent, the name of the project from which the scenes were opened.",
      ),
    }),
    check: ({ file }) => requireFile(file, ["form"]),
    waitsFor: ({ scene_ids }) => scene_ids,
  },
  (project, { scene_ids, file, project_name }, context) => {
    const scenes = [...new Set(scene_ids.map((id) => findScene(project, id)))];
    const projectName = project_name ?? projectNameOf(scenes);
    return context.compute(saveFormTask, { file, document: toFormDocument(projectName, scenes, project) });
  },
);

/** The name of the project from which scenes were opened: the first one if they come from several. */
const projectNameOf = (scenes: readonly Scene[]): string =>
  scenes.map(({ projectName }) => projectName).find((known) => known !== undefined && known !== "") ?? "";

/** The document of a project file. Scenes that were not opened from a file are named by their position in the project. */
function toFormDocument(projectName: string, scenes: readonly Scene[], project: Project): FormDocument {
  return {
    projectName,
    scenes: scenes.map((scene) => ({
      name: scene.name ?? `Scene ${project.scenes.indexOf(scene) + 1}`,
      combination: scene.setting.combination,
      ...(scene.setting.custom && { customPrintSetting: scene.setting.custom }),
      models: scene.models.map(toFormModel),
      ...(scene.cages.length > 0 && { cages: toFormCages(scene) }),
      ...(scene.acceptedFindings && { acceptedFindings: scene.acceptedFindings }),
    })),
  };
}

function toFormCages({ models, cages }: Scene): FormCage[] {
  const places = new Map(models.map(({ id }, i) => [id, i]));
  return cages.map((cage) => {
    const placeOf = (id: string): number => must(places.get(id), "A member of the cage");
    return { name: cage.name, lattice: placeOf(cage.latticeId), parts: cage.partIds.map(placeOf) };
  });
}

function toFormModel({ supports, hollowed, ...model }: Model): FormModel {
  const { name, originalFile, units, visible, lock, pose, mesh, letters, lostSupports } = model;
  const body = { name, originalFile, units, visible, lock, pose, mesh, ...(letters && { letters }) };
  return {
    ...body,
    ...(supports && { supports: toFormSupports(supports) }),
    ...(lostSupports && { lostSupports }),
    ...(hollowed && { hollowed }),
  };
}

const toFormSupports = ({ pose, mesh, touchpoints, settings, faults }: Supports): FormSupports => ({
  pose,
  mesh,
  touchpoints,
  settings,
  ...(faults && { faults }),
});

/** New scenes of a project file. Throws OPERATION_FAILED for settings that the catalog lacks and poses out of range. */
export function* fromFormDocument({ document, outlines }: OpenedForm): Steps<(Scene & { readonly name: string })[]> {
  const scenes: (Scene & { readonly name: string })[] = [];
  for (const [saved, sceneOutlines] of paired(document.scenes, outlines)) {
    const opening = <T>(work: () => T): T =>
      withErrorPrefix("OPERATION_FAILED", `The scene "${saved.name}" cannot be opened`, work);
    const toModel = ([model, modelOutlines]: readonly [FormModel, ModelOutlines]): Model =>
      opening(() => modelOf(model, modelOutlines));
    const models = yield* mapSteps(paired(saved.models, sceneOutlines), toModel, MODELS_PER_STEP);
    const cages = (saved.cages ?? []).map((cage) => cageOf(cage, models));
    const empty = opening(() => ({ id: newId(), setting: settingOf(saved), models: [], cages: [] }));
    const scene = opening(() => appendModels(empty, models, cages));
    const { acceptedFindings } = saved;
    const named = { ...scene, name: saved.name, projectName: document.projectName };
    scenes.push({ ...named, ...(acceptedFindings && { acceptedFindings }) });
  }
  return scenes;
}

/** Models that are made in one step, in a millisecond. */
const MODELS_PER_STEP = 256;

/** The manifest was checked: a model is a member of one cage at most. */
function cageOf({ name, lattice, parts }: FormCage, models: readonly Model[]): Cage {
  const idAt = (index: number): string => must(models[index], "A member of the cage").id;
  return { id: newId(), name, latticeId: idAt(lattice), partIds: parts.map(idAt) };
}

function modelOf({ supports, hollowed, ...saved }: FormModel, outlines: ModelOutlines): Model {
  const model = {
    ...saved,
    id: newId(),
    mesh: internMesh(saved.mesh),
    outline: outlines.model,
    // The task that opened the file made an outline for every body.
    supports: supports && { ...supports, mesh: internMesh(supports.mesh), outline: outlines.supports! },
    hollowed: hollowed && { ...hollowed, solid: internMesh(hollowed.solid) },
  };
  requireCoordinateRange(model);
  return model;
}

function settingOf({ combination, customPrintSetting }: FormScene): Setting {
  if (customPrintSetting) return settingFromFps(customPrintSetting.document);
  return resolveCombination({
    machine_type: combination.machineType,
    material_code: combination.materialCode,
    print_setting: combination.printSetting,
    layer_thickness_mm: combination.layerThicknessMm,
  });
}
