import { profileOf } from "../catalog/profile.ts";
import { layerFactors } from "../catalog/shrink-factors.ts";
import type { Setting } from "../catalog/setting.ts";
import { type Steps, memoizeSteps } from "../core/steps.ts";
import { must } from "../core/must.ts";
import { BOUNDS_TOLERANCE_MM } from "../geometry/build-volume.ts";
import { poseKey } from "../geometry/pose.ts";
import { type Mesh, solidVolumeMm3 } from "../mesh/mesh.ts";
import type { SlabbedBody, Slabs } from "../mesh/outline.ts";
import { type AdaptiveBounds, type Slopes, countLayers, layerBoundarySteps } from "../slice/layer-heights.ts";
import { bodyBox, sceneBox } from "./placement.ts";
import { type Model, type Scene, printedBodies } from "./project.ts";

/** Height of the highest model, supports included, above z = 0, mm. 0 for an empty scene. */
export const topMmOf = ({ models }: Scene): number =>
  models.reduce((top, model) => Math.max(top, sceneBox(model).max[2]), 0);

/**
 * The boundaries of the layers that a machine prints of a scene, mm, ascending from 0: layer k is between entries k and k + 1. Parts that are
 * enlarged against shrinkage are as high as that makes them. Hidden models count, since they are printed too. There are no layers above the build
 * volume.
 */
export const printedBoundariesOf = memoizeSteps(function* (scene: Scene): Steps<Float64Array> {
  const factor = layerFactors(scene.setting)[2];
  const topMm = Math.min(factor * topMmOf(scene), scene.setting.printerType.volume.dimensionsMm[2]);
  const thickness = layerThicknessOf(scene.setting);
  yield;
  const bodies = typeof thickness === "number" ? [] : yield* slabbedBodiesOf(scene.models);
  return yield* layerBoundarySteps(
    thickness,
    topMm,
    bodies.map((body) => toSlopes(body, factor)),
  );
});

/** The same boundaries as heights in the scene. */
export const layerBoundariesOf = memoizeSteps(function* (scene: Scene): Steps<Float64Array> {
  const factor = layerFactors(scene.setting)[2];
  const boundariesMm = yield* printedBoundariesOf(scene);
  return factor === 1 ? boundariesMm : boundariesMm.map((heightMm) => heightMm / factor);
});

const toSlopes = ({ slabs, bottomMm, topMm }: SlabbedBody, factor: number): Slopes => ({
  bottomMm: factor * bottomMm,
  topMm: factor * topMm,
  flatness: slabs.flatness,
});

/**
 * Number of layers from the platform to the top of the highest model. Layers above the build volume count too; adaptive ones count
 * there with the greatest thickness. A model that exceeds the volume only by rounding ends at its top.
 */
export function* layerCount(scene: Scene): Steps<number> {
  const thickness = layerThicknessOf(scene.setting);
  const boundariesMm = yield* printedBoundariesOf(scene);
  const topMm = layerFactors(scene.setting)[2] * topMmOf(scene);
  const aboveMm = topMm - scene.setting.printerType.volume.dimensionsMm[2];
  if (aboveMm <= BOUNDS_TOLERANCE_MM) return boundariesMm.length - 1;
  if (typeof thickness === "number") return countLayers(topMm, thickness);
  const topOfLayersMm = must(boundariesMm.at(-1), "The top of the layers");
  return boundariesMm.length - 1 + countLayers(topMm - topOfLayersMm, thickness.maxMm);
}

/** The layer thickness of a setting, mm, or the bounds of an adaptive one. */
export function layerThicknessOf(setting: Setting): number | AdaptiveBounds {
  const { layerThicknessMm } = setting.combination;
  if (layerThicknessMm !== "ADAPTIVE") return layerThicknessMm;
  const profile = profileOf(setting);
  if (profile.family !== "resin" || !profile.adaptive) throw new Error("ADAPTIVE layers without bounds in the catalog");
  return profile.adaptive;
}

/** Bodies that are compared with the others in one step, in a few milliseconds. */
const BODIES_PER_STEP = 1024;

/** The slabs of all bodies, in steps. Copies at the same height are one entry with their count; copies in the same place are one body. */
export function* slabbedBodiesOf(models: readonly Model[]): Steps<SlabbedBody[]> {
  const distinct = new Map<Slabs, Map<string, SlabbedBody>>();
  const seen = new Set<string>();
  for (const [i, body] of models.flatMap(printedBodies).entries()) {
    if (i > 0 && i % BODIES_PER_STEP === 0) yield;
    const key = poseKey(body.mesh.hash, body.pose);
    if (seen.has(key)) continue;
    seen.add(key);
    const { slabs } = body.outline;
    const { min, max } = bodyBox(body);
    const places = distinct.get(slabs) ?? new Map<string, SlabbedBody>();
    const place = `${min[2]} ${max[2]}`;
    const count = (places.get(place)?.count ?? 0) + 1;
    const { scale } = body.pose;
    const slabbed = { slabs, bottomMm: min[2], topMm: max[2], scale, count, solidShare: solidShareOf(body.mesh) };
    distinct.set(slabs, places.set(place, slabbed));
  }
  return [...distinct.values()].flatMap((places) => [...places.values()]);
}

function solidShareOf(mesh: Mesh): number {
  const share = solidVolumeMm3(mesh) / mesh.volumeMm3;
  return share > 0 && share < 1 ? share : 1;
}
