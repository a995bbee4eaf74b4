import type { PowderProfile } from "../catalog/profile-types.ts";
import { profileOf } from "../catalog/profile.ts";
import { MM3_PER_ML } from "../core/units.ts";
import { layerFactors } from "../catalog/shrink-factors.ts";
import type { CommonVolumes } from "./common-volumes.ts";
import { topMmOf } from "./layers.ts";
import { placedVolumeMm3 } from "./overlaps.ts";
import type { Model, Scene } from "./project.ts";

/** Volume of a model at its scale, without supports, ml. */
export const volumeMl = (model: Model): number => placedVolumeMm3(model) / MM3_PER_ML;

/** Volume of the supports of a model, ml. */
export const supportVolumeMl = ({ supports }: Model): number => (supports ? supports.mesh.volumeMm3 / MM3_PER_ML : 0);

/** Material that the print uses, by printer family (interface, "Material usage shapes"): overlapping volumes count once. */
export function materialUsage(scene: Scene, { modelsMm3, allMm3 }: CommonVolumes) {
  const profile = profileOf(scene.setting);
  const modelsMl = scene.models.reduce((sum, model) => sum + volumeMl(model), 0);
  const unsupportedMl = modelsMl - modelsMm3 / MM3_PER_ML;
  if (profile.family === "powder") return powderUsage(scene, profile, unsupportedMl);
  const supportsMl = scene.models.reduce((sum, model) => sum + supportVolumeMl(model), 0);
  const [x, y, z] = layerFactors(scene.setting);
  const enlarged = x * y * z;
  return {
    volume_ml: enlarged * (modelsMl + supportsMl - allMm3 / MM3_PER_ML),
    unsupported_volume_ml: enlarged * unsupportedMl,
  };
}

/**
 * The powder bed fills the whole chamber up to the height of the print, with the profile's buffers below and above the parts, but no
 * higher than the chamber. Parts outside of the chamber are not printed: no more is sintered than the bed holds.
 */
function powderUsage(scene: Scene, profile: PowderProfile, modelsMl: number) {
  const [x, y, z] = scene.setting.printerType.volume.dimensionsMm;
  const { below, above } = profile.bufferMm;
  const heightMm = scene.models.length === 0 ? 0 : Math.min(z, below + topMmOf(scene) + above);
  const totalMl = (x * y * heightMm) / MM3_PER_ML;
  const sinteredMl = Math.min(totalMl, modelsMl);
  const sinteredKg = (sinteredMl * profile.densityGPerMl) / 1000;
  const looseKg = ((totalMl - sinteredMl) * profile.unsinteredDensityGPerMl) / 1000;
  return {
    total_powder_ml: totalMl,
    total_powder_kg: sinteredKg + looseKg,
    total_sintered_powder_ml: sinteredMl,
    total_sintered_powder_kg: sinteredKg,
    // Interface, "Material usage shapes": over the total build volume, kg/l.
    mass_packing_density: (1000 * sinteredKg) / ((x * y * z) / MM3_PER_ML),
  };
}
