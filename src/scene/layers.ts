import { profileOf } from "../catalog/profile.ts";
import type { Setting } from "../catalog/setting.ts";
import { once } from "../core/once.ts";
import type { SlabbedBody } from "../mesh/slabs.ts";
import { BOUNDS_TOLERANCE_MM } from "../place/volume.ts";
import { type AdaptiveBounds, countLayers, layerBoundariesMm, type Slopes } from "../slice/layer-heights.ts";
import type { Scene } from "./project.ts";
import { slabbedBodiesOf } from "./slabbed-bodies.ts";
import { worldBox } from "./stand.ts";

/** Height of the highest model above z = 0, mm; 0 where there is none. */
export const topOf = ({ models }: Scene): number =>
  models.reduce((top, model) => Math.max(top, worldBox(model).max[2]), 0);

/**
 * The heights between which the layers of a scene lie, mm, from 0 upward: layer k from the k-th to the next. Every model
 * counts, visible or not, as every model is printed; what stands out above the volume has no layers. Worked out once for
 * a scene.
 */
export const layersOf = once((scene: Scene): Float64Array => {
  const topMm = Math.min(topOf(scene), scene.setting.printerType.volume.dimensionsMm[2]);
  const thickness = thicknessOf(scene.setting);
  const slopes = typeof thickness === "number" ? [] : slabbedBodiesOf(scene.models).map(toSlopes);
  return layerBoundariesMm(thickness, topMm, slopes);
});

const toSlopes = ({ slabs, bottomMm, topMm }: SlabbedBody): Slopes => ({ bottomMm, topMm, flatness: slabs.flatness });

/**
 * Layers from the platform to the top of the highest model. Those above the volume count too, adaptive ones as if they
 * were the thickest; a model that is in bounds but for rounding ends at the top of the volume.
 */
export function layerCount(scene: Scene): number {
  const thickness = thicknessOf(scene.setting);
  const boundariesMm = layersOf(scene);
  const aboveMm = topOf(scene) - scene.setting.printerType.volume.dimensionsMm[2];
  if (aboveMm <= BOUNDS_TOLERANCE_MM) return boundariesMm.length - 1;
  if (typeof thickness === "number") return countLayers(topOf(scene), thickness);
  return boundariesMm.length - 1 + countLayers(topOf(scene) - boundariesMm.at(-1)!, thickness.maxMm);
}

/** Of a layer of this setting, mm, or the bounds that it is chosen within. */
export function thicknessOf(setting: Setting): number | AdaptiveBounds {
  const { layerThicknessMm } = setting.combination;
  if (layerThicknessMm !== "ADAPTIVE") return layerThicknessMm;
  const profile = profileOf(setting);
  if (profile.family !== "resin" || !profile.adaptive) throw new Error("ADAPTIVE layers without bounds in the catalog");
  return profile.adaptive;
}
