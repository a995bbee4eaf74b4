import * as v from "valibot";
import { type Fault, inputError } from "../core/fault.ts";
import { parseId } from "../core/id.ts";
import { isRecord } from "../core/is-record.ts";
import type { LayerThickness } from "./setting.ts";

/** The version of the shape below, which is the one read and written. */
export const SCHEMA_VERSION = 3;

/** The category of what every machine has. */
export const CORE = "Core_Scene";

/** Files have a handful. */
const MAX_CATEGORIES = 1000;

const record = v.custom<Readonly<Record<string, unknown>>>(isRecord, "Expected an object");

const thickness = v.union([v.pipe(v.number(), v.minValue(0.005), v.maxValue(1)), v.literal("ADAPTIVE")]);

const schema = v.looseObject({
  metadata: v.looseObject({
    id: v.pipe(v.string(), v.check((text) => parseId(text) !== undefined, "Expected a UUID")),
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
 * A custom print setting as an `.fps` file holds it, a JSON object:
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
 * `print_setting` is this program's addition; without it the default profile is meant. Values override those of the
 * base material. Other keys and categories may stand anywhere and have no effect. A layer thickness is a number or
 * "ADAPTIVE". Source: the published shape of the files, schema version 3.
 */
export type FpsDocument = v.InferOutput<typeof schema>;

/** The document, unchanged, once it has the shape above; else a fault INPUT_ERROR that points to what is wrong. */
export function parseFps(document: unknown): FpsDocument {
  return checked(schema, document, "");
}

/** The layer thickness that overrides the base material's, if there is one. */
export function layerThicknessOf(document: FpsDocument): LayerThickness | undefined {
  const given = fpsValue(document, CORE, "layer_thickness");
  return checked(layerThickness, given, `${CORE}/layer_thickness`)?.layer_thickness_mm;
}

/** What the file gives for a key; of several categories of one name the last that has the key counts. */
export function fpsValue(document: FpsDocument, category: string, key: string): unknown {
  const { categories } = document.public_fields;
  return categories.findLast((one) => one.key === category && Object.hasOwn(one.values, key))?.values[key];
}

/** The value as the schema gives it; a fault INPUT_ERROR names the place, `at` first, where it does not fit. */
export function checked<S extends v.GenericSchema>(expected: S, value: unknown, at: string): v.InferOutput<S> {
  const { success, output, issues } = v.safeParse(expected, value, { abortEarly: true });
  if (success) return output;
  const path = (issues[0].path ?? []).map((item) => `/${String(item.key)}`).join("");
  throw unusable(`${at}${path}: ${issues[0].message}`);
}

export const unusable = (why: string): Fault =>
  inputError(`${why}. Export the print setting again, or correct it.`);
