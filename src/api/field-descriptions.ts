import { READ_EXTENSIONS } from "../format/model-formats.ts";
import { CHECK_FIELD_DESCRIPTIONS } from "./check-field-descriptions.ts";

/**
 * What each field of requests and replies means, for the OpenAPI document, which takes limits and defaults from the schemas. A
 * name means the same everywhere, unless an entry gives its parent (`keyframes.yaw`) or its endpoint (`scene/save:file`).
 */
export const FIELD_DESCRIPTIONS: Readonly<Record<string, string>> = {
  // Ids and selections
  id: "Id of the scene, unique in the server.",
  "models.id": "Id of the model, unique in its scene.",
  "devices.id": "Serial name of the printer, or id of the queue.",
  "operations.id": "Id of the operation.",
  "operation/get:id": "Id of the operation.",
  scene_id: "Id of the scene, bare or in braces.",
  scene_ids: "Ids of the scenes, in the order in which they are stored.",
  model_id: "Id of the model.",
  model_ids: "Ids of the models; all models of the scene if absent or empty.",
  new_model_ids: "Ids of the models that were made, in no particular order.",
  modified_model_ids: "Ids of the models that were changed.",
  deleted_model_ids: "Ids of the models that were deleted.",
  unsupported_model_ids: "Ids of the models whose supports the change removed.",
  unrepaired_model_ids: "Ids of the models that still have defects, and are as they were.",
  hollowed_model_ids: "Ids of the models that were hollowed.",
  unhollowed_model_ids: "Ids of the models that could not be hollowed, which are as they were.",
  replacement_model_id: "Id of the model that takes the place; it must differ from model_id.",
  source_model_id: "Id of the model that the new ones were made from.",
  plug_model_id: "Id of the model of the plug.",
  drilled_model_id: "Id of the model that has the hole.",
  job_id: "Id of the job, which the printer reports as printing_guid.",
  operation_id: "Id of the operation, as in the answer to ?async=true.",
  operations: "Ids of the operations.",
  "operation/list:operations": "Ids of the operations to list, all if absent or empty; in the reply, their records.",

  // The login
  username: "Name of the account, or id of an API client of the maker's account service.",
  password: "Password of the account, or secret of the API client.",
  access_token: "Token of the login, which stands for its credentials.",
  refresh_token: "Empty: neither kind of account gives out such tokens.",
  email: "Address of the account.",
  first_name: "First name of the person.",
  last_name: "Last name of the person.",
  "user:id": "Number of the account.",

  // Scenes and their settings
  version: "Version of the server.",
  scenes: "The scenes, in the order of the project.",
  scene_settings: "Machine, material, print setting and layer thickness.",
  machine_type: "Id of the machine type, such as FORM-4-0; print-setting/list has all.",
  material_code: "Code of the material and its version, such as FLGPGR05.",
  "devices.material_code": "Code of the powder in the printer.",
  print_setting:
    "Code of the print setting. DEFAULT names the default of every combination, and is meant where it is absent.",
  layer_thickness_mm:
    'Layer thickness in mm, as a number or a numeric string, or "ADAPTIVE" where the catalog offers it.',
  custom_print_setting_id: "Id of the print setting that an .fps file brought; absent for settings of the catalog.",
  fps_file: "Absolute path of an .fps file, whose print setting the scene takes; it stands for the four other fields.",
  scene_name: "Name of the scene in the file, which is kept until it is saved again.",
  project_name: "Name of the project, at most 1,000 characters; empty if it has none.",
  material_usage: "Material that the scene takes: resin of a resin printer, powder of a powder printer.",
  volume_ml: "Resin of models and supports in ml; what overlaps counts once.",
  "models.volume_ml": "Volume of the model without supports in ml.",
  unsupported_volume_ml: "Resin of the models alone in ml; what overlaps counts once.",
  total_powder_ml:
    "Powder in ml, with what is not sintered: the bed over the whole platform up to the height of the print, with buffers below and above, at most the chamber.",
  total_powder_kg: "Powder in kg, with what is not sintered.",
  total_sintered_powder_ml: "Powder that is sintered in ml; what overlaps counts once.",
  total_sintered_powder_kg: "Powder that is sintered in kg.",
  mass_packing_density:
    "Mass of the sintered powder over the printer's whole build volume, in kg per litre; 0 for an empty scene. The share of the powder's mass that is sintered, which makers compare with the refresh rate, is total_sintered_powder_kg over total_powder_kg.",
  layer_count: "Number of layers from the platform to the top of the highest model or support.",
  build_volume: "The space in which the printer prints.",
  dimensions_mm: "Width (x), depth (y) and height (z) of the build volume in mm.",
  fillet_radius_mm: "Radius of the vertical edges of the build volume in mm.",
  printer_type: "Name of the type of printer.",
  material: "Name of the material.",
  estimated_print_time_s: "Estimated time of the whole print in seconds.",
  total_print_time_s: "Time of the whole print in seconds: preprint_time_s and printing_time_s.",
  preprint_time_s: "Time before the first layer in seconds: heating and filling.",
  printing_time_s: "Time of all layers in seconds.",
  cool_to_removal_time_s: "Time after the print in seconds until the parts can be taken out.",
  additional_cool_to_room_temp_time_s: "Further time in seconds until the parts are at room temperature.",

  // Files and pictures
  file: "Absolute path of the file to read.",
  "scene/model/import:file": `Absolute path of the model file to read: ${READ_EXTENSIONS.map((one) => `.${one}`).join(", ")}. The buffers of a .gltf file lie in its folder or below.`,
  "scene/save:file": "Absolute path of the .form file to write; its folder must exist, an older file is replaced.",
  "scene/export:file":
    "Absolute path of the model file or job archive to write, by its extension; its folder must exist, an older file is replaced.",
  include_supports: "Whether the file holds the supports of these models, or the job prints them.",
  "scene/render:file":
    "Absolute path of the .png or .webp file to write; its folder must exist, an older file is replaced.",
  "print-setting/save:file":
    "Absolute path of the .fps file to write; its folder must exist, an older file is replaced.",
  view_type: "What the picture shows: the models, the whole build volume, or the whole width of the platform.",
  yaw: "Direction of the camera about the vertical in degrees: at 0 it looks along -x, at 90 along +y.",
  pitch: "How far the camera looks down in degrees; 0 is level.",
  image_size_px: "Size of the larger side of the picture in pixels (px).",
  crop_to_models: "Whether the picture ends a margin beyond what it shows; without it, it is square.",
  flyaround: "Makes an animated picture, for .webp files alone.",
  keyframes: "Directions through which the camera passes.",
  frame_count: "Number of pictures in the animation.",
  ensure_constant_size: "Whether the models keep their size in all pictures.",

  // Models
  models: "The models.",
  name: "Name of the model, at most 1,000 characters; the file's name if absent.",
  position: "Centre of the box of the raw mesh in the scene, in mm.",
  "scene/model/translate:position":
    "Where the model is moved to, or with RELATIVE by how much, in mm. Resin scenes ignore z.",
  "scene/model/label:position": "Point of the scene in mm; the text is set at the point of the surface closest to it.",
  "drain_holes.position": "Point of the surface in the scene in mm where the hole begins.",
  x: "Along the width: 0 is the middle of the platform, positive is right as you face the printer.",
  y: "Along the depth: 0 is the middle of the platform, positive is away from you.",
  z: "Along the height: 0 is the platform.",
  "orientation.x": "Turn about x in degrees, applied after z.",
  "orientation.y": "Turn about y in degrees, applied last.",
  "orientation.z": "Turn about z in degrees, applied first.",
  "dimensions_mm.x": "Width in mm.",
  "dimensions_mm.y": "Depth in mm.",
  "dimensions_mm.z": "Height in mm.",
  orientation: "Turn of the model: Euler angles in degrees, z applied first, then x, then y.",
  "scene/model/orient:orientation":
    "New turn of the model: Euler angles in degrees, a matrix (linear), or two directions.",
  "scene/model/label:orientation":
    "Turn from the axes of the text to the scene: x along the text, y up the text, z out of the surface.",
  "drain_holes.orientation": "Euler angles in degrees; the hole runs along the turned -z.",
  linear: "Matrix of the turn: three rows of three numbers, perpendicular unit vectors with determinant +1.",
  z_direction: "Unit vector that is turned to +z; x_direction goes with it.",
  x_direction: "Unit vector that is turned to +x, perpendicular to z_direction.",
  scale: "Scale factor, above 0, about the centre of the raw mesh.",
  units: "Unit of the coordinates in the file; DETECTED takes what the file says, else mm.",
  bounding_box: "Box around the model and its supports in the scene, in mm; a group has zeros.",
  "scene/metadata:bounding_box": "Box around models and supports in the scene, in mm; null for an empty scene.",
  "thin_regions.bounding_box": "Box around the region in the scene, in mm.",
  min_corner: "The corner with the least coordinates, in mm.",
  max_corner: "The corner with the greatest coordinates, in mm.",
  original_file: "Path of the file that the model came from.",
  visible: "Whether pictures show the model; it is checked, laid out, sliced and printed either way.",
  has_supports: "Whether the model has supports.",
  is_group: "Whether the model is a container of others, without a mesh.",
  is_cage: "Whether the model is a cage around others.",
  in_bounds: "Whether every point of model and supports is inside the build volume.",
  raw_mesh_hash: "SHA-256 of the mesh before any turn or scaling, equal for equal shapes of any file format.",
  canonical_model_hash: "SHA-256 of the mesh with position, orientation and scale.",
  lock: "What automatic layout and orientation may do with the model.",
  repair_behavior:
    "What happens to a mesh with defects: ERROR refuses the file, REPAIR mends it, IGNORE takes it as it is. ERROR also refuses a damaged file of which parts are missing; REPAIR and IGNORE import the rest, and name them in warnings.",
  chordal_tolerance_um:
    "Largest distance from a curved surface to its triangles in µm, 1 or more, for files that hold curved surfaces.",
  angle_tolerance_deg:
    "Largest angle between neighbouring triangles of a curved surface in degrees, 0.5 or more, for files that hold such.",
  split_multi_model_file: "Whether each part of the file becomes a model of its own.",
  new_models: "The models that were made, in no particular order.",
  source_part_name: "Name of the part in the file.",
  source_part_index: "Place of the part among all parts of the file, from 0.",
  results: "What was made of each model; models of which nothing was made are not listed.",
  per_model_results: "The result of each model by its id.",
  warnings: "What may go wrong with the result, or was lost beyond what was asked, in words for people.",
  infos: "What else was done, in words for people.",
  surface_area_mm2: "Area of the surface in mm².",
  triangle_count: "Number of triangles of the mesh.",
  support_volume_ml: "Volume of the supports in ml.",
  mode: "ABSOLUTE moves to the position, RELATIVE by it.",
  "scene/model/auto-orient:mode":
    "DENTAL turns dental arches upright; without it, the orientation that prints best is sought.",
  "scene/model/auto-layout:mode": "DENTAL turns dental arches so that they nest; without it, any part is placed.",
  "operation/get:mode": "Whether the record of an ended operation is deleted once it was fetched (oneshot).",
  count: "Number of entries.",
  "scene/model/duplicate:count": "Number of copies of each model.",
  tilt: "Angle of a dental arch to the platform in degrees, 0 if absent; with mode DENTAL alone.",

  // Layout
  model_spacing_mm: "Least distance between models in mm; that of the print setting if absent.",
  fill_to_height_mm:
    "Height above the platform up to which the chamber is filled, in mm; that of the chamber if absent.",
  allow_overlapping_supports: "Whether supports of different models may touch.",
  lock_rotation: "Whether models keep their turn about z.",
  custom_bounds: "Part of the platform to use; each absent bound is that of the platform.",
  x_min_mm: "Left bound in mm.",
  x_max_mm: "Right bound in mm.",
  y_min_mm: "Front bound in mm.",
  y_max_mm: "Back bound in mm.",

  // Cages
  cage_model_id: "Id of the container of the cage, which is listed among the models.",
  "scene/model/cage:new_model_ids": "Id of the lattice, which is a model.",
  "scene/model/cage:modified_model_ids": "Ids of the caged models that were moved or turned.",
  packing_mode:
    "HEIGHT: as low as the models come. BALANCED: tilted, evened out and spread as far as the top rises by at most 10 %.",
  packing_type: "How the models are packed: for the least volume or height, as by auto-pack, or not at all.",
  cage_label: "Name of the cage, and text of its label.",
  generate_mesh_label: "Whether the label stands raised on a plate in the largest side wall.",
  "scene/model/cage:model_spacing_mm":
    "Least distance in mm between the models, and of the cage from other models; that of the print setting if absent.",
  bar_spacing_mm: "Greatest width and height of an opening between bars in mm.",
  bar_thickness_mm: "Thickness of the bars in mm, through the wall.",
  bar_width_mm: "Width of the bars in mm, in the plane of the wall; their thickness if absent.",
  distance_to_cage_mm: "Least distance between the models and the lattice in mm.",
  enable_round_edges: "Whether the outer edges of square bars are rounded.",
  enable_square_bars: "Whether bars are square; else they are round.",

  // Supports; what is absent comes from the scene's print setting
  density: "Number of touchpoints relative to the usual; that of the print setting if absent.",
  slope_multiplier: "Number of touchpoints on slopes relative to the usual; that of the print setting if absent.",
  only_minima:
    "Whether only minima are supported, where a part begins in mid-air; as the print setting says if absent.",
  raft_type: "Shape of the plate on the platform; that of the print setting if absent.",
  raft_label_enabled: "Whether the raft carries the name of the model; as the print setting says if absent.",
  breakaway_structure_enabled:
    "Whether pillars have a narrow neck above the raft, at which they break; as the print setting says if absent.",
  internal_supports_enabled:
    "Whether pillars that cannot reach the platform may stand on the model; as the print setting says if absent.",
  touchpoint_size_mm: "Diameter of touchpoints in mm; that of the print setting if absent.",
  raft_thickness_mm: "Thickness of the raft in mm; that of the print setting if absent.",
  height_above_raft_mm: "Height of the model above the raft in mm; that of the print setting if absent.",
  z_compression_correction_mm:
    "Thickness in mm by which the raft is raised, because first layers are compressed; that of the print setting if absent.",
  early_layer_merge_mm:
    "Height in mm over which first layers count as merged, so that shapes stay vertical; that of the print setting if absent.",

  // Hollow, dental models, drill, label
  wall_thickness_mm: "Thickness of the walls in mm.",
  "scene/model/dental-hollow:wall_thickness_mm":
    "Thickness of the honeycomb walls in mm, 1 if absent; with hollow true.",
  feature_size_mm: "Width in mm below which parts of the cavity are filled; above 1 it counts as 1.",
  accuracy: "How closely the cavity follows the surface, from 0 (quick) to 1 (fine).",
  extrude_distance_mm: "Height of the base below the cut in mm.",
  cutoff_height_mm: "Height of the cut in the scene in mm; not with cutoff_below_gumline_mm.",
  cutoff_below_gumline_mm: "Depth of the cut below the detected gumline in mm, 0 if absent; not with cutoff_height_mm.",
  hollow: "Whether the base has a cavity.",
  shell_thickness_mm: "Thickness of the shell around the cavity in mm, 2.75 if absent; with hollow true.",
  drain_hole_radius_mm: "Radius of the drain holes in mm, 1.5 if absent; with hollow true.",
  drain_hole_height_ratio: "Height of the drain holes relative to a half circle, 1 if absent; with hollow true.",
  drain_hole_suppression_distance_mm:
    "Least distance between drain holes, from rim to rim, in mm, 2 if absent; with hollow true.",
  drain_hole_max_count: "Largest number of drain holes of each outline, 2 if absent; with hollow true.",
  enable_honeycomb_infill: "Whether honeycomb walls fill the cavity, true if absent; with hollow true.",
  enable_smooth_contour_extended_sides: "Whether the sides of the base are smoother than the outline of the cut.",
  keep_disconnected_mesh_components: "Whether all pieces above the cut are kept, not only the largest.",
  drain_holes: "The holes to drill.",
  diameter_mm: "Diameter of the hole in mm.",
  depth_mm: 'Depth of the hole in mm, or "AUTO": through the wall to the cavity, or to the far side.',
  "scene/model/label:depth_mm": "Height of raised text, or depth of sunk text, along the normal of the surface in mm.",
  outset_mm: "How far outside the surface the hole begins, in mm.",
  create_plug: "Whether a plug that fits the hole is made as a model of its own.",
  max_search_distance_mm: "How far the nearest surface may be from the position, in mm; with depth AUTO alone.",
  plugs: "The plugs that were made.",
  label: "Name for people.",
  "scene/model/label:label": "The text, one line of 1 to 200 characters.",
  font_size_mm: "Size of the em of the font in mm; capitals are 0.73 em high.",
  application_mode: "Whether the text is raised (EMBOSS) or sunk (ENGRAVE).",

  ...CHECK_FIELD_DESCRIPTIONS,

  // Operations
  status: "How the operation stands.",
  progress: "Share of the work that is done, 0 to 1; it never falls, and is 1 once the operation succeeded.",
  result: "The body of the answer, or the error; absent while the operation runs and where success has no body.",

  // Print settings
  compatible_with: "Serial name of a connected printer; only its type is listed.",
  printer_types: "Types of printers.",
  supported_machine_type_ids: "Ids of the machine types.",
  supported_product_names: "Names of the products.",
  build_volume_dimensions_mm: "Width, depth and height of the build volume in mm.",
  materials: "Materials of the printer.",
  description: "What the material is for; may be empty.",
  material_settings: "Print settings of the material.",
  valid: "Whether the combination is in the catalog.",
  options: "The valid values of the one field that was left out; absent if none was.",
  machine_types: "Valid values of machine_type.",
  material_codes: "Valid values of material_code.",
  print_settings: "Valid values of print_setting.",
  layer_thicknesses_mm: 'Valid values of layer_thickness_mm, in mm or "ADAPTIVE".',

  // Printers
  "devices.status": "What the printer does, in words for people.",
  printer: "Serial name or address of the printer, or the id of a print queue.",
  "device/discover:printer": "Serial name or address of the printer.",
  "device/upload-firmware:printer": "Serial name or address of the printer.",
  job_name: "Name of the job, 1 to 1,000 characters.",
  print_now: "Whether the printer begins at once; false or absent, the job waits at the printer for a person.",
  find_printer_timeout_seconds: "How long the printer is waited for, in seconds.",
  timeout_seconds: "How long printers are waited for, in seconds.",
  can_print: "Whether only printers are listed that can take a job now; ignored with devices.",
  devices: "Serial names of the printers to list, all if absent or empty; in the reply, the printers.",
  product_name: "Name of the product.",
  is_connected: "Whether the printer is connected.",
  firmware_version: "Version of the printer's firmware.",
  connection_type: "How the printer is connected.",
  ip_address: "Address of the printer in the network.",
  ready_to_print_now: "Whether the printer can begin a print now.",
  estimated_print_time_remaining_ms: "Time left of the present print in milliseconds (ms), 0 if there is none.",
  tank_id: "Id of the resin tank.",
  tank_material_code: "Code of the resin that the tank is for.",
  cartridge_data: "The resin cartridges by their ids, as the printer reports them.",
  materialCode: "Code of the resin in the cartridge.",
  cartridgeEstimatedVolumeDispensed_mL: "Resin that the cartridge has given, in ml.",
  cartridgeOriginalVolume_mL: "Resin that the cartridge held when it was full, in ml.",
  is_remote_print_enabled: "Whether jobs may start without a person at the printer.",
  form_auto_status: "What the automated handling accessory does, in words for people.",
  bed_temperature_c: "Temperature of the powder bed in °C.",
  powder_level: "How much powder is left, in words for people.",
  printing_layer: "Layer that is printed, from 1; 0 if none is.",
  printing_guid: "Id of the job that is printed; empty if there is none.",
  cylinder_serial: "Serial number of the build cylinder.",
  powder_credit_g: "Powder that may still be used in grams (g).",
  dashboard_group_id: "Id of the group of printers.",
  dashboard_queue_id: "Id of the queue, to which jobs can be sent.",
  queue_paused: "Whether the queue sends no jobs to its printers at present.",
  has_form_auto: "Whether a printer of the queue has an automated handling accessory.",
  printers: "The printers of the queue.",
  "queue/list:queues": "The queues of the printers file.",
  "queues.id": "Id of the queue.",
  "queue/job/update:id": "Id of the queue.",
  "queues.name": "Name of the queue.",
  "queue/job/update:name": "Name of the queue.",
  "queue/job/update:job_id": "Id of a held job, as queue/list has it.",
  "queue/job/update:printer":
    "RELEASE alone: the printer that is ready, and whose platform is clear; where it is absent, all that are ready are taken to be clear.",
  action:
    "RELEASE has the print start, CANCEL drops the job, FIRST puts it before the others, RETRY has one that was set aside sent again.",
  starts:
    'AUTOMATIC where held prints start by themselves ("starts": "automatic" of the printers file), RELEASED where a person releases each.',
  jobs: "The jobs that the queue holds, in the order in which they go out.",
  "jobs.id": "Id of the job.",
  "jobs.name": "Name of the job.",
  "jobs.state":
    "What the job waits for: that a person releases it, or that a printer is ready; SENDING while a printer is given it; SET_ASIDE until RETRY or CANCEL.",
  "jobs.reason": "Why the job was set aside, in words for people.",
  ready_printers: "The printers that are ready and print such jobs.",
  machine_type_id: "Id of the machine type of the printer.",
  "device/upload-firmware:file": "Full path of the firmware file (.formware, .formware2) on the server's machine.",
};

/** Where a field is: its endpoint without the version (`scene/save`), the field that holds it, and its own name. */
export interface FieldPlace {
  readonly endpoint: string;
  readonly parent: string | undefined;
  readonly field: string;
}

/** A sentence on a field, by the most specific name that the table has; undefined where it has none, which a test refuses. */
export const describeField = ({ endpoint, parent, field }: FieldPlace): string | undefined =>
  [`${endpoint}:${field}`, `${parent}.${field}`, field]
    .map((key) => FIELD_DESCRIPTIONS[key])
    .find((sentence) => sentence !== undefined);
