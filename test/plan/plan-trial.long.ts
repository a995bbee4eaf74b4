import assert from "node:assert/strict";
import { test } from "node:test";
import { runPlanTrial } from "../fixture/plan-trial.ts";

// A short form of `bun run test:plan`.
test("every plate of a plan of 500 arches opens without interferences", async () => {
  const { plates, leastPlates, groupsOn, interferences, outside } = await runPlanTrial(500, () => {});
  assert.deepEqual([interferences, outside], [0, 0]);
  assert.equal(groupsOn.length, 2);
  // 20 when this was written; after a change of the search it may be one more.
  assert.ok(plates >= leastPlates && plates <= 21, `${plates} plates`);
});
