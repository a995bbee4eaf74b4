import { settingsOnWire } from "../catalog/settings-on-wire.ts";
import { modelOnWire, positionOnWire } from "./model-on-wire.ts";
import type { Scene } from "./project.ts";
import { layerCount, materialUsage } from "./usage.ts";

/** A scene as responses show it (interface, "Scene"). */
export function sceneOnWire(scene: Scene) {
  const { dimensionsMm, filletRadiusMm } = scene.setting.printerType.volume;
  return {
    id: scene.id,
    models: scene.models.map((model) => modelOnWire(model, scene.setting)),
    scene_settings: settingsOnWire(scene.setting),
    material_usage: materialUsage(scene),
    layer_count: layerCount(scene),
    build_volume: { dimensions_mm: positionOnWire(dimensionsMm), fillet_radius_mm: filletRadiusMm },
  };
}
