import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { fc } from "../fixture/property.ts";
import { catalogEntries } from "../../src/catalog/catalog.ts";
import type { PowderProfile, Profile, ResinProfile } from "../../src/catalog/profile-types.ts";
import { profileOf } from "../../src/catalog/profile.ts";
import { resolveCombination } from "../../src/catalog/resolve.ts";
import { runAtOnce } from "../../src/core/steps.ts";
import { noProgress } from "../../src/core/progress.ts";
import { rotationMatrix } from "../../src/geometry/pose.ts";
import { canonicalMesh } from "../../src/mesh/canonical-mesh.ts";
import { type SlabbedBody, outlineOf } from "../../src/mesh/outline.ts";
import { layerBoundariesMm } from "../../src/slice/layer-heights.ts";
import {
  type LayerMeasures,
  estimateLayerMeasures,
  layerExposureS,
  layerTimesS,
  printTime,
} from "../../src/slice/print-time.ts";
import { sectionsOf } from "../fixture/sections.ts";
import { box, cylinder, tetrahedron, torus, uvSphere } from "../fixture/shapes.ts";
import { surfaceOfStl } from "../fixture/surface-edits.ts";

const profile = <P extends Profile = ResinProfile>(
  machine_type: string,
  material_code: string,
  layer_thickness_mm: number | string,
): P => profileOf(resolveCombination({ machine_type, material_code, layer_thickness_mm })) as P;

const FORM_4 = profile("FORM-4-0", "FLGPBK05", 0.1);
const FORM_3 = profile("FORM-3-1", "FLGPGR04", 0.1);
const FUSE_1 = profile<PowderProfile>("PILK-1-0", "FLP12G01", 0.11);

/** The layers of a prism. */
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

test("a full-height part on a Form 4 grows by the published 40 mm per hour", () => {
  const late = layerTimesS(FORM_4, prism(2100, 0.1, 2000, 400)).at(-1)!;
  near((0.1 * 3600) / late, 40, 0.05);
});

test("a Saturn 4 Ultra 16K takes the published 4.94 s per layer over its 5132 layers", () => {
  const saturn = profile("ELEGOO-S4U-16K", "GENERIC-RESIN", 0.05);
  near(printTime(saturn, prism(5132, 0.05, 1000, 200)).printingS / 5132, 4.94, 0.03);
});

test("in every setting the total is the time before the print plus the sum of the layers", () => {
  for (const { combination, printerType } of catalogEntries()) {
    const of = profileOf({ combination, printerType });
    const layers = cube(combination.layerThicknessMm === "ADAPTIVE" ? 0.05 : combination.layerThicknessMm);
    const time = printTime(of, layers);
    const printedS = layerTimesS(of, layers).reduce((sum, seconds) => sum + seconds, 0);
    near(time.totalS, time.preprintS + time.printingS);
    assert.ok(time.printingS >= printedS - 1e-6 && time.printingS < 1.2 * printedS);
    assert.equal(time.cooling !== undefined, printerType.family === "powder");
    // From a quarter of an hour to ten hours for a cube: large machines lift their platform slowly.
    assert.ok(time.totalS > 900 && time.totalS < 10 * 3600, `${JSON.stringify(combination)}: ${time.totalS} s`);
  }
});

test("an empty print takes no time, without heating or cooling", () => {
  const none = prism(0, 0.1, 0, 0);
  assert.deepEqual(printTime(FORM_4, none), { totalS: 0, preprintS: 0, printingS: 0 });
  assert.deepEqual(printTime(FUSE_1, none), {
    totalS: 0,
    preprintS: 0,
    printingS: 0,
    cooling: { toRemovalS: 0, thenToRoomTempS: 0 },
  });
});

