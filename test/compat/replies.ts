import * as v from "valibot";

// The answers of the 0.9 interface, as its generated clients parse them: written only from the reference of that interface.

const uuid = v.pipe(v.string(), v.regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/));
const integer = v.pipe(v.number(), v.integer());
const xyz = v.object({ x: v.number(), y: v.number(), z: v.number() });
const texts = v.array(v.string());

export const MODEL = v.object({
  id: uuid,
  name: v.string(),
  position: xyz,
  orientation: xyz,
  scale: v.number(),
  units: v.picklist(["MILLIMETERS", "INCHES"]),
  bounding_box: v.object({ min_corner: xyz, max_corner: xyz }),
  original_file: v.string(),
  visible: v.boolean(),
  has_supports: v.boolean(),
  in_bounds: v.boolean(),
  raw_mesh_hash: v.string(),
  canonical_model_hash: v.string(),
  lock: v.picklist(["FREE", "LOCKED_XY_ROTATION_FREE_TRANSLATION", "LOCKED_ROTATION_FREE_TRANSLATION", "FULLY_LOCKED"]),
});

/** Clients refuse a usage with other fields, and an empty one. */
const MATERIAL_USAGE = v.union([
  v.strictObject({ volume_ml: v.number(), unsupported_volume_ml: v.number() }),
  v.strictObject({
    total_powder_ml: v.number(),
    total_powder_kg: v.number(),
    total_sintered_powder_ml: v.number(),
    total_sintered_powder_kg: v.number(),
    mass_packing_density: v.number(),
  }),
]);

const THICKNESS = v.union([v.number(), v.pipe(v.string(), v.regex(/^(\d+(\.\d+)?|ADAPTIVE)$/))]);

const SETTINGS = v.object({
  machine_type: v.string(),
  material_code: v.string(),
  print_setting: v.string(),
  layer_thickness_mm: THICKNESS,
  custom_print_setting_id: v.optional(uuid),
});

export const SCENE = v.object({
  id: uuid,
  models: v.array(MODEL),
  scene_settings: SETTINGS,
  material_usage: MATERIAL_USAGE,
  layer_count: integer,
});

const SCENE_WITH_NOTICES = v.object({ ...SCENE.entries, warnings: texts, infos: texts });

/**
 * Strict, because a device with more fields might match two variants, which the clients refuse. The additional fields of a queue
 * complete no other variant.
 */
const DEVICE = v.strictObject({
  id: v.string(),
  product_name: v.string(),
  status: v.string(),
  is_connected: v.boolean(),
  connection_type: v.picklist(["UNKNOWN", "VIRTUAL", "REMOTE", "USB", "WIFI", "ETHERNET", ""]),
  ip_address: v.string(),
  firmware_version: v.string(),
  ready_to_print_now: v.optional(v.boolean()),
  dashboard_queue_id: v.optional(uuid),
  supported_machine_type_ids: v.optional(texts),
});

const perModel = <Result extends v.GenericSchema>(result: Result) =>
  v.strictObject({ per_model_results: v.record(uuid, result) });

export const EMPTY = v.undefined();
const NOTICES = v.object({ warnings: texts, infos: texts });

export const REPLIES = {
  EMPTY,
  SCENE,
  MODEL,
  NOTICES,
  SCENE_WITH_NOTICES,
  VERSION: v.strictObject({ version: v.string() }),
  LOGIN: v.object({ access_token: v.string(), refresh_token: v.string() }),
  USER: v.object({
    username: v.string(),
    first_name: v.string(),
    last_name: v.string(),
    email: v.string(),
    persistent_id: v.string(),
  }),
  SCENES: v.object({ scenes: v.array(SCENE) }),
  REPLACED: v.object({ warnings: texts, model_properties: MODEL }),
  VALIDATION: perModel(
    v.strictObject({
      cups: integer,
      unsupported_minima: integer,
      undersupported: v.boolean(),
      has_seamline: v.boolean(),
    }),
  ),
  CUPS: perModel(v.object({ cup_count: integer })),
  MINIMA: perModel(v.object({ minima_count: integer })),
  SUPPORTEDNESS: perModel(v.object({ percent_unsupported: v.number() })),
  THIN_WALLS: perModel(v.object({ has_thin_walls: v.boolean(), thin_region_count: integer })),
  FILLED: v.object({ new_model_ids: v.array(uuid) }),
  TIME: v.object({ total_print_time_s: v.number(), preprint_time_s: v.number(), printing_time_s: v.number() }),
  DRILLED: v.object({ plugs: v.array(uuid), warnings: texts, infos: texts }),
  PAIRS: v.array(v.tuple([uuid, uuid])),
  JOB: v.object({ job_id: uuid }),
  DEVICE,
  DEVICES: v.object({ count: integer, devices: v.array(DEVICE) }),
  MATERIALS: v.object({
    printer_types: v.array(
      v.object({
        label: v.string(),
        build_volume_dimensions_mm: v.array(v.number()),
        supported_machine_type_ids: texts,
        supported_product_names: texts,
        materials: v.array(
          v.object({
            label: v.string(),
            description: v.string(),
            material_settings: v.array(v.object({ label: v.string(), scene_settings: SETTINGS })),
          }),
        ),
      }),
    ),
  }),
  OPERATIONS: v.object({ count: integer, operations: v.array(v.object({ id: uuid })) }),
  OPERATION: v.object({
    id: uuid,
    status: v.picklist(["IN_PROGRESS", "SUCCEEDED", "FAILED"]),
    progress: v.number(),
  }),
} as const;

export type ReplyName = keyof typeof REPLIES;
