import assert from "node:assert/strict";
import { test } from "node:test";
import { resolveCombination } from "../../src/catalog/resolve.ts";
import { settingFromFps, toFpsDocument } from "../../src/catalog/custom-print-setting.ts";
import { lossesOf } from "../../src/feature/print/job-losses.ts";
import { type JobExposure, NO_STAGES, stagedMotion } from "../../src/job/job-exposure.ts";
import { CARRIED_FACTS, jobLosses } from "../../src/job/losses.ts";
import { CYCLE } from "../fixture/job/some-job.ts";

const plain: JobExposure = {
  firstS: 30,
  normalS: 2,
  firstLayers: 3,
  fadingLayers: 2,
  firstCycle: CYCLE,
  normalCycle: CYCLE,
};
const staged = { ...CYCLE, lift: stagedMotion({ mm: 3, mmPerMin: 60 }, { mm: 4, mmPerMin: 180 }) };

test("a format that carries every fact loses none", () => {
  const exposure = { ...plain, firstCycle: { ...staged, light: 100, waitAfterLiftS: 3 } };
  assert.deepEqual(jobLosses(exposure, CARRIED_FACTS, ".goo"), []);
});

test("a format that carries nothing loses the lifts and the waits, and no stages of lifts that it does not have", () => {
  const losses = jobLosses({ ...plain, normalCycle: staged, firstCycle: staged }, [], ".svgx");
  assert.deepEqual(losses, [
    "Files of type .svgx cannot state lifts and retractions: the machine uses its own values.",
    "Files of type .svgx cannot state a wait between exposure and lift: the machine uses its own values.",
    "Files of type .svgx cannot state a wait before the exposure: the machine uses its own values.",
  ]);
});

test("what an exposure does not need is not lost", () => {
  const tilt = { ...CYCLE, waitBeforeLiftS: 0, waitAfterRetractS: 0, lift: NO_STAGES, retract: NO_STAGES };
  assert.deepEqual(jobLosses({ ...plain, firstCycle: tilt, normalCycle: tilt }, [], ".svgx"), []);
  assert.deepEqual(jobLosses(plain, ["MOTIONS", "WAIT_SUM"], ".ctb"), []);
});

test("a setting of the catalog loses nothing; a wait that the user adds is told", () => {
  const setting = resolveCombination({
    machine_type: "ANYCUBIC-MONO-X-6K",
    material_code: "GENERIC-RESIN",
    layer_thickness_mm: 0.05,
  });
  assert.deepEqual(lossesOf(setting), []);
  const document = structuredClone(toFpsDocument(setting)) as {
    public_fields: { categories: { values: Record<string, unknown> }[] };
  };
  const own = document.public_fields.categories.find(({ values }) => "open_wait_s" in values)!;
  own.values.open_wait_s = 2;
  assert.deepEqual(lossesOf(settingFromFps(document)), [
    "Files of type .pwmb cannot state a wait after the lift: the machine uses its own values.",
  ]);
});

test("values of the user that a format rounds are told, those of the catalog are not", () => {
  const setting = resolveCombination({
    machine_type: "ANYCUBIC-MONO-X-6K",
    material_code: "GENERIC-RESIN",
    layer_thickness_mm: 0.05,
  });
  const printerType = { ...setting.printerType, job: "cxdlp-3", jobExtension: ".cxdlp" } as const;
  assert.deepEqual(lossesOf({ ...setting, printerType }), []);
  const document = structuredClone(toFpsDocument(setting)) as {
    public_fields: { categories: { values: Record<string, unknown> }[] };
  };
  document.public_fields.categories.find(({ values }) => "wait_s" in values)!.values.wait_s = 3.25;
  assert.deepEqual(lossesOf({ ...settingFromFps(document), printerType }), [
    "Files of type .cxdlp state the wait before the exposure rounded: 3.25 s become 3 s.",
  ]);
});
