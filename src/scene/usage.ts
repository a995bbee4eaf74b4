import { type PowderProfile, profileOf } from "../catalog/profile.ts";
import type { Model } from "./model.ts";
import type { Scene } from "./project.ts";
import { worldBox } from "./stand.ts";

/** Rounding of a height that is a whole number of layers must not cost a layer more. */
const LAYER_ROUNDING = 1e-6;

/** Height of the highest model above the platform, mm; 0 for an empty scene. */
const topOf = ({ models }: Scene): number => models.reduce((top, model) => Math.max(top, worldBox(model).max[2]), 0);

const volumeMl = ({ mesh, pose }: Model): number => (Math.abs(mesh.volumeMm3) * pose.scale ** 3) / 1000;

/** Layers from the platform to the top of the highest model. Of ADAPTIVE layers, as many as there are at most. */
export function layerCount(scene: Scene): number {
  const { layerThicknessMm } = scene.setting.combination;
  const thicknessMm = layerThicknessMm === "ADAPTIVE" ? thinnestMm(scene) : layerThicknessMm;
  return Math.ceil(topOf(scene) / thicknessMm - LAYER_ROUNDING);
}

function thinnestMm({ setting }: Scene): number {
  const profile = profileOf(setting);
  if (profile.family !== "resin" || !profile.adaptive) throw new Error("ADAPTIVE layers without bounds in the catalog");
  return profile.adaptive.minMm;
}

/** Material of the scene by printer family (interface, "Material usage shapes"). */
export function materialUsage(scene: Scene) {
  const profile = profileOf(scene.setting);
  const modelsMl = scene.models.reduce((sum, model) => sum + volumeMl(model), 0);
  if (profile.family === "powder") return powderUsage(scene, profile, modelsMl);
  return { volume_ml: modelsMl, unsupported_volume_ml: modelsMl };
}

/** The bed is filled wall to wall up to the print's height, with the profile's buffers below and above the parts. */
function powderUsage(scene: Scene, profile: PowderProfile, sinteredMl: number) {
  const [x, y] = scene.setting.printerType.volume.dimensionsMm;
  const { below, above } = profile.bufferMm;
  const heightMm = scene.models.length === 0 ? 0 : below + topOf(scene) + above;
  const totalMl = (x * y * heightMm) / 1000;
  const sinteredKg = (sinteredMl * profile.densityGPerMl) / 1000;
  const looseKg = (Math.max(0, totalMl - sinteredMl) * profile.unsinteredDensityGPerMl) / 1000;
  return {
    total_powder_ml: totalMl,
    total_powder_kg: sinteredKg + looseKg,
    total_sintered_powder_ml: sinteredMl,
    total_sintered_powder_kg: sinteredKg,
    // Sintered mass over total build volume, kg/l.
    mass_packing_density: totalMl === 0 ? 0 : sinteredKg / (totalMl / 1000),
  };
}
