import assert from "node:assert/strict";
import { test } from "node:test";
import type { ResinFigures } from "../../src/catalog/resin.ts";
import { newTaskState } from "../../src/core/progress.ts";
import { sliceLayers } from "../../src/feature/slice/slice-layers.ts";
import type { Compute } from "../../src/worker/compute.ts";
import { newPool } from "../../src/worker/pool.ts";
import { boxSurface } from "../../src/mesh/box-surface.ts";
import {
  amountsOf,
  curedJob,
  curingFigures,
  faceDeviations,
  growingFigures,
  heldScene,
} from "../fixture/print-quality/cured-part.ts";
import {
  type CuredShape,
  ball,
  flatFace,
  letters,
  overhang,
  sideHole,
  thinFloor,
} from "../fixture/print-quality/cured-shapes.ts";
import { ORIGIN, panelSetting } from "../fixture/print-quality/panel-job.ts";
import type { Light } from "../fixture/print-quality/printed-edges.ts";
import { printThroughMm } from "../fixture/print-quality/printed-solid.ts";

const RESIN = { penetrationMm: 0.15, exposureRatio: 2.3 };
const PANEL = { sidePixels: 160, pixelMm: 0.05, layerMm: 0.05 } as const;
const LIGHT: Light = { doseOf: (grey) => grey / 255, blurPx: 0.2 };
const PRINT_THROUGH_MM = printThroughMm(RESIN, PANEL.layerMm);

const SHAPES = [
  ...[2, 2.013, 2.041].map(flatFace),
  ball(),
  ...[1, 2, 3, 5].map(sideHole),
  ...[5, 15, 30, 45, 60, 75].map(overhang),
  ...[0.25, 0.3, 0.35, 0.4, 0.5].map(thinFloor),
  letters(),
];

test("so they are with edges moved by what walls grow, within 2 µm of those without that", async () => {
  const light: Light = { ...LIGHT, blurPx: 0.5 };
  for (const shape of SHAPES) {
    const of = async (resin: ResinFigures): Promise<number> => {
      const { deviationsMm, lost } = await deviationsOf(shape, resin, undefined, light);
      assert.equal(lost, 0);
      return amountsOf(deviationsMm).meanMm;
    };
    const growing = growingFigures(RESIN, PANEL, light);
    const before = await of(curingFigures(RESIN, false));
    const alone = await of({ ...growing, compensation: { edges: false, foot: false } });
    const both = await of(growing);
    assert.ok(both < before / 5 && both < alone + 0.002, `${shape.name}: ${JSON.stringify({ before, alone, both })}`);
  }
});

async function deviationsOf(shape: CuredShape, resin: ResinFigures, optics?: object, light = LIGHT) {
  const job = await curedJob([shape], { ...PANEL, resin, optics });
  return faceDeviations(shape, job, light, RESIN, PANEL.pixelMm);
}

test("lower faces are printed five times nearer to their places, and nothing is lost", async () => {
  for (const shape of SHAPES) {
    const without = await deviationsOf(shape, curingFigures(RESIN, false));
    const made = await deviationsOf(shape, curingFigures(RESIN, true));
    const [before, after] = [amountsOf(without.deviationsMm), amountsOf(made.deviationsMm)];
    const text = `${shape.name}: ${JSON.stringify({ before, after })}`;
    assert.ok(without.lost === 0 && made.lost === 0, text);
    assert.ok(before.meanMm > 0.2 * PRINT_THROUGH_MM && after.meanMm < before.meanMm / 5, text);
    assert.ok(after.mostMm < before.mostMm / 5, text);
  }
});

test("with layers by volume, flat faces of any height are within a micrometre", async () => {
  for (let k = 0; k < 10; k++) {
    const shape = flatFace(2 + 0.005 * k);
    const facts = { ...PANEL, resin: curingFigures(RESIN, true) };
    const job = await curedJob([shape], facts, { drawing: { byVolume: true } });
    const { deviationsMm } = faceDeviations(shape, job, LIGHT, RESIN, PANEL.pixelMm);
    assert.ok(amountsOf(deviationsMm).mostMm < 0.001, `${shape.name}: ${amountsOf(deviationsMm).mostMm} mm`);
  }
});

test("floors thinner than the light is deep keep two layers", async () => {
  for (const thicknessMm of [0.05, 0.1, 0.15]) {
    const without = await deviationsOf(thinFloor(thicknessMm), curingFigures(RESIN, false));
    const made = await deviationsOf(thinFloor(thicknessMm), curingFigures(RESIN, true));
    assert.equal(made.lost, 0);
    const [before, after] = [amountsOf(without.deviationsMm), amountsOf(made.deviationsMm)];
    if (thicknessMm > 0.1) assert.ok(after.meanMm < 0.6 * before.meanMm);
    else assert.deepEqual(after, before);
  }
});

test("a panel that is not linear gets greys with the doses that faces need", async () => {
  const optics = { response: { value: 3, ...ORIGIN }, blur_mm: { value: 0.01, ...ORIGIN } };
  const light = { ...LIGHT, doseOf: (grey: number) => (grey / 255) ** 3 };
  for (const shape of [flatFace(2), thinFloor(0.35)]) {
    const { deviationsMm } = await deviationsOf(shape, curingFigures(RESIN, true), optics, light);
    assert.ok(amountsOf(deviationsMm).mostMm < 0.002, `${amountsOf(deviationsMm).mostMm}`);
  }
});

test("print_through_mm alone gives the depth of the light", async () => {
  const resin = {
    cure: { print_through_mm: { value: PRINT_THROUGH_MM, ...ORIGIN }, penetration_mm: { value: 0.15, ...ORIGIN } },
    compensation: { edges: false, foot: false },
  };
  const { deviationsMm } = await deviationsOf(flatFace(2), resin);
  assert.ok(amountsOf(deviationsMm).mostMm < 0.001);
});

test("a region that begins in mid-air keeps its light, and so does one on the platform", async () => {
  const island = { part: boxSurface({ min: [-1, -1, 2], max: [1, 1, 3] }) };
  const grounded = { part: boxSurface({ min: [1.5, -1, 0], max: [2.5, 1, 3] }) };
  const jobs = await Promise.all(
    [false, true].map((overCure) => curedJob([island, grounded], { ...PANEL, resin: curingFigures(RESIN, overCure) })),
  );
  assert.deepEqual(jobs[1], jobs[0]);
});

test("one thread and two make the same layers", async () => {
  const setting = panelSetting({ ...PANEL, format: "goo", extension: ".goo", resin: curingFigures(RESIN, true) });
  const scene = heldScene([ball()], setting);
  const [one, two] = await Promise.all(
    [1, 2].map(async (size) => {
      const pool = newPool(new URL("../../src/worker.ts", import.meta.url), { size });
      const context: Compute = {
        compute: (task, input) => pool.compute(task, input, newTaskState()),
        tasksAtOnce: () => size,
      };
      try {
        const layers: unknown[] = [];
        for await (const chunk of sliceLayers(scene, context, { format: "goo", greys: undefined })) layers.push(chunk);
        return layers;
      } finally {
        await pool.close();
      }
    }),
  );
  assert.ok(one !== undefined && one.length > 4);
  assert.deepEqual(one, two);
});
