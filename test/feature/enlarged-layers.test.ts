import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { requirePrintable } from "../../src/api/preconditions.ts";
import type { ResinFigures } from "../../src/catalog/resin.ts";
import { runAtOnce } from "../../src/core/steps.ts";
import { estimatedPrintTime } from "../../src/feature/print-time/endpoint.ts";
import { compensationName } from "../../src/feature/print/job-compensation.ts";
import { layerBoundariesOf, layerCount, printedBoundariesOf } from "../../src/scene/layers.ts";
import { isInBounds, placeNewModel } from "../../src/scene/placement.ts";
import { readGoo } from "../fixture/job/read-goo.ts";
import { panelSetting, writeSceneJob } from "../fixture/print-quality/panel-job.ts";
import { fc } from "../fixture/property.ts";
import { box, torus } from "../fixture/shapes.ts";
import { areasOf, evenly, gridOf, meshOf, picturesOf, placed, sliceAll } from "../fixture/slices.ts";
import { sceneModel, someScene } from "../fixture/some-scene.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";

// Layers that are enlarged against shrinkage, by factors along x, y and z about the middle of the platform.

const FACTORS = [1.25, 1.5, 2] as const;

/** Columns and rows between which all pixels are white and beyond which all are black: left, top, right, bottom. */
function whiteBox(picture: Uint8Array, width: number): number[] {
  const lit = [...picture.entries()].filter(([, value]) => value > 0);
  assert.ok(lit.every(([, value]) => value === 255));
  const [xs, ys] = [lit.map(([i]) => i % width), lit.map(([i]) => Math.floor(i / width))];
  const found = [Math.min(...xs), Math.min(...ys), Math.max(...xs) + 1, Math.max(...ys) + 1];
  assert.equal(lit.length, (found[2]! - found[0]!) * (found[3]! - found[1]!));
  return found;
}

test("the layers of a box are as long, deep, high and far from the middle as the factors say", () => {
  const part = placed(meshOf(box([4, 2, 1])), { position: [2, -3, 0.5] });
  const [pixelMm, enlarged] = [[0.25, 0.5], FACTORS] as const;
  const grid = { pixels: [80, 40] as const, pixelMm, mirrorX: false, portrait: false, enlarged };
  const request = { placed: [part], boundariesMm: evenly(12, 0.2) };
  // In mm: x 0 to 5, y −6 to −3, z 0 to 2.
  const seen = [40, 26, 60, 32];
  for (const [changes, expected] of [
    [{}, seen],
    [{ mirrorX: true }, [20, 26, 40, 32]],
    [{ mirrorY: true }, [40, 8, 60, 14]],
    // Columns are along y, from the back, and rows along x, from the right.
    [{ portrait: true }, undefined],
  ] as const) {
    const own = { ...grid, ...changes };
    const width = own.portrait ? 40 : 80;
    const pictures = picturesOf({ ...request, grid: own });
    const [first] = pictures;
    const found = whiteBox(first!, width);
    if (expected) assert.deepEqual(found, expected);
    else assert.deepEqual([found[2]! - found[0]!, found[3]! - found[1]!], [6, 20]);
    assert.ok(pictures.slice(0, 10).every((picture) => picture.every((value, i) => value === first![i])));
    assert.ok(pictures.slice(10).every((picture) => picture.every((value) => value === 0)));
    for (const areaMm2 of areasOf({ ...request, grid: own }).slice(0, 10)) assert.ok(Math.abs(areaMm2 - 15) < 1e-9);
  }
});

test("layers of parts in any pose are those of parts that are enlarged themselves", () => {
  const factor = fc.double({ min: 0.5, max: 2, noNaN: true });
  const turn = fc.double({ min: -180, max: 180, noNaN: true });
  const place = fc.double({ min: -3, max: 3, noNaN: true });
  fc.assert(
    fc.property(factor, turn, turn, turn, place, place, fc.boolean(), (all, x, y, z, atX, atY, portrait) => {
      const pose = { orientation: { x, y, z }, scale: 0.7 };
      const own = placed(meshOf(torus(2, 0.7)), { ...pose, position: [atX, atY, 2.1] });
      const larger = placed(own.mesh, { ...pose, scale: 0.7 * all, position: [all * atX, all * atY, all * 2.1] });
      const grid = { ...gridOf(120, 100, 0.15), portrait };
      const layers = { boundariesMm: evenly(20, 0.4), grid };
      const measure = (request: Parameters<typeof areasOf>[0]) => sliceAll(request, (layer) => layer.areaMm2);
      const found = measure({ ...layers, placed: [own], grid: { ...grid, enlarged: [all, all, all] } });
      const expected = measure({ ...layers, placed: [larger] });
      found.forEach((areaMm2, k) => assert.ok(Math.abs(areaMm2 - expected[k]!) < 1e-6));
      assert.ok(found.some((areaMm2) => areaMm2 > 0));
    }),
    { numRuns: 12 },
  );
});

