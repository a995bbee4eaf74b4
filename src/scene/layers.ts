import { profileOf } from "../catalog/profile.ts";
import { BOUNDS_TOLERANCE_MM } from "../place/volume.ts";
import { type AdaptiveBounds, countLayers, layerBoundariesMm, type Slopes } from "../slice/layer-heights.ts";
import type { Model } from "./model.ts";
import type { Scene } from "./project.ts";
import { worldBox } from "./stand.ts";

/** Height of the highest model above z = 0, mm; 0 where there is none. */
export const topOf = ({ models }: Scene): number =>
  models.reduce((top, model) => Math.max(top, worldBox(model).max[2]), 0);

/**
 * The heights between which the layers of a scene lie, mm, from 0 upward: layer k from the k-th to the next. Every model
 * counts, visible or not, as every model is printed; what stands out above the volume has no layers. Worked out once for
 * a scene.
 */
export function layersOf(scene: Scene): Float64Array {
  const known = LAYERS.get(scene) ?? stack(scene);
  LAYERS.set(scene, known);
  return known;
}

const LAYERS = new WeakMap<Scene, Float64Array>();

/**
 * Layers from the platform to the top of the highest model. Those above the volume count too, adaptive ones as if they
 * were the thickest; a model that is in bounds but for rounding ends at the top of the volume.
 */
export function layerCount(scene: Scene): number {
  const thickness = thicknessOf(scene);
  const boundariesMm = layersOf(scene);
  const aboveMm = topOf(scene) - scene.setting.printerType.volume.dimensionsMm[2];
  if (aboveMm <= BOUNDS_TOLERANCE_MM) return boundariesMm.length - 1;
  if (typeof thickness === "number") return countLayers(topOf(scene), thickness);
  return boundariesMm.length - 1 + countLayers(topOf(scene) - boundariesMm.at(-1)!, thickness.maxMm);
}

function stack(scene: Scene): Float64Array {
  const topMm = Math.min(topOf(scene), scene.setting.printerType.volume.dimensionsMm[2]);
  const thickness = thicknessOf(scene);
  return layerBoundariesMm(thickness, topMm, typeof thickness === "number" ? [] : slopesOf(scene.models));
}

function thicknessOf({ setting }: Scene): number | AdaptiveBounds {
  const { layerThicknessMm } = setting.combination;
  if (layerThicknessMm !== "ADAPTIVE") return layerThicknessMm;
  const profile = profileOf(setting);
  if (profile.family !== "resin" || !profile.adaptive) throw new Error("ADAPTIVE layers without bounds in the catalog");
  return profile.adaptive;
}

/** Each slope once: copies at one height share theirs. */
function slopesOf(models: readonly Model[]): Slopes[] {
  const distinct = new Map<Float32Array, Map<string, Slopes>>();
  for (const model of models) {
    const { flatness } = model.outline.slabs;
    const { min, max } = worldBox(model);
    const heights = distinct.get(flatness) ?? new Map<string, Slopes>();
    distinct.set(flatness, heights.set(`${min[2]} ${max[2]}`, { bottomMm: min[2], topMm: max[2], flatness }));
  }
  return [...distinct.values()].flatMap((heights) => [...heights.values()]);
}
