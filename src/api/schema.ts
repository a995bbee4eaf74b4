import * as v from "valibot";
import { parseLayerThickness } from "../catalog/setting.ts";
import { MAX_COORDINATE_MM } from "../core/limits.ts";
import { UNITS } from "../core/units.ts";
import { paired } from "../core/paired.ts";
import { LOCKS } from "../geometry/pose-lock.ts";
import { field, object, strictObject } from "./field.ts";

// Schemas that several endpoints share.

export const finiteNumber = v.pipe(v.number(), v.finite());

/** A coordinate or size in millimetres (interface supplement, section 1, "Numbers"). */
export const coordinateMm = v.pipe(v.number(), v.minValue(-MAX_COORDINATE_MM), v.maxValue(MAX_COORDINATE_MM));

export const nonEmptyString = v.pipe(v.string(), v.nonEmpty());

/** Name of a model, project or job. Limited because many responses repeat it. */
export const name = v.pipe(v.string(), v.maxLength(1000));

/** An id of a model, operation or job. Its form is not checked by the schema: a malformed one is unknown, NOT_FOUND. */
export const uuid = v.pipe(v.string(), v.metadata({ format: "uuid" }));
export const ids = v.array(uuid);

/** Not checked by the schema: a malformed scene id is INPUT_ERROR, not JSON_SCHEMA_MATCH_ERROR. */
export const sceneId = field(uuid, "Id of the scene, bare or in braces.");
export const modelId = field(uuid, "Id of the model.");
export const modelIds = field(v.optional(ids), "Ids of the models; all models of the scene if absent or empty.");
export const newModelIds = field(ids, "Ids of the new models, in no particular order.");
export const modifiedModelIds = field(ids, "Ids of the models that were changed.");
export const deletedModelIds = field(ids, "Ids of the models that were deleted.");

export const integer = v.pipe(v.number(), v.integer());
export const count = v.pipe(v.number(), v.integer(), v.minValue(0));

const lockValue = v.picklist(LOCKS);
const LOCK = "Limits for automatic layout and orientation of the model.";
export const lock = field(v.optional(lockValue), LOCK);
export const units = v.picklist(UNITS);

const ALONG_X = "Along the width in mm: 0 is the middle of the platform, positive is right as you face the printer.";
const ALONG_Y = "Along the depth in mm: 0 is the middle of the platform, positive is away from you.";
const ALONG_Z = "Along the height in mm: 0 is the platform.";
const ABOUT_X = "Rotation about x in degrees, applied after z.";
const ABOUT_Y = "Rotation about y in degrees, applied last.";
const ABOUT_Z = "Rotation about z in degrees, applied first.";

export const scenePosition = strictObject({
  x: field(coordinateMm, ALONG_X),
  y: field(coordinateMm, ALONG_Y),
  z: field(coordinateMm, ALONG_Z),
});
export const eulerAnglesSchema = strictObject({
  x: field(finiteNumber, ABOUT_X),
  y: field(finiteNumber, ABOUT_Y),
  z: field(finiteNumber, ABOUT_Z),
});

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
 * One of several strict shapes. The first key of `choices` that the value has selects its shape; `otherwise` is the shape without any
 * of the keys. Error messages refer to the selected shape, whereas messages of a union do not.
 */
export function oneOf<S extends Shape>(choices: Readonly<Record<string, S>>, otherwise: S): OneOf<S> {
  const choose = (input: unknown): S => {
    const isObject = typeof input === "object" && input !== null;
    const key = isObject ? Object.keys(choices).find((one) => Object.hasOwn(input, one)) : undefined;
    return (key === undefined ? undefined : choices[key]) ?? otherwise;
  };
  return Object.assign(v.lazy(choose), { shapes: [...new Set([otherwise, ...Object.values(choices)])] });
}

/**
 * The rule for the OpenAPI document that, if one of `fields` is present, `other` must match a JSON Schema. The check of the schema enforces
 * it.
 */
export const requiring = <Body>(fields: readonly string[], other: string, schema: object) => {
  const needed = { properties: { [other]: schema }, required: [other] };
  const dependentSchemas = Object.fromEntries(fields.map((field) => [field, needed]));
  return v.metadata<Body, { readonly dependentSchemas: object }>({ dependentSchemas });
};

