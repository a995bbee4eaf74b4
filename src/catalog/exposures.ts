import type { Exposures, ResinProfile } from "./profile-types.ts";
import type { LayerThickness } from "./setting.ts";

/** The exposures on a panel, seconds. */
export function secondsOf({ light, exposureMjPerCm2, firstLayers }: ResinProfile): { first: number; normal: number } {
  if (light.kind !== "panel") throw new Error("Only panels have the same exposure everywhere.");
  const normal = exposureMjPerCm2.model / light.irradianceMwPerCm2;
  return { first: firstLayers.exposureFactor * normal, normal };
}

/** The working curve of the energies in profiles.json: mJ/cm² at a thickness in mm. */
const CURVE = { mJ: 20, mm: 0.05 } as const;

/** The energy of the model follows the working curve where the data lack it; other exposures that they lack are that of the model. */
export function withDefaultExposures(profile: ResinProfile, thickness: LayerThickness): Exposures {
  const given: Partial<Exposures> & Pick<Exposures, "overhangs"> = profile.exposureMjPerCm2;
  const thicknessMm = typeof thickness === "number" ? thickness : CURVE.mm;
  const model = given.model ?? CURVE.mJ * curedFactor(profile, thicknessMm - CURVE.mm);
  return { model, perimeter: model, supports: model, topSurface: model, ...given };
}

/** Ratio of the energies that layers need if one of them is thicker by this. */
export const curedFactor = ({ penetrationMm }: ResinProfile, thickerMm: number): number =>
  Math.exp(thickerMm / penetrationMm);
