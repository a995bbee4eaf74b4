import assert from "node:assert/strict";
import { test } from "node:test";
import { resolveCombination } from "../../src/catalog/resolve.ts";
import { profileOf } from "../../src/catalog/profile.ts";
import { unwatched } from "../../src/core/watch.ts";
import { canonicalMesh } from "../../src/mesh/canonical.ts";
import type { Model } from "../../src/scene/model.ts";
import { layerCount, materialUsage } from "../../src/scene/usage.ts";
import { insideOut } from "../fixture/altered.ts";
import { box } from "../fixture/shapes.ts";
import { POWDER_SETTING, RESIN_SETTING, sceneModel, someScene } from "../fixture/some-scene.ts";

const BOX = canonicalMesh(box([10, 20, 30]), 1, unwatched);
const BOX_ML = 6;

/** A box whose highest point is at `topMm`. */
const boxTo = (topMm: number, scale = 1, mesh = BOX): Model =>
  sceneModel({ mesh, pose: { position: [0, 0, topMm - 15 * scale], orientation: { x: 0, y: 0, z: 0 }, scale } });

function near(actual: number, expected: number): void {
  assert.ok(Math.abs(actual - expected) <= 1e-9 * Math.max(1, Math.abs(expected)), `${actual} is not ${expected}`);
}

test("layers go from the platform to the top of the highest model, rounded up", () => {
  const layersTo = [[30, 300], [30.0001, 301], [30.05, 301], [30.1, 301], [0.3, 3], [0.05, 1]];
  for (const [top, layers] of layersTo) assert.equal(layerCount(someScene([boxTo(top)])), layers, `${top} mm`);
  assert.equal(layerCount(someScene([boxTo(12), boxTo(48), boxTo(36)])), 480);
});

test("a height that is a whole number of layers costs no layer more, whatever its rounding", () => {
  for (const thickness of [0.05, 0.1]) {
    const setting = { ...RESIN_SETTING, combination: { ...RESIN_SETTING.combination, layerThicknessMm: thickness } };
    for (let layers = 1; layers <= 2000; layers += 7) {
      assert.equal(layerCount(someScene([boxTo(layers * thickness)], setting)), layers);
    }
  }
});

test("an empty scene has no layers, nor one whose models are below the platform", () => {
  assert.equal(layerCount(someScene()) + 0, 0);
  assert.equal(layerCount(someScene([boxTo(-1)], POWDER_SETTING)) + 0, 0);
});

test("of adaptive layers, as many are counted as there may be", () => {
  const adaptive = { machine_type: "FORM-3-0", material_code: "FLGPGR04", layer_thickness_mm: "ADAPTIVE" };
  const setting = resolveCombination(adaptive);
  const profile = profileOf(setting);
  assert.ok(profile.family === "resin" && profile.adaptive);
  assert.equal(layerCount(someScene([boxTo(30)], setting)), Math.ceil(30 / profile.adaptive.minMm - 1e-6));
});

test("resin is the volume of the models, scaled; each copy counts", () => {
  const usage = materialUsage(someScene([boxTo(30), boxTo(30, 2), boxTo(30)])) as Record<string, number>;
  assert.deepEqual(Object.keys(usage).sort(), ["unsupported_volume_ml", "volume_ml"]);
  for (const value of Object.values(usage)) near(value, BOX_ML * (1 + 8 + 1));
  assert.deepEqual(materialUsage(someScene()), { volume_ml: 0, unsupported_volume_ml: 0 });
});

test("a mesh inside out takes material as it does the right way round", () => {
  const mesh = canonicalMesh(insideOut(box([10, 20, 30])), 1, unwatched);
  assert.ok(mesh.volumeMm3 < 0);
  const usage = materialUsage(someScene([boxTo(30, 1, mesh)])) as Record<string, number>;
  near(usage.volume_ml, BOX_ML);
});

test("powder fills the bed up to the print's height with its buffers, sintered where the models are", () => {
  const profile = profileOf(POWDER_SETTING);
  assert.ok(profile.family === "powder");
  const usage = materialUsage(someScene([boxTo(30), boxTo(100)], POWDER_SETTING)) as Record<string, number>;
  const [x, y] = POWDER_SETTING.printerType.volume.dimensionsMm;
  const totalMl = (x * y * (100 + profile.bufferMm.below + profile.bufferMm.above)) / 1000;
  const sinteredMl = 2 * BOX_ML;
  const sinteredKg = (sinteredMl * profile.densityGPerMl) / 1000;
  near(usage.total_powder_ml, totalMl);
  near(usage.total_sintered_powder_ml, sinteredMl);
  near(usage.total_sintered_powder_kg, sinteredKg);
  near(usage.total_powder_kg, sinteredKg + ((totalMl - sinteredMl) * profile.unsinteredDensityGPerMl) / 1000);
  near(usage.mass_packing_density, (1000 * sinteredKg) / totalMl);
  assert.equal(Object.keys(usage).length, 5);
});

test("an empty powder scene takes no powder", () => {
  const usage = materialUsage(someScene([], POWDER_SETTING)) as Record<string, number>;
  assert.equal(Object.keys(usage).length, 5);
  for (const [field, value] of Object.entries(usage)) assert.equal(value, 0, field);
});
