import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { profileOf } from "../../../src/catalog/profile.ts";
import { resolveCombination } from "../../../src/catalog/resolve.ts";
import { unwatched } from "../../../src/core/watch.ts";
import { canonicalMesh } from "../../../src/mesh/canonical.ts";
import { outlineOf } from "../../../src/mesh/outline-of.ts";
import { toMatrix } from "../../../src/mesh/pose.ts";
import { layerBoundariesMm } from "../../../src/slice/layer-heights.ts";
import type { SlabbedBody } from "../../../src/mesh/slabs.ts";
import { estimateMeasures } from "../../../src/slice/time/estimate-measures.ts";
import { printTime } from "../../../src/slice/time/print-time.ts";
import { surfaceOfStl } from "../../fixture/altered.ts";
import { sectionsOf } from "../../fixture/sections.ts";
import { box, cylinder, tetrahedron, torus, uvSphere } from "../../fixture/shapes.ts";

const fromFile = (name: string) =>
  surfaceOfStl(readFileSync(fileURLToPath(new URL(`../../fixture/corpus/${name}`, import.meta.url))));

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
}).map(([name, surface]) => ({ name, mesh: canonicalMesh(surface, 1, unwatched) }));

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

/** What a part that fits on any of the machines is scaled to. */
const LARGEST_MM = 60;
const PLATFORM_MM2 = 200 * 125;

// Dirty meshes have no exact section to compare with, only the signed sum.
const toleranceOf = (name: string): number => (name.startsWith("gen-") ? 0.1 : 0.01);

for (const { name, mesh } of MESHES) {
  test(`the estimate for ${name} is what its sections add up to, upright and turned, on every kind of machine`, () => {
    for (const rotation of [toMatrix({ x: 0, y: 0, z: 0 }), toMatrix({ x: 33, y: 21, z: 5 })]) {
      const { slabs, box: extent } = outlineOf(mesh, rotation);
      const sizeMm = Math.max(...extent.max.map((high, axis) => high - extent.min[axis]));
      const scale = LARGEST_MM / sizeMm;
      const topMm = scale * (extent.max[2] - extent.min[2]);
      const bodies = [{ slabs, bottomMm: 0, topMm, scale, count: 1 }];
      for (const { machine_type, thicknessMm, profile } of PROFILES) {
        const boundariesMm = layerBoundariesMm(thicknessMm, topMm, []);
        const middles = boundariesMm.subarray(1).map((z) => z - thicknessMm / 2 + 1e-7);
        const sections = sectionsOf(mesh, rotation, middles, scale);
        const sliced = printTime(profile, {
          boundariesMm,
          areasMm2: Float64Array.from(sections, ({ areaMm2 }) => Math.max(0, areaMm2)),
          perimetersMm: Float64Array.from(sections, ({ perimeterMm }) => perimeterMm),
        });
        const estimated = printTime(profile, estimateMeasures(boundariesMm, bodies, PLATFORM_MM2));
        const off = estimated.printingS / sliced.printingS - 1;
        assert.ok(Math.abs(off) < toleranceOf(name), `${machine_type}: ${(100 * off).toFixed(2)} %`);
      }
    }
  });
}

const BOX = outlineOf(canonicalMesh(box([10, 20, 30]), 1, unwatched), toMatrix({ x: 0, y: 0, z: 0 })).slabs;
const boxAt = (bottomMm: number, scale = 1): SlabbedBody => ({
  slabs: BOX,
  bottomMm,
  topMm: bottomMm + 30 * scale,
  scale,
  count: 1,
});

const near = (actual: number, expected: number): void =>
  assert.ok(Math.abs(actual - expected) < 1e-4 * Math.max(1, expected), `${actual} is not ${expected}`);

test("bodies side by side, at any height and scale, add up layer by layer", () => {
  const boundaries = Float64Array.from({ length: 81 }, (_, k) => k);
  const { areasMm2, perimetersMm } = estimateMeasures(boundaries, [boxAt(0), boxAt(10), boxAt(10, 2)], PLATFORM_MM2);
  for (let k = 0; k < 80; k++) {
    const [first, second, large] = [k < 30, k >= 10 && k < 40, k >= 10 && k < 70].map(Number);
    near(areasMm2[k], 200 * (first + second + 4 * large));
    near(perimetersMm[k], 60 * (first + second + 2 * large));
  }
});

test("what stands below the platform or above the last layer is left out, and the last layer takes what it has", () => {
  const { areasMm2 } = estimateMeasures(Float64Array.of(0, 2, 5, 8), [boxAt(-23.5)], PLATFORM_MM2);
  [200, 200, 200 / 2].forEach((area, k) => near(areasMm2[k], area));
  near(estimateMeasures(Float64Array.of(0, 1), [boxAt(-10)], PLATFORM_MM2).areasMm2[0], 200);
});

test("no layer is larger than the platform", () => {
  const { areasMm2 } = estimateMeasures(
    Float64Array.of(0, 1),
    Array.from({ length: 9 }, () => boxAt(0)),
    1000,
  );
  assert.deepEqual(areasMm2, Float64Array.of(1000));
});
