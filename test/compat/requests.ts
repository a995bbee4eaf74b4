import { PASSWORD } from "../fixture/printers-file.ts";
import { POWDER_SCENE, RESIN_SCENE, USER } from "./compat-server.ts";
import type { ReplyName } from "./replies.ts";

/** A request of the 0.9 interface that succeeds on a scene of two blocks, and the answer to it. */
export interface Request {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** $scene, $a and $b are replaced by a scene and its models, $folder by a folder; without `/scene/$scene` a request uses the newest scene. */
  readonly path: string;
  /** If it is absent, no body is sent. */
  readonly body?: object;
  readonly reply: ReplyName;
  readonly async?: boolean;
  /** The same path without the scene applies to the newest scene. */
  readonly deprecated?: boolean;
  readonly powder?: boolean;
  /** The request takes long: plain tests send it once. */
  readonly slow?: boolean;
  /** Only in the long suite, because another request in this list has the same path. */
  readonly long?: boolean;
}

const UPRIGHT = { x: 0, y: 0, z: 0 };
const TOP = { x: -20, y: 0, z: 10 };
const hole = (fields: object = {}) => ({
  orientation: UPRIGHT,
  position: TOP,
  diameter_mm: 2,
  depth_mm: 3,
  create_plug: false,
  ...fields,
});

const scene = (action: string, reply: ReplyName, body?: object, more: Partial<Request> = {}): Request => ({
  method: "POST",
  path: `/scene/$scene/${action}/`,
  reply,
  deprecated: true,
  ...(body && { body }),
  ...more,
});

const ASYNC = { async: true };
const SLOW = { async: true, slow: true };
const LONG = { async: true, long: true };

