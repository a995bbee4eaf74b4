import assert from "node:assert/strict";
import { test } from "node:test";
import type { ResinProfile } from "../../src/catalog/profile-types.ts";
import { profileOf } from "../../src/catalog/profile.ts";
import { resolveCombination } from "../../src/catalog/resolve.ts";
import { distanceMm } from "../../src/job/job-exposure.ts";
import { jobExposureOf } from "../../src/feature/print/exposure-of-profile.ts";

const saturn = profileOf(
  resolveCombination({ machine_type: "ELEGOO-S3U", material_code: "GENERIC-RESIN", layer_thickness_mm: 0.05 }),
) as ResinProfile;
const boundariesMm = Float64Array.of(0, 0.05, 0.1);

const LIFT = { liftMm: 2, liftMmPerMin: 60, lift2Mm: 4, lift2MmPerMin: 240, retractMmPerMin: 180, retract2Mm: 1.5 };

test("the stages of a lift and of a retraction add up to the same way", () => {
  const staged = { ...saturn, lift: LIFT, timeS: { ...saturn.timeS, separation: 3, travel: 2 } };
  const { normalCycle } = jobExposureOf(staged, boundariesMm);
  assert.deepEqual(normalCycle.lift.stages, [
    { mm: 2, mmPerMin: 60 },
    { mm: 4, mmPerMin: 240 },
  ]);
  assert.deepEqual(normalCycle.retract.stages, [
    { mm: 4.5, mmPerMin: 180 },
    { mm: 1.5, mmPerMin: 180 },
  ]);
  assert.equal(distanceMm(normalCycle.lift), distanceMm(normalCycle.retract));
});

test("a custom time scales the speeds of both stages, and no time gives no endless speed", () => {
  const slow = { ...saturn, lift: LIFT, timeS: { ...saturn.timeS, separation: 6, travel: 0 } };
  const { lift, retract } = jobExposureOf(slow, boundariesMm).normalCycle;
  assert.deepEqual(
    lift.stages.map(({ mmPerMin }) => mmPerMin),
    [30, 120],
  );
  assert.deepEqual(
    retract.stages.map(({ mmPerMin }) => mmPerMin),
    [1200, 1200],
  );
});

test("first layers have their own lifts, waits and light", () => {
  const { firstCycle, normalCycle } = jobExposureOf(
    {
      ...saturn,
      firstLift: { liftMm: 9 },
      firstTimeS: { openWait: 4 },
      lightLevel: { first: 120, normal: 250 },
    },
    boundariesMm,
  );
  assert.deepEqual([firstCycle.lift.stages[0].mm, firstCycle.waitAfterLiftS, firstCycle.light], [9, 4, 120]);
  assert.deepEqual(
    [normalCycle.lift.stages[0].mm, normalCycle.waitAfterLiftS, normalCycle.light],
    [saturn.lift?.liftMm, 0, 250],
  );
});

test("a machine that tilts its vat has no lift", () => {
  const { lift: _, ...tilting } = saturn;
  assert.equal(distanceMm(jobExposureOf(tilting, boundariesMm).normalCycle.lift), 0);
});