test("a panel exposes small and large layers equally long; the first layers longer, in equal steps down to the others", () => {
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

test("the exposure of a laser follows from its energy: for the area, and for a spot's width along the outlines", () => {
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

test("adaptive layers get the energy of the settings with their thickness", () => {
  const adaptive = profile("FORM-3-1", "FLGPGR04", "ADAPTIVE");
  for (const thicknessMm of [0.025, 0.05, 0.1]) {
    const layer = { thicknessMm, areaMm2: 400, perimeterMm: 80 };
    const shipped = layerExposureS(profile("FORM-3-1", "FLGPGR04", thicknessMm), 500, layer);
    near(layerExposureS(adaptive, 500, layer), shipped, 0.01);
  }
});

test("first layers have their own times between two layers", () => {
  const { firstLayers, timeS } = FORM_4;
  const slow = { ...FORM_4, firstTimeS: { separation: timeS.separation + 3, openWait: 2 } };
  const layers = cube(0.1);
  near(printTime(slow, layers).totalS - printTime(FORM_4, layers).totalS, 5 * firstLayers.count);
});

test("separation takes longer under larger layers", () => {
  const [small, large] = [400, 4400].map((areaMm2) => layerTimesS(FORM_4, prism(20, 0.1, areaMm2, 80)).at(-1)!);
  near(large - small, 40 * FORM_4.timeS.separationPerCm2);
});

test("a powder print has heating with the powder below, layers with the powder above, then two stages of cooling", () => {
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

const fromFile = (name: string) =>
  surfaceOfStl(readFileSync(fileURLToPath(new URL(`../fixture/corpus/${name}`, import.meta.url))));

const MESHES = Object.entries({
  box: box([60, 40, 20]),
  tetrahedron: tetrahedron(50),
  cylinder: cylinder(20, 45),
  sphere: uvSphere(25),
  torus: torus(30, 8),
  ...Object.fromEntries(
    ["thingi-472042", "thingi-520644", "thingi-65004", "mf-hull-body-x0.35", "mf-Offset1-x0.04"]
      .concat(["gen-65004-holes12", "gen-472042-flip30"])
      .map((name) => [name, fromFile(`${name}.stl`)]),
  ),
}).map(([name, surface]) => ({ name, mesh: canonicalMesh(surface, 1, noProgress) }));

const MACHINES = [
  ["FORM-4-0", "FLGPBK05", 0.1],
  ["FORM-3-1", "FLGPGR04", 0.1],
  ["FORM-2-0", "FLGPGR04", 0.1],
  ["PILK-1-0", "FLP12G01", 0.11],
  ["PRUSA-SL1", "GENERIC-RESIN", 0.1],
  ["ELEGOO-S4U-16K", "GENERIC-RESIN", 0.1],
] as const;

const PROFILES = MACHINES.map(([machine_type, material_code, layer_thickness_mm]) => ({
  machine_type,
  thicknessMm: layer_thickness_mm,
  profile: profileOf(resolveCombination({ machine_type, material_code, layer_thickness_mm })),
}));

/** Size to which a part is scaled, so that it fits on all of the machines. */
const LARGEST_MM = 60;
const PLATFORM_MM2 = 200 * 125;

// Defective meshes have no exact sections to compare with, only the signed sum.
const toleranceOf = (name: string): number => (name.startsWith("gen-") ? 0.1 : 0.01);

for (const { name, mesh } of MESHES) {
  test(`the estimate for ${name} agrees with its sections, upright and rotated, on every kind of machine`, () => {
    for (const rotation of [rotationMatrix({ x: 0, y: 0, z: 0 }), rotationMatrix({ x: 33, y: 21, z: 5 })]) {
      const { slabs, box: extent } = outlineOf(mesh, rotation);
      const sizeMm = Math.max(...extent.max.map((high, axis) => high - extent.min[axis]));
      const scale = LARGEST_MM / sizeMm;
      const topMm = scale * (extent.max[2] - extent.min[2]);
      const bodies = [{ slabs, bottomMm: 0, topMm, scale, count: 1, solidShare: 1 }];
      for (const { machine_type, thicknessMm, profile } of PROFILES) {
        const boundariesMm = layerBoundariesMm(thicknessMm, topMm, []);
        const middles = boundariesMm.subarray(1).map((z) => z - thicknessMm / 2 + 1e-7);
        const sections = sectionsOf(mesh, rotation, middles, scale);
        const sliced = printTime(profile, {
          boundariesMm,
          areasMm2: Float64Array.from(sections, ({ areaMm2 }) => Math.max(0, areaMm2)),
          perimetersMm: Float64Array.from(sections, ({ perimeterMm }) => perimeterMm),
        });
        const estimated = printTime(profile, runAtOnce(estimateLayerMeasures(boundariesMm, bodies, [], PLATFORM_MM2)));
        const off = estimated.printingS / sliced.printingS - 1;
        assert.ok(Math.abs(off) < toleranceOf(name), `${machine_type}: ${(100 * off).toFixed(2)} %`);
      }
    }
  });
}

const measuresOf = (boundariesMm: Float64Array, bodies: readonly SlabbedBody[], maxAreaMm2: number): LayerMeasures =>
  runAtOnce(estimateLayerMeasures(boundariesMm, bodies, [], maxAreaMm2));

const BOX = outlineOf(canonicalMesh(box([10, 20, 30]), 1, noProgress), rotationMatrix({ x: 0, y: 0, z: 0 })).slabs;
const boxAt = (bottomMm: number, scale = 1): SlabbedBody => ({
  slabs: BOX,
  bottomMm,
  topMm: bottomMm + 30 * scale,
  scale,
  count: 1,
  solidShare: 1,
});

const assertNear = (actual: number, expected: number): void =>
  assert.ok(Math.abs(actual - expected) < 1e-4 * Math.max(1, expected), `${actual} is not ${expected}`);

test("bodies next to each other, at any height and scale, add up layer by layer", () => {
  const boundaries = Float64Array.from({ length: 81 }, (_, k) => k);
  const { areasMm2, perimetersMm } = measuresOf(boundaries, [boxAt(0), boxAt(10), boxAt(10, 2)], PLATFORM_MM2);
  for (let k = 0; k < 80; k++) {
    const [first, second, large] = [k < 30, k >= 10 && k < 40, k >= 10 && k < 70].map(Number);
    assertNear(areasMm2[k], 200 * (first + second + 4 * large));
    assertNear(perimetersMm[k], 60 * (first + second + 2 * large));
  }
});

test("the common volume of bodies counts once, only at its heights", () => {
  const boundaries = Float64Array.from({ length: 41 }, (_, k) => k);
  // Two boxes at one place, 10 mm apart in height.
  const common = [{ bottomMm: 0, topMm: 40, volumesMm3: Float32Array.of(0, 2000, 2000, 0) }];
  const steps = estimateLayerMeasures(boundaries, [boxAt(0), boxAt(10)], common, PLATFORM_MM2);
  const { areasMm2, perimetersMm } = runAtOnce(steps);
  for (let k = 0; k < 40; k++) {
    assertNear(areasMm2[k], 200);
    assertNear(perimetersMm[k], 60);
  }
});

test("a mesh that encloses a volume twice has the areas of its solid", () => {
  assertNear(measuresOf(Float64Array.of(0, 1), [{ ...boxAt(0), solidShare: 0.5 }], PLATFORM_MM2).areasMm2[0], 100);
});

test("parts below the platform or above the last layer are left out, and the last layer counts in full", () => {
  const { areasMm2 } = measuresOf(Float64Array.of(0, 2, 5, 8), [boxAt(-23.5)], PLATFORM_MM2);
  [200, 200, 200 / 2].forEach((area, k) => assertNear(areasMm2[k], area));
  assertNear(measuresOf(Float64Array.of(0, 1), [boxAt(-10)], PLATFORM_MM2).areasMm2[0], 200);
});

test("no layer has a larger area than the platform", () => {
  const { areasMm2 } = measuresOf(
    Float64Array.of(0, 1),
    Array.from({ length: 9 }, () => boxAt(0)),
    1000,
  );
  assert.deepEqual(areasMm2, Float64Array.of(1000));
});

test("many bodies are spread in steps, between which other requests are answered", () => {
  const bodies = Array.from({ length: 100 }, (_, i) => boxAt(i));
  const steps = estimateLayerMeasures(Float64Array.of(0, 1), bodies, [], PLATFORM_MM2);
  for (let step = 0; step < 3; step++) assert.equal(steps.next().done, false);
  assert.equal(steps.next().done, true);
});
