import assert from "node:assert/strict";
import { test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import type { ResinFigures } from "../../src/catalog/resin.ts";
import { getOrInsert } from "../../src/core/memoize.ts";
import { newTaskState } from "../../src/core/progress.ts";
import { compensationName } from "../../src/feature/print/job-compensation.ts";
import { unusedVolume } from "../../src/feature/print/job-greys.ts";
import { edgeShiftsOf } from "../../src/feature/slice/edge-growth.ts";
import { sliceLayers } from "../../src/feature/slice/slice-layers.ts";
import type { Compute } from "../../src/worker/compute.ts";
import { newPool } from "../../src/worker/pool.ts";
import { HERE, ORIGIN, panelSetting } from "../fixture/print-quality/panel-job.ts";
import { PIXEL_MM, edgeErrorsOfLayers, meanOf } from "../fixture/print-quality/printed-plate.ts";
import { box, cylinder } from "../fixture/shapes.ts";
import { meshOf, placed } from "../fixture/slices.ts";
import { sceneModel, someScene, withSupports } from "../fixture/some-scene.ts";

const GAMMA = 3;
const BLUR_PX = 0.5;
const RATIO = 2.6;
/** Exposures of the layers ÷ that of a normal one: two bottom layers, and three after them. */
const EXPOSURES = [8, 8, 6.25, 4.5, 2.75, 1, 1];

const measured = (value: number) => ({ value, ...ORIGIN });
const OPTICS = { response: measured(GAMMA), blur_mm: measured(BLUR_PX * PIXEL_MM) };
const CURE = { exposure_ratio: measured(RATIO) };
const EXPOSED: ResinFigures = { exposure_s: 2, bottom_exposure_s: 16, bottom_layers: 2, transition_layers: 3 };

const known = new Map<string, Promise<number[]>>();
const errorsOf = (angleDeg: number, resin: ResinFigures): Promise<number[]> =>
  getOrInsert(known, JSON.stringify([angleDeg, resin]), () => printedErrors(angleDeg, resin));

/** Mean sizes of the errors of edges in each layer, pixels. */
async function printedErrors(angleDeg: number, resin: ResinFigures): Promise<number[]> {
  const errors = await edgeErrorsOfLayers({
    angleDeg,
    optics: OPTICS,
    resin: { ...EXPOSED, ...resin },
    ratioOf: (layer) => RATIO * EXPOSURES[layer]!,
    light: { doseOf: (grey) => (grey / 255) ** GAMMA, blurPx: BLUR_PX },
    alongPx: [-7.3, 0.2, 6.6],
  });
  return errors.map((layer) => meanOf(layer.map(Math.abs)));
}

test("edges of all layers are printed at least five times nearer to their places, also in the first ones", async () => {
  for (const angle of [14, 45]) {
    const [without, corrected] = [await errorsOf(angle, {}), await errorsOf(angle, { cure: CURE })];
    without.forEach((error, k) => {
      assert.ok(error > 0.12 && error < 1.2, `${error}`);
      assert.ok(corrected[k]! < error / 5, `${angle}°, layer ${k}: ${corrected[k]} instead of ${error}`);
    });
  }
});

test("each correction is of its layers alone", async () => {
  const without = await errorsOf(14, {});
  const edges = await errorsOf(14, { cure: CURE, compensation: { foot: false } });
  const foot = await errorsOf(14, { cure: CURE, compensation: { edges: false } });
  assert.ok(edges[6]! < without[6]! / 5 && edges[0]! > without[0]! / 2);
  assert.ok(foot[0]! < without[6]! * 1.2 && Math.abs(foot[6]! - without[6]!) < 1e-9);
});

const PANEL = {
  format: "goo",
  extension: ".goo",
  sidePixels: 96,
  pixelMm: PIXEL_MM,
  layerMm: 0.05,
  optics: OPTICS,
} as const;
const settingWith = (resin: ResinFigures, optics: object | undefined = OPTICS) =>
  panelSetting({ ...PANEL, optics, resin: { ...EXPOSED, ...resin } });
const nm = (values: Iterable<number>): number[] => Array.from(values, (mm) => Math.round(1e6 * mm));

test("shifts follow from the exposure ratio and the blur, or from the measured growth", () => {
  const shiftsOf = (resin: ResinFigures, optics?: object) =>
    nm(edgeShiftsOf(settingWith(resin, optics), 7)?.shiftsMm ?? []);
  // −25 µm · Φ⁻¹(1 − 1/(2.6 · 8, 8, 6.25, 4.5, 2.75, 1, 1)), from a table of the normal distribution.
  const expected = [-41595, -41595, -38550, -34230, -27024, -7335, -7335];
  shiftsOf({ cure: CURE }).forEach((shift, k) => assert.ok(Math.abs(shift - expected[k]!) < 30, `${shift}`));
  const more = expected.map((shift) => shift - expected[6]!);
  const measuredGrowth = { ...CURE, edge_growth_mm: measured(0.02) };
  shiftsOf({ cure: measuredGrowth }).forEach((shift, k) => assert.ok(Math.abs(shift - more[k]! + 20_000) < 60));
  assert.deepEqual(
    shiftsOf({ cure: { edge_growth_mm: measured(-0.01) } }, { response: measured(GAMMA) }),
    Array(7).fill(10_000),
  );
  const own = { ...CURE, blur_mm: measured(0.05) };
  assert.ok(Math.abs(shiftsOf({ cure: own })[6]! - 2 * expected[6]!) < 30);
  // A light of half the power in the bottom layers: an exposure ratio of 4 there.
  const dim = shiftsOf({ cure: CURE, bottom: { light: 128 } });
  assert.ok(dim[1]! > expected[2]! && dim[2] === shiftsOf({ cure: CURE })[2]);
  for (const [resin, optics] of [
    [{}, OPTICS],
    [{ cure: CURE }, { response: measured(GAMMA) }],
    [{ cure: CURE, compensation: { edges: false, foot: false } }, OPTICS],
  ] as const)
    assert.equal(edgeShiftsOf(settingWith(resin, optics), 7), undefined);
});

test("jobs name what was corrected, and have areas where edges are moved", () => {
  const setting = settingWith({ cure: CURE, correction: [1.01, 1, 1] });
  const name = "enlarged by 1.01, 1, 1; edges moved by -0.0073 mm; the first 5 layers by up to -0.0416 mm";
  assert.equal(compensationName(setting), name);
  assert.equal(compensationName(settingWith({})), undefined);
  assert.match(unusedVolume(setting, { byVolume: true })[0] ?? "", /are drawn by area/);
  assert.deepEqual(unusedVolume(settingWith({}), { byVolume: true }), []);
});

const PART = placed(meshOf(box([2.2, 1.6, 1.3])), { position: [0.3, 0.1, 0.65], orientation: { x: 0, y: 0, z: 20 } });
const PIN = placed(meshOf(cylinder(0.03, 1.3, 16)), { position: [-1.5, 0, 0.65] });
const WALL = placed(meshOf(box([0.06, 2, 1.3])), { position: [-1.9, 0, 0.65] });
const sceneWith = (resin: ResinFigures) =>
  someScene([withSupports(sceneModel(PART)), sceneModel(PIN), sceneModel(WALL)], settingWith(resin));

async function encodedOf(resin: ResinFigures, context: Compute, byVolume = false): Promise<unknown[]> {
  const encoded: unknown[] = [];
  const form = { format: "osla", supportsWithoutGrey: true, byVolume } as const;
  for await (const layers of sliceLayers(sceneWith(resin), context, form))
    encoded.push(...structuredClone(layers.encoded));
  return encoded;
}

test("without figures, and with all switches off, each byte of the layers stays", async () => {
  const plain = await encodedOf({}, HERE);
  const off = { shrinkage: false, edges: false, foot: false, over_cure: false };
  const figures = { ...CURE, edge_growth_mm: measured(0.02), penetration_mm: measured(0.15) };
  assert.deepEqual(await encodedOf({ cure: figures, correction: [1.1, 1.1, 1.1], compensation: off }, HERE), plain);
  const corrected = await encodedOf({ cure: CURE }, HERE);
  assert.equal(corrected.length, plain.length);
  assert.ok(corrected.some((layer, k) => !isDeepStrictEqual(layer, plain[k])));
  assert.deepEqual(await encodedOf({ cure: CURE }, HERE, true), corrected);
});

test("one thread and two make the same layers with moved edges", async () => {
  const made: unknown[] = [];
  for (const size of [1, 2]) {
    const pool = newPool(new URL("../../src/worker.ts", import.meta.url), { size });
    try {
      const compute: Compute["compute"] = (task, input) => pool.compute(task, input, newTaskState());
      made.push(await encodedOf({ cure: CURE }, { compute, tasksAtOnce: () => size }));
    } finally {
      await pool.close();
    }
  }
  assert.deepEqual(made[0], made[1]);
  assert.deepEqual(made[0], await encodedOf({ cure: CURE }, HERE));
});
