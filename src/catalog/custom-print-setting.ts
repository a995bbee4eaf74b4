import { inputError } from "../core/api-error.ts";
import { newId, parseId } from "../core/id.ts";
import { curedFactor } from "./exposures.ts";
import {
  CORE_CATEGORY,
  SCHEMA_VERSION,
  baseSetting,
  closestShippedThickness,
  fpsLayerThickness,
  parseFps,
  unusableFileError,
} from "./fps-document.ts";
import { fpsFields, getAtPath } from "./fps-fields.ts";
import type { Profile } from "./profile-types.ts";
import { profileOf } from "./profile.ts";
import { type CombinationRequest, resolveCombination } from "./resolve.ts";
import { withResin } from "./resin-profile.ts";
import type { ResinFigures } from "./resin.ts";
import { type LayerThickness, type Setting, parseLayerThickness } from "./setting.ts";

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
  return documentOf(setting, setting.combination.layerThicknessMm, profileOf(setting));
}

/**
 * The setting of a request with other figures of its resin, as a custom one. Its layers may be of any thickness near one of the catalog: the
 * exposure then follows the working curve, unless it is given. Throws INPUT_ERROR as {@link resolveCombination}, and for machines of
 * Formlabs, which take no exposures in seconds.
 */
export function settingWithFigures(request: CombinationRequest, figures: ResinFigures): Setting {
  const thickness = customThickness(request.layer_thickness_mm);
  const base = resolveCombination(thickness === undefined ? request : atListedThickness(request, thickness));
  const { printerType, combination } = base;
  const profile = profileOf(base);
  if (profile.family !== "resin" || !profile.exposureS)
    throw inputError(
      `Exposures and other figures of a resin (resin_settings) are for open printers: the materials of ${printerType.label} have settings of their maker, which an .fps file changes.`,
    );
  const baseMm = combination.layerThicknessMm;
  const thickerMm = thickness === undefined || typeof baseMm !== "number" ? 0 : thickness - baseMm;
  const cured = thickerMm === 0 ? 1 : curedFactor(profile, thickerMm);
  const { first, normal } = profile.exposureS;
  const own = withResin({ ...profile, exposureS: { first: first * cured, normal: normal * cured } }, figures);
  return settingFromFps(documentOf(base, thickerMm === 0 ? baseMm : thickness!, own));
}

/** Thinnest and thickest layer of custom print settings, mm. */
const LAYER_LIMITS_MM = { min: 0.005, max: 1 } as const;

/** The thickness of a request if it is one of custom print settings. */
function customThickness(given: number | string): number | undefined {
  const thickness = parseLayerThickness(given);
  const isOne = typeof thickness === "number" && thickness >= LAYER_LIMITS_MM.min && thickness <= LAYER_LIMITS_MM.max;
  return isOne ? thickness : undefined;
}

/** The request with the closest thickness of the catalog; the request itself, whose words a message repeats, where none is near. */
function atListedThickness(request: CombinationRequest, thicknessMm: number): CombinationRequest {
  const near = closestShippedThickness({
    machine_type_id: request.machine_type,
    versioned_material_code: request.material_code,
    print_setting: request.print_setting,
    layer_thickness_mm: thicknessMm,
  });
  return near === thicknessMm ? request : { ...request, layer_thickness_mm: near };
}

/** A document with a new id, for a setting of the catalog with this thickness and profile. */
function documentOf(base: Setting, thickness: LayerThickness, profile: Profile): Readonly<Record<string, unknown>> {
  const { machineType, materialCode, printSetting, layerThicknessMm } = base.combination;
  return {
    metadata: {
      id: `{${newId()}}`,
      name: `${materialCode} ${printSetting} ${thickness}`,
      schema_version: SCHEMA_VERSION,
      base_material_identifier: {
        machine_type_id: machineType,
        versioned_material_code: materialCode,
        layer_thickness_mm: layerThicknessMm,
        print_setting: printSetting,
      },
    },
    public_fields: { categories: categoriesFor(base, thickness, profile) },
  };
}

type Category = { key: string; values: Record<string, unknown> };

function categoriesFor({ printerType }: Setting, thickness: LayerThickness, profile: Profile): Category[] {
  const core = { layer_thickness: { layer_thickness_mm: thickness } };
  const categories = new Map<string, Record<string, unknown>>([[CORE_CATEGORY, core]]);
  for (const { category, key, path, toFile, isReplaced } of fpsFields(printerType)) {
    const value = getAtPath(profile, path);
    if (value === undefined || isReplaced) continue;
    const values = categories.get(category) ?? {};
    values[key] = toFile ? toFile(value) : value;
    categories.set(category, values);
  }
  return [...categories].map(([key, values]) => ({ key, values }));
}
