import { type PowderProfile, profileOf } from "../catalog/profile.ts";
import { MM3_PER_ML } from "../core/units.ts";
import { solidVolumeMm3 } from "../mesh/solid-volume.ts";
import { topOf } from "./layers.ts";
import type { Model } from "./model.ts";
import type { Scene } from "./project.ts";

/** What the model takes of its material, at its scale. */
export const volumeMl = ({ mesh, pose }: Model): number => (solidVolumeMm3(mesh) * pose.scale ** 3) / MM3_PER_ML;

/** What the supports of a model take. */
export const supportVolumeMl = ({ supports }: Model): number => (supports ? supports.mesh.volumeMm3 / MM3_PER_ML : 0);

/** Material of the scene by printer family (interface, "Material usage shapes"). */
export function materialUsage(scene: Scene) {
  const profile = profileOf(scene.setting);
  const modelsMl = scene.models.reduce((sum, model) => sum + volumeMl(model), 0);
  if (profile.family === "powder") return powderUsage(scene, profile, modelsMl);
  const supportsMl = scene.models.reduce((sum, model) => sum + supportVolumeMl(model), 0);
  return { volume_ml: modelsMl + supportsMl, unsupported_volume_ml: modelsMl };
}

/**
 * The bed is filled wall to wall up to the print's height, with the profile's buffers below and above the parts. What stands
 * out above the chamber is not printed.
 */
function powderUsage(scene: Scene, profile: PowderProfile, sinteredMl: number) {
  const [x, y, z] = scene.setting.printerType.volume.dimensionsMm;
  const { below, above } = profile.bufferMm;
  const heightMm = scene.models.length === 0 ? 0 : below + Math.min(z, topOf(scene)) + above;
  const totalMl = (x * y * heightMm) / MM3_PER_ML;
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
