import { settingFromFps } from "../../catalog/custom-print-setting.ts";
import { resolveCombination } from "../../catalog/resolve.ts";
import type { Setting } from "../../catalog/setting.ts";
import { withErrorPrefix } from "../../core/api-error.ts";
import { newId } from "../../core/id.ts";
import { must } from "../../core/must.ts";
import { paired } from "../../core/paired.ts";
import { type Steps, mapSteps } from "../../core/steps.ts";
import type { FormCage, FormDocument, FormModel, FormScene, FormSupports } from "../../format/form/document.ts";
import { bareMesh } from "../../mesh/filled-mesh.ts";
import { appendModels } from "../../scene/edit.ts";
import { internMesh, withHollowed } from "../../scene/model-mesh.ts";
import { requireCoordinateRange } from "../../scene/placement.ts";
import type { Cage, Model, Project, Scene, Supports } from "../../scene/project.ts";
import type { ModelOutlines, OpenedForm } from "./open-form.ts";

// Scenes as the documents of project files, and back.

/** The document of a project file. Scenes that were not opened from a file are named by their position in the project. */
export function toFormDocument(projectName: string, scenes: readonly Scene[], project: Project): FormDocument {
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

function toFormModel({ supports, lostSupports, supportPlan, hollowed, letters, ...model }: Model): FormModel {
  const { name, originalFile, units, visible, lock, pose, mesh } = model;
  return {
    name,
    originalFile,
    units,
    visible,
    lock,
    pose,
    mesh: bareMesh(mesh),
    ...(supports && { supports: toFormSupports(supports) }),
    ...(lostSupports && { lostSupports }),
    ...(supportPlan && { supportPlan }),
    ...(hollowed && { hollowed }),
    ...(letters && { letters }),
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
    const { name, acceptedFindings } = saved;
    const named = { ...scene, name, projectName: document.projectName };
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
  const body = {
    ...saved,
    id: newId(),
    mesh: internMesh(saved.mesh),
    outline: outlines.model,
    // The task that opened the file made an outline for every body.
    supports: supports && { ...supports, mesh: internMesh(supports.mesh), outline: outlines.supports! },
  };
  const model = withHollowed(body, hollowed);
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
