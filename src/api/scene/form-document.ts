import { settingFromFps } from "../../catalog/custom-print-setting.ts";
import { resolveCombination } from "../../catalog/resolve.ts";
import type { Setting } from "../../catalog/setting.ts";
import { Fault, operationFailed } from "../../core/fault.ts";
import { newId } from "../../core/id.ts";
import type { FormDocument, FormScene } from "../../format/form/document.ts";
import { internMesh } from "../../scene/intern-mesh.ts";
import type { Project, Scene } from "../../scene/project.ts";
import type { OpenedForm } from "../../worker/task/open-form.ts";

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

/** New scenes for what a project file holds. OPERATION_FAILED when the catalog does not have a scene's combination. */
export function fromFormDocument({ document, outlines }: OpenedForm): (Scene & { readonly name: string })[] {
  return document.scenes.map((saved, i) => ({
    id: newId(),
    name: saved.name,
    setting: settingOf(saved),
    models: saved.models.map((model, k) => ({ ...model, id: newId(), mesh: internMesh(model.mesh), outline: outlines[i]![k]! })),
  }));
}

function settingOf({ name, combination, customPrintSetting }: FormScene): Setting {
  try {
    if (customPrintSetting) return settingFromFps(customPrintSetting.document);
    return resolveCombination({
      machine_type: combination.machineType,
      material_code: combination.materialCode,
      print_setting: combination.printSetting,
      layer_thickness_mm: combination.layerThicknessMm,
    });
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown;
    throw operationFailed(`The settings of the scene "${name}" cannot be loaded: ${thrown.message}`);
  }
}