const MACHINE_TYPE = "Id of the machine type, such as FORM-4-0; print-setting/list lists all of them.";
const MATERIAL_CODE = "Code of the material and its version, such as FLGPGR05.";
const PRINT_SETTING = "Code of the print setting; DEFAULT, the default of the combination, if absent.";
const LAYER_THICKNESS =
  'Layer thickness in mm, as a number or a numeric string, or "ADAPTIVE" where the catalog offers it.';

/** The fields of a combination of the catalog, as requests and the catalog itself have them. */
export const machineType = field(v.string(), MACHINE_TYPE);
export const materialCode = field(v.string(), MATERIAL_CODE);
export const printSetting = field(v.optional(v.string()), PRINT_SETTING);
export const layerThicknessMm = field(layerThickness, LAYER_THICKNESS);
/** Each of the fields may be absent. */
export const optionalCombination = {
  machine_type: field(v.optional(v.string()), MACHINE_TYPE),
  material_code: field(v.optional(v.string()), MATERIAL_CODE),
  print_setting: printSetting,
  layer_thickness_mm: field(v.optional(layerThickness), LAYER_THICKNESS),
};

/** Millimetres or `ADAPTIVE`, as replies have them. */
export const thicknessReply = v.union([v.number(), v.literal("ADAPTIVE")]);

export const sceneSettingsReply = object({
  machine_type: machineType,
  material_code: materialCode,
  print_setting: field(v.string(), "Code of the print setting; DEFAULT names the default of the combination."),
  layer_thickness_mm: field(v.string(), 'Layer thickness in mm as a numeric string, or "ADAPTIVE".'),
  custom_print_setting_id: field(
    v.optional(uuid),
    "Id of the print setting of an .fps file; absent for settings of the catalog.",
  ),
});

export const sceneSettings = field(sceneSettingsReply, "Machine, material, print setting and layer thickness.");

/**
 * Things that a change lost, left, dropped or moved although the request did not ask for it (interface supplement, section 8). Absent
 * if there are none.
 */
export const warningsReply = field(
  v.optional(v.array(v.string())),
  "Risks of the result, and losses that the request did not ask for, as text for people; absent if there are none.",
);

/** As {@link warningsReply}, for replies in which the interface always has warnings. */
export const warningsList = field(
  v.array(v.string()),
  "Risks of the result, and losses that the request did not ask for, as text for people.",
);
export const infosList = field(v.array(v.string()), "Other effects of the request, as text for people.");

export const modifiedReply = object({ modified_model_ids: modifiedModelIds, warnings: warningsReply });

/** What a layout does with models for which there is no room. */
export const overflow = field(
  v.optional(v.picklist(["FAIL", "BESIDE"]), "FAIL"),
  "An addition to the interface. FAIL: nothing moves if not all models fit. BESIDE: as many as fit are placed, and the others stand in rows beside the build volume, 10 mm from its side at +x.",
);
export const unplacedModelIds = field(
  v.optional(ids),
  "An addition to the interface: ids of the models beside the build volume, which are out of bounds; absent unless overflow is BESIDE.",
);

/** Ids of the new models, per source model. */
export const newModelsOfEach = field(
  v.array(
    object({
      source_model_id: field(uuid, "Id of the model from which the new models were made."),
      new_model_ids: newModelIds,
    }),
  ),
  "New models per source model; source models without new models are not listed.",
);

/** The schema of results by model id. */
export const perModelReply = <Result extends v.GenericSchema>(result: Result) =>
  object({ per_model_results: field(v.record(v.string(), result), "The result of each model by its id.") });

/** The reply with the result of each model. */
export const perModelResults = <Result>(models: readonly { readonly id: string }[], results: readonly Result[]) => ({
  per_model_results: Object.fromEntries(paired(models, results).map(([{ id }, result]) => [id, result])),
});

export const positionReply = object({
  x: field(v.number(), ALONG_X),
  y: field(v.number(), ALONG_Y),
  z: field(v.number(), ALONG_Z),
});

export const sizeReply = object({
  x: field(v.number(), "Width in mm."),
  y: field(v.number(), "Depth in mm."),
  z: field(v.number(), "Height in mm."),
});

