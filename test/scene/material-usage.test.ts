import assert from "node:assert/strict";
import { test } from "node:test";
import { profileOf } from "../../src/catalog/profile.ts";
import { noProgress } from "../../src/core/progress.ts";
import { canonicalMesh } from "../../src/mesh/canonical-mesh.ts";
import { materialUsage } from "../../src/scene/material-usage.ts";
import { NO_COMMON_VOLUMES } from "../../src/scene/common-volumes.ts";
import type { Model } from "../../src/scene/project.ts";
import { box } from "../fixture/shapes.ts";
import { POWDER_SETTING, sceneModel, someScene } from "../fixture/some-scene.ts";
import { insideOut } from "../fixture/surface-edits.ts";

const BOX = canonicalMesh(box([10, 20, 30]), 1, noProgress);
const BOX_ML = 6;

/** A box whose highest point is at `topMm`. */
const boxTo = (topMm: number, scale = 1, mesh = BOX): Model =>
  sceneModel({ mesh, pose: { position: [0, 0, topMm - 15 * scale], orientation: { x: 0, y: 0, z: 0 }, scale } });

function near(actual: number, expected: number): void {
  assert.ok(Math.abs(actual - expected) <= 1e-9 * Math.max(1, Math.abs(expected)), `${actual} is not ${expected}`);
}

test("resin is the scaled volume of the models, and each copy counts", () => {
  const usage = materialUsage(someScene([boxTo(30), boxTo(30, 2), boxTo(30)]), NO_COMMON_VOLUMES) as Record<
    string,
    number
  >;
  assert.deepEqual(Object.keys(usage).sort(), ["unsupported_volume_ml", "volume_ml"]);
  for (const value of Object.values(usage)) near(value, BOX_ML * (1 + 8 + 1));
  assert.deepEqual(materialUsage(someScene(), NO_COMMON_VOLUMES), { volume_ml: 0, unsupported_volume_ml: 0 });
});

test("hidden models are printed, so they take material", () => {
  const usage = materialUsage(someScene([{ ...boxTo(30), visible: false }]), NO_COMMON_VOLUMES) as Record<
    string,
    number
  >;
  near(usage.volume_ml, BOX_ML);
});

test("an inside-out mesh takes as much material as the same mesh oriented outward", () => {
  const mesh = canonicalMesh(insideOut(box([10, 20, 30])), 1, noProgress);
  assert.ok(mesh.volumeMm3 < 0);
  const usage = materialUsage(someScene([boxTo(30, 1, mesh)]), NO_COMMON_VOLUMES) as Record<string, number>;
  near(usage.volume_ml, BOX_ML);
});

test("powder fills the bed up to the print's height with its buffers, and sintered powder is the volume of the models", () => {
  const profile = profileOf(POWDER_SETTING);
  assert.ok(profile.family === "powder");
  const usage = materialUsage(someScene([boxTo(30), boxTo(100)], POWDER_SETTING), NO_COMMON_VOLUMES) as Record<
    string,
    number
  >;
  const [x, y, z] = POWDER_SETTING.printerType.volume.dimensionsMm;
  const totalMl = (x * y * (100 + profile.bufferMm.below + profile.bufferMm.above)) / 1000;
  const sinteredMl = 2 * BOX_ML;
  const sinteredKg = (sinteredMl * profile.densityGPerMl) / 1000;
  near(usage.total_powder_ml, totalMl);
  near(usage.total_sintered_powder_ml, sinteredMl);
  near(usage.total_sintered_powder_kg, sinteredKg);
  near(usage.total_powder_kg, sinteredKg + ((totalMl - sinteredMl) * profile.unsinteredDensityGPerMl) / 1000);
  near(usage.mass_packing_density, sinteredKg / ((x * y * z) / 1e6));
  assert.equal(Object.keys(usage).length, 5);
});

test("the powder is never more than the chamber holds, whatever the models are", () => {
  const profile = profileOf(POWDER_SETTING);
  assert.ok(profile.family === "powder");
  const [x, y, z] = POWDER_SETTING.printerType.volume.dimensionsMm;
  const chamberMl = (x * y * z) / 1000;
  const usageOf = (...models: Model[]): Record<string, number> =>
    materialUsage(someScene(models, POWDER_SETTING), NO_COMMON_VOLUMES) as Record<string, number>;
  near(usageOf(boxTo(z)).total_powder_ml, chamberMl);
  near(usageOf(boxTo(5 * z)).total_powder_ml, chamberMl);
  const solid = usageOf(boxTo(10 * z, 100));
  near(solid.total_sintered_powder_ml, chamberMl);
  near(solid.total_powder_kg, (chamberMl * profile.densityGPerMl) / 1000);
  near(solid.mass_packing_density, profile.densityGPerMl);
});

test("an empty powder scene needs no powder", () => {
  const usage = materialUsage(someScene([], POWDER_SETTING), NO_COMMON_VOLUMES) as Record<string, number>;
  assert.equal(Object.keys(usage).length, 5);
  for (const [field, value] of Object.entries(usage)) assert.equal(value, 0, field);
});
