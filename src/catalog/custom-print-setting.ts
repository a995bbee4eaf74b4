import { newId, parseId } from "../core/id.ts";
import {
  CORE_CATEGORY,
  SCHEMA_VERSION,
  baseSetting,
  fpsLayerThickness,
  parseFps,
  unusableFileError,
} from "./fps-document.ts";
import { fpsFields, getAtPath } from "./fps-fields.ts";
import { profileOf } from "./profile.ts";
import type { Setting } from "./setting.ts";

/**
 * The setting of an `.fps` document: the combination of its base material with the layer thickness of the document, its id and name, and
 * the document itself, from which `profileOf` reads the overrides. Throws INPUT_ERROR with the cause if the document does not match the
 * schema, its base material is not in the catalog or an override is out of range.
 */
export function settingFromFps(document: unknown): Setting {
  const fps = parseFps(document);
  const base = baseSetting(fps);
  const own = fps.metadata.base_material_identifier.layer_thickness_mm;
  const layerThicknessMm = fpsLayerThickness(fps) ?? own;
  if ((layerThicknessMm === "ADAPTIVE") !== (own === "ADAPTIVE")) {
    throw unusableFileError(
      "either its layer thickness and that of its base material are both ADAPTIVE or both are numbers",
    );
  }
  const setting: Setting = {
    combination: { ...base.combination, layerThicknessMm },
    printerType: base.printerType,
    // The schema accepts only UUIDs.
    custom: { id: parseId(fps.metadata.id)!, name: fps.metadata.name, document: document as Record<string, unknown> },
  };
  // Throws if an override is out of range.
  profileOf(setting);
  return setting;
}

/**
 * The `.fps` document of a setting: the original one of a custom setting, with all its keys; for a setting of the catalog a new one with a
 * new id and the whole profile. `settingFromFps` returns the same combination and profile again.
 */
export function toFpsDocument(setting: Setting): Readonly<Record<string, unknown>> {
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
    public_fields: { categories: categoriesFor(setting) },
  };
}

function categoriesFor(setting: Setting): { key: string; values: Record<string, unknown> }[] {
  const { layerThicknessMm } = setting.combination;
  const profile = profileOf(setting);
  const core = { layer_thickness: { layer_thickness_mm: layerThicknessMm } };
  const categories = new Map<string, Record<string, unknown>>([[CORE_CATEGORY, core]]);
  for (const { category, key, path, toFile } of fpsFields(setting.printerType)) {
    const value = getAtPath(profile, path);
    if (value === undefined) continue;
    const values = categories.get(category) ?? {};
    values[key] = toFile ? toFile(value) : value;
    categories.set(category, values);
  }
  return [...categories].map(([key, values]) => ({ key, values }));
}
