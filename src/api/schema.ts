import * as v from "valibot";
import { parseLayerThickness } from "../catalog/setting.ts";
import { LOCKS } from "../geometry/pose-lock.ts";
import { MAX_COORDINATE_MM } from "../core/limits.ts";
import { UNITS } from "../core/units.ts";

// Schemas that several endpoints share.

export const finiteNumber = v.pipe(v.number(), v.finite());

/** A coordinate or size in millimetres (interface supplement, section 1, "Numbers"). */
export const coordinateMm = v.pipe(v.number(), v.minValue(-MAX_COORDINATE_MM), v.maxValue(MAX_COORDINATE_MM));

export const nonEmptyString = v.pipe(v.string(), v.nonEmpty());

/** Of a model, project or job. Limited because many responses repeat it. */
export const name = v.pipe(v.string(), v.maxLength(1000));

/** An id of a model, operation or job. Its form is not checked by the schema: a malformed one is unknown, NOT_FOUND. */
export const uuid = v.pipe(v.string(), v.metadata({ format: "uuid" }));
/** Not checked by the schema: a malformed scene id is INPUT_ERROR, not JSON_SCHEMA_MATCH_ERROR. */
export const sceneId = uuid;
export const ids = v.array(uuid);
export const modelIds = v.optional(ids);

export const integer = v.pipe(v.number(), v.integer());
export const count = v.pipe(v.number(), v.integer(), v.minValue(0));

export const lock = v.picklist(LOCKS);
export const units = v.picklist(UNITS);

export const scenePosition = v.strictObject({ x: coordinateMm, y: coordinateMm, z: coordinateMm });
export const eulerAnglesSchema = v.strictObject({ x: finiteNumber, y: finiteNumber, z: finiteNumber });

const THICKNESS_HINT = 'must be a number of millimetres, such a number as a text, or "ADAPTIVE"';

/** Millimetres as a number or a numeric string, or `ADAPTIVE`. */
export const layerThickness = v.union(
  [
    finiteNumber,
    v.pipe(
      v.string(),
      v.check((text) => parseLayerThickness(text) !== undefined, THICKNESS_HINT),
    ),
  ],
  THICKNESS_HINT,
);

type Shape = v.GenericSchema;

/** A schema that matches one of several shapes, which are kept for the OpenAPI document. */
export interface OneOf<S extends Shape> extends v.LazySchema<S> {
  readonly shapes: readonly Shape[];
}

/**
 * One of several strict shapes. The first key of `choices` that the value has selects its shape, `otherwise` is the shape
 * without any of the keys. Unlike those of a union, error messages refer to the selected shape.
 */
export function oneOf<S extends Shape>(choices: Readonly<Record<string, S>>, otherwise: S): OneOf<S> {
  const choose = (input: unknown): S => {
    const isObject = typeof input === "object" && input !== null;
    const key = isObject ? Object.keys(choices).find((one) => Object.hasOwn(input, one)) : undefined;
    return key === undefined ? otherwise : choices[key];
  };
  return Object.assign(v.lazy(choose), { shapes: [...new Set([otherwise, ...Object.values(choices)])] });
}

/** The rule for the OpenAPI document that each of `fields` needs `other` to match a JSON Schema. The schema's check holds it. */
export const requiring = <Body>(fields: readonly string[], other: string, schema: object) => {
  const needed = { properties: { [other]: schema }, required: [other] };
  const dependentSchemas = Object.fromEntries(fields.map((field) => [field, needed]));
  return v.metadata<Body, { readonly dependentSchemas: object }>({ dependentSchemas });
};

export const sceneSettingsReply = v.object({
  machine_type: v.string(),
  material_code: v.string(),
  print_setting: v.string(),
  layer_thickness_mm: v.string(),
  custom_print_setting_id: v.optional(uuid),
});

/** What a change lost, left, dropped or moved beyond what was asked (interface supplement, section 8). Absent where there is nothing to say. */
export const warningsReply = v.optional(v.array(v.string()));

export const modifiedReply = v.object({ modified_model_ids: ids, warnings: warningsReply });

/** The schema of results by model id. */
export const perModelReply = <Result extends v.GenericSchema>(result: Result) =>
  v.object({ per_model_results: v.record(v.string(), result) });

/** The reply with the result of each model. */
export const perModelResults = <Result>(models: readonly { readonly id: string }[], results: readonly Result[]) => ({
  per_model_results: Object.fromEntries(models.map(({ id }, i) => [id, results[i]])),
});

export const cornerReply = v.object({ x: v.number(), y: v.number(), z: v.number() });

export const boundingBoxReply = v.object({ min_corner: cornerReply, max_corner: cornerReply });

export const modelReply = v.object({
  id: uuid,
  name: v.string(),
  position: cornerReply,
  orientation: cornerReply,
  scale: v.number(),
  units,
  bounding_box: boundingBoxReply,
  original_file: v.string(),
  visible: v.boolean(),
  has_supports: v.boolean(),
  is_group: v.boolean(),
  is_cage: v.boolean(),
  in_bounds: v.boolean(),
  raw_mesh_hash: v.string(),
  canonical_model_hash: v.string(),
  lock,
});

export const materialUsageReply = v.union([
  v.object({ volume_ml: v.number(), unsupported_volume_ml: v.number() }),
  v.object({
    total_powder_ml: v.number(),
    total_powder_kg: v.number(),
    total_sintered_powder_ml: v.number(),
    total_sintered_powder_kg: v.number(),
    mass_packing_density: v.number(),
  }),
]);

export const sceneReply = v.object({
  id: uuid,
  models: v.array(modelReply),
  scene_settings: sceneSettingsReply,
  material_usage: materialUsageReply,
  layer_count: integer,
  build_volume: v.object({ dimensions_mm: cornerReply, fillet_radius_mm: v.number() }),
});

/** The ids of models or scenes for a reply. */
export const idsOf = (models: readonly { readonly id: string }[]): string[] => models.map(({ id }) => id);
