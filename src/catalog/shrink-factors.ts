import type { BuildVolume } from "../geometry/build-volume.ts";
import type { Vec3 } from "../geometry/vector.ts";
import { profileOf } from "./profile.ts";
import type { Setting } from "./setting.ts";

// Machines of this program's own jobs enlarge parts themselves, by factors that the job states. The layers of all others are enlarged here.

const NONE: Vec3 = [1, 1, 1];

/** Factors along x, y and z against shrinkage, 1 where that is switched off. */
function factorsOf(setting: Setting): Vec3 {
  const profile = profileOf(setting);
  if (profile.family === "resin" && profile.compensation?.shrinkage === false) return NONE;
  const { x, y, z } = profile.correction;
  return [x, y, z];
}

const enlargesItself = ({ printerType }: Setting): boolean => printerType.job === "form";

/** Factors by which the layers of a job are larger than the parts, about the middle of the platform. */
export const layerFactors = (setting: Setting): Vec3 => (enlargesItself(setting) ? NONE : factorsOf(setting));

/** Factors that a job states, for a machine that enlarges parts itself. */
export const statedFactors = (setting: Setting): Vec3 => (enlargesItself(setting) ? factorsOf(setting) : NONE);

/** The volume in which parts may be, so that their layers are in that of the printer. */
export function partVolume(setting: Setting): BuildVolume {
  const { volume } = setting.printerType;
  const [x, y, z] = layerFactors(setting);
  if (x === 1 && y === 1 && z === 1) return volume;
  const [width, depth, height] = volume.dimensionsMm;
  // The rounded edges of an unequally enlarged volume are no circles: the larger radius is the safe one.
  return { dimensionsMm: [width / x, depth / y, height / z], filletRadiusMm: volume.filletRadiusMm / Math.min(x, y) };
}
