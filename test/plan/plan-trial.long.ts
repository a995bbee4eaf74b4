import assert from "node:assert/strict";
import { test } from "node:test";
import { runPlanTrial } from "../fixture/plan-trial.ts";

// A short form of `bun run test:plan`.
test("every plate of a plan of 500 arches opens without interferences", async () => {
  const { plates, leastPlates, groupsOn, interferences, outside } = await runPlanTrial(500, () => {});
  assert.deepEqual([interferences, outside], [0, 0]);
  assert.equal(groupsOn.length, 2);
  // The plan of 26 November 2026 has 20; another kernel may need one more.
  assert.ok(plates >= leastPlates && plates <= 21, `${plates} plates`);
});