test("the volume of the printer clips enlarged layers where it is", () => {
  const grid = { ...gridOf(40, 40, 0.5), enlarged: FACTORS };
  const clipTo = { dimensionsMm: [10, 6, 20], filletRadiusMm: 0 } as const;
  const request = {
    placed: [placed(meshOf(box([9, 5, 2])), { position: [0, 0, 1] })],
    boundariesMm: evenly(1, 1),
    grid,
  };
  for (const areaMm2 of areasOf({ ...request, clipTo })) assert.ok(Math.abs(areaMm2 - 60) < 1e-9);
});

const CORRECTION = [1.05, 1.025, 1.02] as const;
const PANEL = { format: "goo", extension: ".goo", sidePixels: 100, pixelMm: 0.05, layerMm: 0.05 } as const;
const sceneWith = (resin: ResinFigures, x = 0) => {
  const part = placed(meshOf(box([2, 2, 2.5])), { position: [x, 0, 1.25] });
  return someScene([sceneModel(part)], panelSetting({ ...PANEL, resin }));
};
const fileAt = temporaryFiles();

async function jobOf(resin: ResinFigures) {
  const path = fileAt("job.goo", "");
  const totals = await writeSceneJob(sceneWith(resin), path);
  return { totals, layers: readGoo(readFileSync(path)).layers.map(({ picture }) => picture) };
}

test("jobs of resins with factors are enlarged, unless that is switched off", async () => {
  const [plain, enlarged, off] = [
    await jobOf({}),
    await jobOf({ correction: [...CORRECTION] }),
    await jobOf({ correction: [...CORRECTION], compensation: { shrinkage: false } }),
  ];
  assert.deepEqual(off.layers, plain.layers);
  assert.deepEqual([plain.layers.length, enlarged.layers.length], [50, 51]);
  // 42 pixels by 41: from 29 to 71, and from 29.5 to 70.5.
  const [picture] = enlarged.layers;
  const lit = picture!.pixels.map((value) => Math.sign(value));
  assert.deepEqual(
    whiteBox(
      lit.map((value) => 255 * value),
      100,
    ),
    [29, 29, 71, 71],
  );
  const litPixels = picture!.pixels.reduce((sum, value) => sum + value / 255, 0);
  assert.ok(Math.abs(litPixels - 42 * 41) < 0.5, `${litPixels}`);
  assert.ok(Math.abs(enlarged.totals.materialMl / plain.totals.materialMl - 1.05 * 1.025 * 1.02) < 1e-6);
  assert.equal(enlarged.totals.layerCount, 51);
});

test("layers, heights, bounds and times are those of the enlarged parts", async () => {
  const [plain, enlarged] = [sceneWith({}), sceneWith({ correction: [...CORRECTION] })];
  assert.deepEqual([runAtOnce(layerCount(plain)), runAtOnce(layerCount(enlarged))], [50, 51]);
  const [printed, inScene] = [runAtOnce(printedBoundariesOf(enlarged)), runAtOnce(layerBoundariesOf(enlarged))];
  assert.ok(Math.abs(printed.at(-1)! - 2.55) < 1e-9 && Math.abs(inScene.at(-1)! - 2.5) < 1e-9);
  assert.equal(runAtOnce(layerBoundariesOf(plain)), runAtOnce(printedBoundariesOf(plain)));
  assert.equal(compensationName(enlarged.setting), "enlarged by 1.05, 1.025, 1.02");
  assert.equal(compensationName(plain.setting), undefined);
  const context = { compute: () => assert.fail("no task"), tasksAtOnce: () => 1 };
  const [plainTime, enlargedTime] = [
    await estimatedPrintTime(plain, context),
    await estimatedPrintTime(enlarged, context),
  ];
  assert.ok(enlargedTime.totalS > plainTime.totalS);
  // The panel is 5 mm wide: the part ends at 2.45 mm, and is printed up to 2.5725 mm.
  const [inside, outside] = [sceneWith({}, 1.45), sceneWith({ correction: [...CORRECTION] }, 1.45)];
  assert.ok(isInBounds(inside.models[0]!, inside.setting) && !isInBounds(outside.models[0]!, outside.setting));
  await requirePrintable(inside);
  await assert.rejects(requirePrintable(outside), /out of the build volume when it is enlarged by 1.05, 1.025, 1.02/);
  const moved = placeNewModel(outside.models[0]!, outside.setting);
  assert.ok(isInBounds(moved, outside.setting) && moved.pose.position[0] < 1.45);
});
