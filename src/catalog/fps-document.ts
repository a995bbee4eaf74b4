import * as v from "valibot";
import { type ApiError, inputError } from "../core/api-error.ts";
import { parseId } from "../core/id.ts";
import { isRecord } from "../core/json.ts";
import { acceptedEntries, canonicalMachineType } from "./catalog.ts";
import { resolveCombination } from "./resolve.ts";
import { DEFAULT_PRINT_SETTING, type LayerThickness, type Setting } from "./setting.ts";

/** The schema version that is read and written. */
export const SCHEMA_VERSION = 3;

/** The category of the values that all machines have. */
export const CORE_CATEGORY = "Core_Scene";

/** Most categories of a file. Files have about five. */
const MAX_CATEGORIES = 1000;

const record = v.custom<Readonly<Record<string, unknown>>>(isRecord, "Expected an object");

const thickness = v.union([v.pipe(v.number(), v.minValue(0.005), v.maxValue(1)), v.literal("ADAPTIVE")]);

const schema = v.looseObject({
  metadata: v.looseObject({
    id: v.pipe(
      v.string(),
      v.check((text) => parseId(text) !== undefined, "Expected a UUID"),
    ),
    name: v.string(),
    schema_version: v.literal(SCHEMA_VERSION),
    base_material_identifier: v.looseObject({
      machine_type_id: v.string(),
      versioned_material_code: v.string(),
      layer_thickness_mm: thickness,
      print_setting: v.optional(v.string()),
    }),
  }),
  public_fields: v.looseObject({
    categories: v.pipe(v.array(v.looseObject({ key: v.string(), values: record })), v.maxLength(MAX_CATEGORIES)),
  }),
});

const layerThickness = v.optional(v.looseObject({ layer_thickness_mm: v.optional(thickness) }));

/**
 * A custom print setting in an `.fps` file, a JSON object:
 *
 *     { "metadata": { "id": "{UUID}", "name": "…", "schema_version": 3,
 *         "base_material_identifier": { "machine_type_id": "FORM-4-0", "versioned_material_code": "FLGPGR05",
 *                                       "layer_thickness_mm": 0.1, "print_setting": "DEFAULT" } },
 *       "public_fields": { "categories": [
 *         { "key": "Core_Scene",
 *           "values": { "layer_thickness": { "layer_thickness_mm": 0.12 }, "x_correction_factor": 1, … } },
 *         { "key": "Material_Form_4_Family_Print",
 *           "values": { "model_fill_exposure_mJpcm2": 30, "overhang_fill_exposures": [{ "exposure_mJpcm2": 20 }, …],
 *                       "wipe_behavior_pattern": [{ "wipe_behavior": 1 }], … } }
 *       ] } }
 *
 * `print_setting` is an extension of this program; without it the base is the default profile. Values override those of the base
 * material. Other keys and categories are allowed and ignored. A layer thickness is a number or "ADAPTIVE". Source: the published
 * schema of the files, version 3.
 */
export type FpsDocument = v.InferOutput<typeof schema>;

/** Validates a document and returns it unchanged. Throws INPUT_ERROR with the path of the first wrong value. */
export function parseFps(document: unknown): FpsDocument {
  return parseValue(schema, document, "");
}

/** The layer thickness that overrides the one of the base material; undefined if the document has none. */
export function fpsLayerThickness(document: FpsDocument): LayerThickness | undefined {
  const given = fpsValue(document, CORE_CATEGORY, "layer_thickness");
  return parseValue(layerThickness, given, `${CORE_CATEGORY}/layer_thickness`)?.layer_thickness_mm;
}

/** The value of a key. If several categories of that name have the key, the last one counts. */
export function fpsValue(document: FpsDocument, category: string, key: string): unknown {
  const { categories } = document.public_fields;
  return categories.findLast((one) => one.key === category && Object.hasOwn(one.values, key))?.values[key];
}

/** The output of a schema. If the value does not match, throws INPUT_ERROR with its path, which begins with `at`. */
export function parseValue<S extends v.GenericSchema>(expected: S, value: unknown, at: string): v.InferOutput<S> {
  const { success, output, issues } = v.safeParse(expected, value, { abortEarly: true });
  if (success) return output;
  const path = (issues[0].path ?? []).map((item) => `/${String(item.key)}`).join("");
  throw unusableFileError(`${at}${path}: ${issues[0].message}`);
}

export const unusableFileError = (why: string): ApiError =>
  inputError(`${why}. Export the print setting again, or correct it.`);

/** The largest ratio between the base thickness of a file and that of a catalog profile that can serve as its base. */
const MAX_RATIO = 2;

/**
 * The setting of the catalog that an `.fps` document overrides. If the catalog lacks the base thickness of the file, the closest one is
 * used. Throws INPUT_ERROR if there is none.
 */
export function baseSetting(document: FpsDocument): Setting {
  const base = document.metadata.base_material_identifier;
  return resolveCombination({
    machine_type: base.machine_type_id,
    material_code: base.versioned_material_code,
    print_setting: base.print_setting,
    layer_thickness_mm: closestShippedThickness(base),
  });
}

type BaseMaterial = FpsDocument["metadata"]["base_material_identifier"];

/** The thickness of the catalog that is closest to that of a material, by their ratio; the same if the catalog has none near it. */
export function closestShippedThickness(
  base: Pick<BaseMaterial, "machine_type_id" | "versioned_material_code" | "layer_thickness_mm" | "print_setting">,
): LayerThickness {
  const wanted = base.layer_thickness_mm;
  if (wanted === "ADAPTIVE") return wanted;
  const machineType = canonicalMachineType(base.machine_type_id);
  const ratio = (thicknessMm: number): number => Math.max(thicknessMm / wanted, wanted / thicknessMm);
  const near = acceptedEntries()
    .map(({ combination }) => combination)
    .filter((one) => one.machineType === machineType && one.materialCode === base.versioned_material_code)
    .filter((one) => [undefined, DEFAULT_PRINT_SETTING, one.printSetting].includes(base.print_setting))
    .map((one) => one.layerThicknessMm)
    .filter((thickness) => typeof thickness === "number" && ratio(thickness) <= MAX_RATIO) as number[];
  return near.reduce((best, one) => (ratio(one) < ratio(best) ? one : best), near[0] ?? wanted);
}
