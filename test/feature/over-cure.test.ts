import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { heldBytes, newMemoryBudget } from "../../src/core/memory-budget.ts";
import { noProgress } from "../../src/core/progress.ts";
import { sliceLayers } from "../../src/feature/slice/slice-layers.ts";
import { boxSurface } from "../../src/mesh/box-surface.ts";
import {
  amountsOf,
  curedJob,
  curingFigures,
  faceDeviations,
  growingFigures,
  heldScene,
} from "../fixture/print-quality/cured-part.ts";
import type { Compute } from "../../src/worker/compute.ts";
import { newHeldValues } from "../../src/worker/held-values.ts";
import { type CuredShape, flatFace, overhang, within } from "../fixture/print-quality/cured-shapes.ts";
import { ORIGIN, panelSetting } from "../fixture/print-quality/panel-job.ts";
import type { Light } from "../fixture/print-quality/printed-edges.ts";
import { curedColumns } from "../fixture/print-quality/printed-solid.ts";

// `over-cure.long.ts` has the other shapes and panels, and the threads.

const RESIN = { penetrationMm: 0.15, exposureRatio: 2.3 };
const PANEL = { sidePixels: 100, pixelMm: 0.05, layerMm: 0.05 } as const;
const LIGHT: Light = { doseOf: (grey) => grey / 255, blurPx: 0.2 };

async function deviationsOf(shape: CuredShape, overCure: boolean) {
  const job = await curedJob([shape], { ...PANEL, resin: curingFigures(RESIN, overCure) });
  return faceDeviations(shape, job, LIGHT, RESIN, PANEL.pixelMm);
}

test("lower faces are printed five times nearer to their places", async () => {
  for (const shape of [flatFace(1), overhang(75)]) {
    const without = await deviationsOf(shape, false);
    const made = await deviationsOf(shape, true);
    const [before, after] = [amountsOf(without.deviationsMm), amountsOf(made.deviationsMm)];
    const text = `${shape.name}: ${JSON.stringify({ before, after })}`;
    assert.ok(without.lost === 0 && made.lost === 0, text);
    assert.ok(before.meanMm > 0.05 && after.meanMm < before.meanMm / 5 && after.mostMm < before.mostMm / 5, text);
  }
});

test("edges moved against what upright walls grow do not move slopes", async () => {
  const light: Light = { ...LIGHT, blurPx: 0.5 };
  const shape = overhang(45);
  const job = await curedJob([shape], { ...PANEL, resin: growingFigures(RESIN, PANEL, light) });
  const { deviationsMm } = faceDeviations(shape, job, light, RESIN, PANEL.pixelMm);
  // Walls grow by 29 µm here.
  assert.ok(amountsOf(deviationsMm).meanMm < 0.001, `${amountsOf(deviationsMm).meanMm}`);
});

test("supports still hold: the column of a tip is cured without a gap, deep into the part", async () => {
  const heightMm = 2;
  const tip = {
    part: boxSurface({ min: [-1.5, -1.5, heightMm], max: [1.5, 1.5, heightMm + 1] }),
    supports: boxSurface({ min: [-0.15, -0.1, 0], max: [0.15, 0.1, heightMm + 0.05] }),
  };
  const job = await curedJob([tip], { ...PANEL, resin: curingFigures(RESIN, true) });
  const columns = curedColumns(job, LIGHT, RESIN, within(48, 52, 5), within(49, 51, 3));
  for (let i = 0; i < 15; i++) {
    const [[from, to] = []] = columns(i % 5, Math.floor(i / 5));
    assert.ok(from === 0 && (to ?? 0) > heightMm + 0.9, `${from} to ${to} mm`);
  }
});

test("without figures, or switched off, the layers are those of the part", async () => {
  const shape = flatFace(1);
  const plain = await curedJob([shape], { ...PANEL, resin: { correction: [1, 1, 1] } });
  const off = await curedJob([shape], { ...PANEL, resin: curingFigures(RESIN, false) });
  const one = await curedJob([shape], {
    ...PANEL,
    resin: { ...curingFigures(RESIN, true), cure: { penetration_mm: { value: 0.15, ...ORIGIN } } },
  });
  const made = await curedJob([shape], { ...PANEL, resin: curingFigures(RESIN, true) });
  assert.deepEqual(off, plain);
  assert.deepEqual(one, plain);
  assert.notDeepEqual(made, plain);
});

test("layers that wait for others are claimed from the memory budget, up to the end of the job or of its request", async () => {
  const setting = panelSetting({ ...PANEL, format: "goo", extension: ".goo", resin: curingFigures(RESIN, true) });
  for (const isEnded of [true, false]) {
    const budget = newMemoryBudget(2 ** 30);
    let most = 0;
    const context: Compute = {
      held: newHeldValues(budget),
      tasksAtOnce: () => 2,
      compute: async (task, input) => {
        if (task.name === "encodeCured") most = Math.max(most, heldBytes(budget));
        return task.run(input, noProgress);
      },
    };
    for await (const _ of sliceLayers(heldScene([flatFace(2)], setting), context, { format: "goo" }))
      if (!isEnded) break;
    // 24 layers of 60 rows and more.
    assert.ok(most > 24 * 4 * 100, `${most}`);
    // What runs when a request ends goes on.
    for (let turn = 0; turn < 1000 && heldBytes(budget) > 0; turn++) await setImmediate();
    assert.equal(heldBytes(budget), 0);
  }
});
