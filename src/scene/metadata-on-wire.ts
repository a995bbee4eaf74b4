import { materialOf } from "../catalog/catalog.ts";
import { settingsOnWire } from "../catalog/settings-on-wire.ts";
import { triangleCount } from "../mesh/mesh.ts";
import { layerCount } from "./layers.ts";
import type { Model } from "./model.ts";
import { modelOnWire, type PositionOnWire } from "./model-on-wire.ts";
import type { Scene } from "./project.ts";
import { materialUsage, supportVolumeMl, volumeMl } from "./usage.ts";

type BoxOnWire = { readonly min_corner: PositionOnWire; readonly max_corner: PositionOnWire };

/** What a job's metadata tell of a scene, but for its time (interface supplement, section 5). */
export function metadataOnWire(scene: Scene) {
  const { setting } = scene;
  const models = scene.models.map((model) => modelMetadata(model, scene));
  return {
    scene_id: scene.id,
    scene_settings: settingsOnWire(setting),
    printer_type: setting.printerType.label,
    material: materialOf(setting).label,
    layer_count: layerCount(scene),
    layer_thickness_mm: setting.combination.layerThicknessMm,
    material_usage: materialUsage(scene),
    bounding_box: models.length === 0 ? null : models.map((model) => model.bounding_box).reduce(union),
    models,
  };
}

/** Volume and surface are those of the model at its scale. */
function modelMetadata(model: Model, { setting }: Scene) {
  const { id, name, bounding_box, has_supports, raw_mesh_hash } = modelOnWire(model, setting);
  return {
    id,
    name,
    volume_ml: volumeMl(model),
    surface_area_mm2: model.mesh.areaMm2 * model.pose.scale ** 2,
    triangle_count: triangleCount(model.mesh),
    bounding_box,
    has_supports,
    support_volume_ml: supportVolumeMl(model),
    raw_mesh_hash,
  };
}

const union = (a: BoxOnWire, b: BoxOnWire): BoxOnWire => ({
  min_corner: atCorners(Math.min, a.min_corner, b.min_corner),
  max_corner: atCorners(Math.max, a.max_corner, b.max_corner),
});

const atCorners = (pick: (a: number, b: number) => number, a: PositionOnWire, b: PositionOnWire): PositionOnWire => ({
  x: pick(a.x, b.x),
  y: pick(a.y, b.y),
  z: pick(a.z, b.z),
});