/** Every path and method of the reference, in its order, with the fields that clients send. */
export const REQUESTS: readonly Request[] = [
  { method: "GET", path: "/", reply: "VERSION" },
  { method: "POST", path: "/login/", body: { username: USER, password: PASSWORD, x: 1 }, reply: "LOGIN" },
  { method: "GET", path: "/user/", reply: "USER" },
  { method: "POST", path: "/logout/", reply: "EMPTY" },
  { method: "GET", path: "/scenes/", reply: "SCENES" },
  { method: "POST", path: "/scene/", body: RESIN_SCENE, reply: "SCENE" },
  { method: "POST", path: "/scene/", body: { ...POWDER_SCENE, custom_print_setting_id: "" }, reply: "SCENE" },
  { method: "POST", path: "/scene/default/", body: RESIN_SCENE, reply: "SCENE" },
  { method: "DELETE", path: "/scene/default/", reply: "SCENE" },
  { method: "GET", path: "/scene/default/", reply: "SCENE" },
  { method: "GET", path: "/scene/$scene/", reply: "SCENE", deprecated: true },
  {
    method: "PUT",
    path: "/scene/$scene/",
    body: { ...RESIN_SCENE, layer_thickness_mm: 0.05 },
    reply: "SCENE",
    deprecated: true,
  },
  { method: "DELETE", path: "/scene/$scene/", reply: "SCENE" },
  { method: "POST", path: "/load-form/", body: { file: "$folder/saved.form" }, reply: "SCENE", async: true },
  scene("save-form", "EMPTY", { file: "$folder/out.form" }, ASYNC),
  scene(
    "save-screenshot",
    "EMPTY",
    {
      file: "$folder/out.png",
      view_type: "ZOOM_ON_MODELS",
      yaw: 45,
      pitch: 35.264,
      image_size_px: 64,
      crop_to_models: true,
      models: "ALL",
    },
    SLOW,
  ),
  scene(
    "save-screenshot",
    "EMPTY",
    {
      file: "$folder/out.webp",
      image_size_px: 32,
      models: ["$a"],
      flyaround_transform: {
        transform: [
          { yaw: 0, pitch: 0 },
          { yaw: 90, pitch: 20, roll: 1 },
        ],
        frame_count: 2,
        ensure_constant_size: true,
      },
    },
    LONG,
  ),
  scene("save-fps-file", "EMPTY", { file: "$folder/out.fps" }),
  { method: "GET", path: "/scene/$scene/models/$a/", reply: "MODEL", deprecated: true },
  scene("models/$a", "EMPTY", {
    name: "a part",
    position: { x: 1, y: 2, z: 3 },
    orientation: { x: 0, y: 0, z: 45 },
    scale: 1.5,
    units: "MILLIMETERS",
    lock: "FULLY_LOCKED",
    has_supports: false,
  }),
  { method: "DELETE", path: "/scene/$scene/models/$a/", reply: "EMPTY", deprecated: true },
  scene("models/$a/duplicate", "SCENE", { count: 2 }),
  scene("models/$a/duplicate", "SCENE"),
  scene("models/$a/replace", "REPLACED", { file: "$folder/spike.stl", repair_behavior: "ERROR" }),
  scene(
    "import-model",
    "MODEL",
    {
      file: "$folder/spike.stl",
      repair_behavior: "REPAIR",
      name: "spike",
      position: { x: 40, y: 20, z: 0 },
      orientation: { x: 90, y: 0, z: 0 },
      scale: 1.0,
      units: "MILLIMETERS",
      lock: "FREE",
      split_multi_model_file: false,
      visible: null,
    },
    ASYNC,
  ),
  scene(
    "scan-to-model",
    "SCENE_WITH_NOTICES",
    {
      file: "$folder/block.stl",
      files: [],
      units: "MILLIMETERS",
      cutoff_height_mm: 3,
      extrude_distance_mm: 2,
      hollow: false,
      enable_honeycomb_infill: true,
      cutoff_below_gumline_mm: 0,
      shell_thickness_mm: 2,
      wall_thickness_mm: 1,
      drain_hole_radius_mm: 1.5,
      drain_hole_max_count: 2,
      enable_smooth_contour_extended_sides: true,
    },
    SLOW,
  ),
  scene("auto-orient", "EMPTY", { models: ["$a"], tilt: 0 }, SLOW),
  scene("auto-orient", "EMPTY", { models: ["$a"], mode: "DENTAL", tilt: 0.0 }, ASYNC),
  scene("auto-orient", "EMPTY", { models: "ALL", mode: null }, LONG),
  scene(
    "auto-support",
    "EMPTY",
    {
      models: ["$a"],
      density: 0,
      slope_multiplier: 1,
      only_minima: false,
      raft_type: "MINI_RAFT",
      raft_label_enabled: false,
      breakaway_structure_enabled: false,
      touchpoint_size_mm: 0,
      internal_supports_enabled: true,
      raft_thickness_mm: 2,
      height_above_raft_mm: 3,
      z_compression_correction_mm: 0.5,
      early_layer_merge_mm: 20,
    },
    SLOW,
  ),
  scene(
    "auto-layout",
    "SCENE",
    {
      models: "ALL",
      model_spacing_mm: 3,
      allow_overlapping_supports: false,
      lock_rotation: true,
      build_platform_2_optimized: true,
      custom_bounds: { x_min_mm: -50, x_max_mm: 50, y_min_mm: null },
    },
    ASYNC,
  ),
  scene("auto-pack", "SCENE", {}, { ...SLOW, powder: true }),
  scene(
    "auto-pack",
    "SCENE",
    { model_spacing_mm: 4, distance_from_wall_mm: 5, packing_mode: "FAST", seed: 1 },
    { ...LONG, powder: true },
  ),
  {
    method: "POST",
    path: "/scene/pack-and-cage/",
    body: {
      models: ["$a"],
      packing_type: { packing_type: "PACK_NORMAL" },
      cage_label: "c",
      generate_mesh_label: false,
      bar_spacing_mm: 6,
      bar_thickness_mm: 1.5,
      bar_width_mm: 2,
      distance_to_cage_mm: 2,
      enable_round_edges: false,
      enable_square_bars: true,
    },
    reply: "SCENE",
    powder: true,
    slow: true,
  },
  {
    method: "POST",
    path: "/scene/pack-and-cage/",
    body: { models: "ALL", packing_type: "PACK_NONE" },
    reply: "SCENE",
    powder: true,
    long: true,
  },
  { method: "GET", path: "/scene/$scene/print-validation/", reply: "VALIDATION", deprecated: true, ...SLOW },
  scene("hollow", "NOTICES", { models: ["$a"], feature_size_mm: 1, accuracy: 0 }, SLOW),
  scene(
    "label",
    "NOTICES",
    {
      model_id: "$a",
      orientation: { z_direction: { x: 0, y: 0, z: 1 }, x_direction: { x: 1, y: 0, z: 0 } },
      position: TOP,
      label: "A",
      application_mode: "EMBOSS",
      font_size_mm: 4,
      depth_mm: 0.5,
    },
    SLOW,
  ),
  scene("estimate-print-time", "TIME", undefined, SLOW),
  scene("add-drain-holes", "DRILLED", {
    model_id: "$a",
    drain_holes: [
      hole({ depth_mm: "AUTO", max_search_distance: 2, create_plug: true }),
      hole({ max_search_distance: 5 }),
    ],
  }),
  scene("interferences", "PAIRS"),
  scene("interferences", "PAIRS", { collision_offset_mm: 20 }),
  scene("print", "JOB", { printer: "Vee", job_name: "a job", print_now: false }, SLOW),
  { method: "GET", path: "/devices/", reply: "DEVICES" },
  { method: "GET", path: "/devices/?can_print=true", reply: "DEVICES" },
  { method: "GET", path: "/devices/Vee/", reply: "DEVICE" },
  { method: "POST", path: "/discover-devices/", body: { timeout_seconds: 0 }, reply: "DEVICES", async: true },
  {
    method: "POST",
    path: "/upload-firmware/",
    // A printer that no other suite prints on.
    body: { printer: "Fuse", file_path: "$folder/new.formware" },
    reply: "DEVICES",
    async: true,
  },
  { method: "GET", path: "/list-materials/", reply: "MATERIALS" },
  { method: "GET", path: "/operations/", reply: "OPERATIONS" },
  { method: "GET", path: "/operations/$operation/", reply: "OPERATION" },
  { method: "GET", path: "/scene/$scene/cup-detection/", reply: "CUPS", ...SLOW },
  { method: "GET", path: "/scene/$scene/minima-detection/", reply: "MINIMA", ...SLOW },
  { method: "GET", path: "/scene/$scene/supportedness-detection/", reply: "SUPPORTEDNESS", ...SLOW },
  scene("thin-wall-detection", "THIN_WALLS", { models: ["$a"], threshold_mm: 4 }, { ...SLOW, deprecated: false }),
  scene(
    "fill-build-platform",
    "FILLED",
    { models: ["$a", "$b"], layout_options: { model_spacing_mm: 120, placement_margin_mm: 45 } },
    { ...SLOW, deprecated: false },
  ),
  scene(
    "fill-build-chamber",
    "FILLED",
    {
      models: ["$a", "$b"],
      fill_to_height_mm: 16,
      packing_options: { model_spacing_mm: 40, distance_from_wall_mm: 50 },
    },
    { ...SLOW, powder: true, deprecated: false },
  ),
];
