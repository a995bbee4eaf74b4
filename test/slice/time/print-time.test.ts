import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type PowderProfile, profileOf, type Profile, type ResinProfile } from "../../../src/catalog/profile.ts";
import { ENTRIES } from "../../../src/catalog/catalog.ts";
import { resolveCombination } from "../../../src/catalog/resolve.ts";
import { layerExposureS } from "../../../src/slice/time/layer-exposure.ts";
import type { LayerMeasures } from "../../../src/slice/time/layer-measures.ts";
import { layerTimesS, printTime } from "../../../src/slice/time/print-time.ts";

const profile = <P extends Profile = ResinProfile>(
  machine_type: string,
  material_code: string,
  layer_thickness_mm: number | string,
): P => profileOf(resolveCombination({ machine_type, material_code, layer_thickness_mm })) as P;

const FORM_4 = profile("FORM-4-0", "FLGPBK05", 0.1);
const FORM_3 = profile("FORM-3-1", "FLGPGR04", 0.1);
const FUSE_1 = profile<PowderProfile>("PILK-1-0", "FLP12G01", 0.11);

/** Layers of a prism. */
const prism = (layers: number, thicknessMm: number, areaMm2: number, perimeterMm: number): LayerMeasures => ({
  boundariesMm: Float64Array.from({ length: layers + 1 }, (_, k) => k * thicknessMm),
  areasMm2: new Float64Array(layers).fill(areaMm2),
  perimetersMm: new Float64Array(layers).fill(perimeterMm),
});

const cube = (thicknessMm: number): LayerMeasures => prism(Math.ceil(20 / thicknessMm - 1e-6), thicknessMm, 400, 80);

function near(actual: number, expected: number, share = 1e-9): void {
  assert.ok(Math.abs(actual - expected) <= share * Math.max(1, Math.abs(expected)), `${actual} is not ${expected}`);
}

test("a 20 mm cube on a Form 4 in Black V5 at 0.1 mm takes the 2766 s of the maker's own tool", () => {
  near(printTime(FORM_4, cube(0.1)).totalS, 2766, 0.03);
});

test("a full-height part on a Form 4 grows by the published 40 mm an hour", () => {
  const late = layerTimesS(FORM_4, prism(2100, 0.1, 2000, 400)).at(-1)!;
  near((0.1 * 3600) / late, 40, 0.05);
});

test("a Saturn 4 Ultra 16K takes the published 4.94 s a layer over its 5132 layers", () => {
  const saturn = profile("ELEGOO-S4U-16K", "GENERIC-RESIN", 0.05);
  near(printTime(saturn, prism(5132, 0.05, 1000, 200)).printingS / 5132, 4.94, 0.03);
});

test("the total is what comes before the print and the print, whose layers it sums, in every setting", () => {
  for (const { combination, printerType } of ENTRIES) {
    const of = profileOf({ combination, printerType });
    const layers = cube(combination.layerThicknessMm === "ADAPTIVE" ? 0.05 : combination.layerThicknessMm);
    const time = printTime(of, layers);
    const printedS = layerTimesS(of, layers).reduce((sum, seconds) => sum + seconds, 0);
    near(time.totalS, time.preprintS + time.printingS);
    assert.ok(time.printingS >= printedS - 1e-6 && time.printingS < 1.2 * printedS);
    assert.equal(time.cooling !== undefined, printerType.family === "powder");
    // From a quarter of an hour to eight hours: what such machines need for a cube.
    assert.ok(time.totalS > 900 && time.totalS < 8 * 3600, `${JSON.stringify(combination)}: ${time.totalS} s`);
  }
});

test("nothing to print takes no time, and needs no heating or cooling", () => {
  const none = prism(0, 0.1, 0, 0);
  assert.deepEqual(printTime(FORM_4, none), { totalS: 0, preprintS: 0, printingS: 0 });
  assert.deepEqual(printTime(FUSE_1, none), {
    totalS: 0,
    preprintS: 0,
    printingS: 0,
    cooling: { toRemovalS: 0, thenToRoomTempS: 0 },
  });
});

test("a panel exposes small and large layers for as long; the first longer, by even steps down to the others", () => {
  const exposure = (k: number, areaMm2 = 400): number =>
    layerExposureS(FORM_4, k, { thicknessMm: 0.1, areaMm2, perimeterMm: 80 });
  const { count, fade, exposureFactor } = FORM_4.firstLayers;
  const usual = exposure(1000);
  assert.ok(FORM_4.light.kind === "panel");
  near(usual, FORM_4.exposureMjPerCm2.model / FORM_4.light.irradianceMwPerCm2);
  assert.equal(exposure(1000, 1), exposure(1000, 10_000));
  for (let k = 0; k < count; k++) near(exposure(k), exposureFactor * usual);
  const step = ((exposureFactor - 1) * usual) / (fade + 1);
  for (let k = count; k <= count + fade; k++) near(exposure(k - 1) - exposure(k), step);
  near(exposure(count + fade), usual);
});

test("a laser takes its energy's time: over the area, and over a spot's width along the outlines", () => {
  const { light, exposureMjPerCm2 } = FORM_3;
  assert.ok(light.kind === "laser");
  const size = fc.integer({ min: 0, max: 20_000 });
  fc.assert(
    fc.property(size, size, (areaMm2, perimeterMm) => {
      const fillSpeed = (100 * light.powerMw) / (exposureMjPerCm2.model * light.hatchMm);
      const outlineSpeed = (100 * light.powerMw) / (exposureMjPerCm2.perimeter * light.spotMm);
      const scannedS = areaMm2 / light.hatchMm / fillSpeed + perimeterMm / outlineSpeed;
      near(layerExposureS(FORM_3, 500, { thicknessMm: 0.1, areaMm2, perimeterMm }), scannedS);
    }),
  );
});

test("adaptive layers get the energy of the shipped settings of their thickness", () => {
  const adaptive = profile("FORM-3-1", "FLGPGR04", "ADAPTIVE");
  for (const thicknessMm of [0.025, 0.05, 0.1]) {
    const layer = { thicknessMm, areaMm2: 400, perimeterMm: 80 };
    const shipped = layerExposureS(profile("FORM-3-1", "FLGPGR04", thicknessMm), 500, layer);
    near(layerExposureS(adaptive, 500, layer), shipped, 0.01);
  }
});

test("separation takes longer under larger layers", () => {
  const [small, large] = [400, 4400].map((areaMm2) => layerTimesS(FORM_4, prism(20, 0.1, areaMm2, 80)).at(-1)!);
  near(large - small, 40 * FORM_4.timeS.separationPerCm2);
});

test("powder: heating and the powder below, layers and the powder above, then two times of cooling", () => {
  const { timeS, bufferMm } = FUSE_1;
  const layers = prism(100, 0.11, 2500, 200);
  const time = printTime(FUSE_1, layers);
  const laid = (heightMm: number): number => Math.ceil(heightMm / 0.11) * timeS.recoat;
  near(time.preprintS, timeS.heating + laid(bufferMm.below));
  near(time.printingS, 100 * (timeS.recoat + 25 * timeS.sinterPerCm2) + laid(bufferMm.above));
  const heightMm = 11 + bufferMm.below + bufferMm.above;
  near(time.cooling!.toRemovalS, timeS.coolToRemoval + heightMm * timeS.coolToRemovalPerMm);
  near(time.cooling!.thenToRoomTempS, timeS.coolToRoom);
});