export const anglesReply = object({
  x: field(v.number(), ABOUT_X),
  y: field(v.number(), ABOUT_Y),
  z: field(v.number(), ABOUT_Z),
});

export const boundingBoxReply = object({
  min_corner: field(positionReply, "Corner with the least coordinates."),
  max_corner: field(positionReply, "Corner with the greatest coordinates."),
});

export const modelReply = object({
  id: field(uuid, "Id of the model, unique in its scene."),
  name: field(v.string(), "Name of the model."),
  position: field(positionReply, "Centre of the box of the raw mesh in the scene."),
  orientation: field(anglesReply, "Rotation of the model as Euler angles, applied about z first, then x, then y."),
  scale: field(v.number(), "Scale factor about the centre of the raw mesh; 1 is the size of the file."),
  units: field(units, "Unit of the coordinates in the file."),
  bounding_box: field(
    boundingBoxReply,
    "Box around the model and its supports in the scene; zeros for the container of a cage.",
  ),
  original_file: field(v.string(), "Path of the file from which the model was imported."),
  visible: field(
    v.boolean(),
    "Whether pictures show the model. A hidden model is checked, laid out, sliced and printed as well.",
  ),
  has_supports: field(v.boolean(), "Whether the model has supports."),
  is_group: field(v.boolean(), "Whether the model is a container of other models and has no mesh."),
  is_cage: field(v.boolean(), "Whether the model is a cage around others."),
  in_bounds: field(v.boolean(), "Whether every point of the model and its supports is inside the build volume."),
  raw_mesh_hash: field(
    v.string(),
    "SHA-256 of the mesh before rotation and scale. It is equal for equal shapes, whatever the file format.",
  ),
  canonical_model_hash: field(v.string(), "SHA-256 of the mesh with position, orientation and scale."),
  lock: field(lockValue, LOCK),
});

export const materialUsageReply = v.union([
  object({
    volume_ml: field(v.number(), "Volume of the resin of models and supports in ml; overlapping volumes count once."),
    unsupported_volume_ml: field(
      v.number(),
      "Volume of the resin of the models without supports in ml; overlapping volumes count once.",
    ),
  }),
  object({
    total_powder_ml: field(
      v.number(),
      "Volume of the powder bed in ml, sintered or not: the whole platform up to the height of the print, with buffers below and above, at most the chamber.",
    ),
    total_powder_kg: field(v.number(), "Mass of the powder bed in kg."),
    total_sintered_powder_ml: field(v.number(), "Volume of the sintered powder in ml; overlapping volumes count once."),
    total_sintered_powder_kg: field(v.number(), "Mass of the sintered powder in kg."),
    mass_packing_density: field(
      v.number(),
      "Mass of the sintered powder over the printer's whole build volume, in kg per litre; 0 for an empty scene. The share of the powder's mass that is sintered, which makers compare with the refresh rate, is total_sintered_powder_kg / total_powder_kg.",
    ),
  }),
]);

export const materialUsageField = field(
  materialUsageReply,
  "Material that the print uses: resin on a resin printer, powder on a powder printer.",
);

export const layerCountField = field(
  integer,
  "Number of layers from the platform to the top of the highest model or support.",
);

/** Name of a scene; tabs and file names show it whole. */
export const sceneName = v.pipe(v.string(), v.minLength(1), v.maxLength(120));

export const sceneReply = object({
  id: field(uuid, "Id of the scene, unique in the server."),
  name: field(
    v.optional(v.string()),
    "Name of the scene, from its project file or from scene/rename; absent if it has none.",
  ),
  models: field(v.array(modelReply), "Models of the scene, and containers of cages."),
  scene_settings: sceneSettings,
  material_usage: materialUsageField,
  layer_count: layerCountField,
  build_volume: field(
    object({
      dimensions_mm: field(sizeReply, "Width (x), depth (y) and height (z) of the build volume in mm."),
      fillet_radius_mm: field(v.number(), "Radius of the vertical edges of the build volume in mm."),
    }),
    "Space in which the printer prints.",
  ),
});

/** The ids of models or scenes for a reply. */
export const idsOf = (models: readonly { readonly id: string }[]): string[] => models.map(({ id }) => id);
