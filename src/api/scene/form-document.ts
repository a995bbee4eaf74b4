import { settingFromFps } from "../../catalog/custom-print-setting.ts";
import { resolveCombination } from "../../catalog/resolve.ts";
import type { Setting } from "../../catalog/setting.ts";
import { withinFault } from "../../core/fault.ts";
import { newId } from "../../core/id.ts";
import type { FormDocument, FormModel, FormScene } from "../../format/form/document.ts";
import { appendModels } from "../../scene/edit.ts";
import { internMesh } from "../../scene/intern-mesh.ts";
import type { Model } from "../../scene/model.ts";
import type { Project, Scene } from "../../scene/project.ts";
import { requireReach } from "../../scene/stand.ts";
import type { ModelOutlines, OpenedForm } from "../../worker/task/open-form.ts";

/** The scenes as a project file holds them. One that was never opened from a file is named by its place in the project. */
export function toFormDocument(projectName: string, scenes: readonly Scene[], project: Project): FormDocument {
  return {
    projectName,
    scenes: scenes.map((scene) => ({
      name: scene.name ?? `Scene ${project.scenes.indexOf(scene) + 1}`,
      combination: scene.setting.combination,
      customPrintSetting: scene.setting.custom,
      models: scene.models,
    })),
  };
}

/** New scenes for what a project file holds. OPERATION_FAILED when a scene's settings or a model's pose cannot be had here. */
export function fromFormDocument({ document, outlines }: OpenedForm): (Scene & { readonly name: string })[] {
  return document.scenes.map((saved, i) =>
    withinFault("OPERATION_FAILED", `The scene "${saved.name}" cannot be opened`, () => {
      const models = saved.models.map((model, k) => modelOf(model, outlines[i]![k]!));
      const empty = { id: newId(), setting: settingOf(saved), models: [] };
      return { ...appendModels(empty, models), name: saved.name };
    }),
  );
}

function modelOf({ supports, hollowed, ...saved }: FormModel, outlines: ModelOutlines): Model {
  const model = {
    ...saved,
    id: newId(),
    mesh: internMesh(saved.mesh),
    outline: outlines.model,
    supports: supports && { ...supports, mesh: internMesh(supports.mesh), outline: outlines.supports! },
    hollowed: hollowed && { ...hollowed, solid: internMesh(hollowed.solid) },
  };
  requireReach(model);
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
