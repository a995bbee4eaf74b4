import { createHash } from "node:crypto";
import { materialOf } from "../catalog/catalog.ts";
import { type Setting, settingsOnWire } from "../catalog/setting.ts";
import { mapSteps } from "../core/steps.ts";
import { memoize } from "../core/memoize.ts";
import { wireMm, wireMm2, wireVolume } from "./wire-numbers.ts";
import { type Box, unionBoxes } from "../geometry/box.ts";
import { ORIGIN, type Vec3 } from "../geometry/vector.ts";
import { triangleCount } from "../mesh/mesh.ts";
import { type SceneEntry, isCage, isCageInBounds, latticeOf } from "./cages.ts";
import { selectEntries } from "./find.ts";
import { layerCount } from "./layers.ts";
import { materialUsage, supportVolumeMl, volumeMl } from "./material-usage.ts";
import type { CommonVolumes } from "./common-volumes.ts";
import { isInBounds, sceneBox } from "./placement.ts";
import type { Cage, Model, Scene } from "./project.ts";

// Scenes and models in replies. The interface defines the field names.

interface PositionOnWire {
  x: number;
  y: number;
  z: number;
}

const positionOnWire = ([x, y, z]: Vec3): PositionOnWire => ({ x: x + 0, y: y + 0, z: z + 0 });

export const cornerOnWire = ([x, y, z]: Vec3): PositionOnWire => ({ x: wireMm(x), y: wireMm(y), z: wireMm(z) });

export const boxOnWire = ({ min, max }: Box) => ({
  min_corner: cornerOnWire(min),
  max_corner: cornerOnWire(max),
});

/** Models described per step: models of different shapes take up to 0.2 ms each. */
const MODELS_PER_STEP = 32;

/** Models and cages of a scene, in steps: it has up to 10,000. */
export const entriesOnWire = (entries: readonly SceneEntry[], scene: Scene) =>
  mapSteps(
    entries,
    (entry) => (isCage(entry) ? cageOnWire(entry, scene) : modelOnWire(entry, scene.setting)),
    MODELS_PER_STEP,
  );

/** A scene (interface, "Scene"). */
export function* sceneOnWire(scene: Scene, common: CommonVolumes) {
  const { dimensionsMm, filletRadiusMm } = scene.setting.printerType.volume;
  return {
    id: scene.id,
    ...(scene.name !== undefined && { name: scene.name }),
    models: yield* entriesOnWire(selectEntries(scene), scene),
    scene_settings: settingsOnWire(scene.setting),
    material_usage: usageOnWire(scene, common),
    layer_count: yield* layerCount(scene),
    build_volume: { dimensions_mm: positionOnWire(dimensionsMm), fillet_radius_mm: filletRadiusMm },
  };
}

/** Volumes, masses and a density, rounded alike. */
function usageOnWire(scene: Scene, common: CommonVolumes): ReturnType<typeof materialUsage> {
  const usage = materialUsage(scene, common);
  return Object.fromEntries(Object.entries(usage).map(([key, value]) => [key, wireVolume(value)])) as typeof usage;
}

/** A model in a scene of this setting (interface, "Model"). Memoized per model and setting. */
const modelOnWire = (model: Model, setting: Setting) => describers(setting)(model);

const describers = memoize((setting: Setting) => memoize((model: Model) => toWire(model, setting)));

function toWire(model: Model, setting: Setting) {
  const { position, orientation, scale } = model.pose;
  return {
    id: model.id,
    name: model.name,
    position: positionOnWire(position),
    orientation,
    scale,
    units: model.units,
    bounding_box: boxOnWire(sceneBox(model)),
    original_file: model.originalFile,
    visible: model.visible,
    has_supports: model.supports !== undefined,
    is_group: false,
    is_cage: false,
    in_bounds: isInBounds(model, setting),
    raw_mesh_hash: model.mesh.hash,
    canonical_model_hash: canonicalHashOf(model),
    lock: model.lock,
  };
}

/** The container of a cage, at the pose of its lattice; without a mesh, its box is zero and its hashes are empty. */
function cageOnWire(cage: Cage, scene: Scene): ReturnType<typeof toWire> {
  const lattice = modelOnWire(latticeOf(scene, cage), scene.setting);
  return {
    ...lattice,
    id: cage.id,
    name: cage.name,
    bounding_box: boxOnWire({ min: ORIGIN, max: ORIGIN }),
    original_file: "",
    is_group: true,
    is_cage: true,
    in_bounds: isCageInBounds(scene, cage),
    raw_mesh_hash: "",
    canonical_model_hash: "",
  };
}

/** SHA-256 of the raw mesh's hash, the position in whole micrometres, the angles and the scale (supplement, section 4). */
function canonicalHashOf({ mesh, pose: { position, orientation, scale } }: Model): string {
  const positionUm = position.map((mm) => Math.round(mm * 1000) + 0);
  const text = [mesh.hash, ...positionUm, orientation.z, orientation.x, orientation.y, scale].join(" ");
  return createHash("sha256").update(text).digest("hex");
}

/** The metadata of a scene's print job, except its time (interface supplement, section 5). */
export function* metadataOnWire(scene: Scene, common: CommonVolumes) {
  const { models, setting } = scene;
  return {
    scene_id: scene.id,
    scene_settings: settingsOnWire(setting),
    printer_type: setting.printerType.label,
    material: materialOf(setting).label,
    layer_count: yield* layerCount(scene),
    layer_thickness_mm: setting.combination.layerThicknessMm,
    material_usage: usageOnWire(scene, common),
    bounding_box: models.length === 0 ? null : boxOnWire(models.map(sceneBox).reduce(unionBoxes)),
    models: yield* mapSteps(models, (model) => modelMetadata(model, setting), MODELS_PER_STEP),
  };
}

/** Volume and surface area apply to the model at its scale. */
function modelMetadata(model: Model, setting: Setting) {
  const { id, name, bounding_box, has_supports, raw_mesh_hash } = modelOnWire(model, setting);
  return {
    id,
    name,
    volume_ml: wireVolume(volumeMl(model)),
    surface_area_mm2: wireMm2(model.mesh.areaMm2 * model.pose.scale ** 2),
    triangle_count: triangleCount(model.mesh),
    bounding_box,
    has_supports,
    support_volume_ml: wireVolume(supportVolumeMl(model)),
    raw_mesh_hash,
  };
}
