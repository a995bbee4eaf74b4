import { newId, parseId } from "../core/id.ts";
import { fpsBase } from "./fps-base.ts";
import { CORE, layerThicknessOf, parseFps, SCHEMA_VERSION, unusable } from "./fps-document.ts";
import { fpsFields, valueAt } from "./fps-fields.ts";
import { profileOf } from "./profile.ts";
import type { Setting } from "./setting.ts";

/**
 * The setting of an `.fps` document: the combination of its base material with the document's own layer thickness,
 * its id and name, and the document itself, from which `profileOf` takes the overrides. Fault INPUT_ERROR, naming
 * what is wrong, where the document has another shape, its base material is not in the catalog or an override is out
 * of bounds.
 */
export function settingFromFps(document: unknown): Setting {
  const fps = parseFps(document);
  const base = fpsBase(fps);
  const own = fps.metadata.base_material_identifier.layer_thickness_mm;
  const layerThicknessMm = layerThicknessOf(fps) ?? own;
  if ((layerThicknessMm === "ADAPTIVE") !== (own === "ADAPTIVE")) {
    throw unusable("either its layer thickness and that of its base material are both ADAPTIVE or both are numbers");
  }
  const setting: Setting = {
    combination: { ...base.combination, layerThicknessMm },
    printerType: base.printerType,
    custom: { id: parseId(fps.metadata.id)!, name: fps.metadata.name, document: document as Record<string, unknown> },
  };
  profileOf(setting);
  return setting;
}

/**
 * The `.fps` document of a setting: for a custom one its own, every key that it had; for one of the catalog a new
 * one, with a new id, that spells out its profile. `settingFromFps` gives the same combination and profile again.
 */
export function fpsOf(setting: Setting): Readonly<Record<string, unknown>> {
  if (setting.custom) return setting.custom.document;
  const { machineType, materialCode, printSetting, layerThicknessMm } = setting.combination;
  return {
    metadata: {
      id: `{${newId()}}`,
      name: `${materialCode} ${printSetting} ${layerThicknessMm}`,
      schema_version: SCHEMA_VERSION,
      base_material_identifier: {
        machine_type_id: machineType,
        versioned_material_code: materialCode,
        layer_thickness_mm: layerThicknessMm,
        print_setting: printSetting,
      },
    },
    public_fields: { categories: categoriesOf(setting) },
  };
}

function categoriesOf(setting: Setting): { key: string; values: Record<string, unknown> }[] {
  const { layerThicknessMm } = setting.combination;
  const profile = profileOf(setting);
  const core = { layer_thickness: { layer_thickness_mm: layerThicknessMm } };
  const categories = new Map<string, Record<string, unknown>>([[CORE, core]]);
  for (const { category, key, path, toFile } of fpsFields(setting.printerType)) {
    const value = valueAt(profile, path);
    if (value === undefined) continue;
    const values = categories.get(category) ?? {};
    values[key] = toFile ? toFile(value) : value;
    categories.set(category, values);
  }
  return [...categories].map(([key, values]) => ({ key, values }));
}
