import { settingsOnWire } from "../catalog/settings-on-wire.ts";
import { once } from "../core/once.ts";
import { layerCount } from "./layers.ts";
import { modelOnWire, positionOnWire } from "./model-on-wire.ts";
import type { Scene } from "./project.ts";
import { materialUsage } from "./usage.ts";

/** A scene as responses show it (interface, "Scene"). Worked out once for a scene, so that listing many stays cheap. */
export const sceneOnWire = once(show);

function show(scene: Scene) {
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
