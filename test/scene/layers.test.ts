import assert from "node:assert/strict";
import { test } from "node:test";
import { profileOf } from "../../src/catalog/profile.ts";
import { resolveCombination } from "../../src/catalog/resolve.ts";
import type { Setting } from "../../src/catalog/setting.ts";
import { runAtOnce } from "../../src/core/steps.ts";
import { noProgress } from "../../src/core/progress.ts";
import { canonicalMesh } from "../../src/mesh/canonical-mesh.ts";
import * as inSteps from "../../src/scene/layers.ts";
import type { Model, Scene } from "../../src/scene/project.ts";
import { box, uvSphere } from "../fixture/shapes.ts";
import { POWDER_SETTING, RESIN_SETTING, sceneModel, someScene } from "../fixture/some-scene.ts";

const layerBoundariesOf = (scene: Scene): Float64Array => runAtOnce(inSteps.layerBoundariesOf(scene));
const layerCount = (scene: Scene): number => runAtOnce(inSteps.layerCount(scene));

const BOX = canonicalMesh(box([10, 20, 30]), 1, noProgress);
const SPHERE = canonicalMesh(uvSphere(15, 96, 48), 1, noProgress);
const UPRIGHT = { x: 0, y: 0, z: 0 };

/** A model 30 mm high at scale 1 whose highest point is at `topMm`. */
const modelTo = (topMm: number, scale = 1, mesh = BOX): Model =>
  sceneModel({ mesh, pose: { position: [0, 0, topMm - 15 * scale], orientation: UPRIGHT, scale } });

const ADAPTIVE: Setting = resolveCombination({
  machine_type: "FORM-3-0",
  material_code: "FLGPGR04",
  layer_thickness_mm: "ADAPTIVE",
});
const [MIN_MM, MAX_MM] = [0.025, 0.1];

test("layers reach from the platform to the top of the highest model, rounded up", () => {
  const layersTo = [
    [30, 300],
    [30.0001, 301],
    [30.05, 301],
    [30.1, 301],
    [0.3, 3],
    [0.05, 1],
  ];
  for (const [top, layers] of layersTo) assert.equal(layerCount(someScene([modelTo(top)])), layers, `${top} mm`);
  assert.equal(layerCount(someScene([modelTo(12), modelTo(48), modelTo(36)])), 480);
});

test("a height that is a whole number of layers gives no additional layer, whatever its rounding", () => {
  for (const thickness of [0.05, 0.1]) {
    const setting = { ...RESIN_SETTING, combination: { ...RESIN_SETTING.combination, layerThicknessMm: thickness } };
    for (let layers = 1; layers <= 2000; layers += 7) {
      const scene = someScene([modelTo(layers * thickness)], setting);
      assert.equal(layerCount(scene), layers);
      assert.equal(layerBoundariesOf(scene).length, layers + 1);
    }
  }
});

test("an empty scene has no layers, nor has a scene whose models are below the platform", () => {
  for (const setting of [RESIN_SETTING, POWDER_SETTING, ADAPTIVE]) {
    for (const models of [[], [modelTo(-1)]]) {
      assert.equal(layerCount(someScene(models, setting)), 0);
      assert.deepEqual(layerBoundariesOf(someScene(models, setting)), Float64Array.of(0));
    }
  }
});

test("hidden models are printed, so they have layers", () => {
  assert.equal(layerCount(someScene([{ ...modelTo(30), visible: false }])), 300);
});

test("layers end at the top of the volume; the count continues to the top of the highest model", () => {
  const [, , heightMm] = RESIN_SETTING.printerType.volume.dimensionsMm;
  const scene = someScene([modelTo(heightMm + 40)]);
  assert.equal(layerBoundariesOf(scene).length - 1, Math.round(heightMm / 0.1));
  assert.equal(layerCount(scene), Math.round((heightMm + 40) / 0.1));
  const far = someScene([modelTo(1_000_000)], ADAPTIVE);
  assert.ok(layerCount(far) > 9_900_000 && layerBoundariesOf(far).length < 10_000);
});

test("adaptive layers are the thickest along walls, and thinner where a sphere is flat", () => {
  const profile = profileOf(ADAPTIVE);
  assert.deepEqual(profile.family === "resin" && profile.adaptive, { minMm: MIN_MM, maxMm: MAX_MM });
  assert.equal(layerCount(someScene([modelTo(30)], ADAPTIVE)), 300);
  const boundaries = layerBoundariesOf(someScene([modelTo(30, 1, SPHERE)], ADAPTIVE));
  boundaries.subarray(1).forEach((z, k) => {
    const below = boundaries[k];
    // Near its equator the sphere is steep, within 2 mm of its poles flat. |n_z| = |z − 15| / 15 at height z.
    if (below < 2 || z > 28) assert.ok(z - below < 0.035, `${z - below} at ${z}`);
    if (below > 12 && z < 18) assert.ok(z - below > 0.095, `${z - below} at ${z}`);
  });
});

test("adaptive layers follow the flattest model at each height, at its pose and scale", () => {
  const standing = layerBoundariesOf(someScene([modelTo(60, 2, SPHERE)], ADAPTIVE));
  const beside = someScene([modelTo(60, 2), modelTo(60, 2, SPHERE), modelTo(60, 2, SPHERE)], ADAPTIVE);
  assert.deepEqual(layerBoundariesOf(beside), standing);
  const high = modelTo(60, 1, SPHERE);
  const copy = { ...high, pose: modelTo(30, 1, SPHERE).pose };
  const apart = layerBoundariesOf(someScene([high, copy], ADAPTIVE));
  const thicknessAt = (boundaries: Float64Array, height: number): number => {
    const k = boundaries.findIndex((z) => z > height);
    return boundaries[k] - boundaries[k - 1];
  };
  for (const pole of [1, 29, 31, 59]) assert.ok(thicknessAt(apart, pole) < 0.03, `${pole} mm`);
  for (const equator of [15, 45]) assert.ok(thicknessAt(apart, equator) > 0.095, `${equator} mm`);
});

test("the layers of a scene are memoized", () => {
  const scene = someScene([modelTo(30, 1, SPHERE)], ADAPTIVE);
  assert.equal(layerBoundariesOf(scene), layerBoundariesOf(scene));
});
