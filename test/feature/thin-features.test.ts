import assert from "node:assert/strict";
import { test } from "node:test";
import { CancelledError } from "../../src/core/progress.ts";
import { findThinFeatures } from "../../src/feature/check/thin-features.ts";
import { heldBytes, newMemoryBudget } from "../../src/core/memory-budget.ts";
import { newHeldValues } from "../../src/worker/held-values.ts";
import type { Compute } from "../../src/worker/compute.ts";

const MIB = 2 ** 20;

/** A plan as large as that of a part of 130,000 facets; its slabs are not searched. */
const plan = {
  surface: { triangles: new Uint32Array(new SharedArrayBuffer(MIB)) },
  slabs: [{ work: 1 }, { work: 2 }, { work: 3 }],
};
const request = { input: {}, index: 0, count: 1 } as unknown as Parameters<typeof findThinFeatures>[0];

/** Runs a search whose tasks do nothing but `onSlab`. Returns the held bytes when each task began. */
async function heldDuring(onSlab: (slab: number) => void) {
  const budget = newMemoryBudget(1024 * MIB);
  const seen: [task: string, mib: number][] = [];
  let slabs = 0;
  const context = {
    async compute({ name }: { readonly name: string }) {
      seen.push([name, heldBytes(budget) / MIB]);
      if (name === "searchThinSlab") onSlab(slabs++);
      return name === "beginThinFeatures" ? plan : { regions: [] };
    },
    tasksAtOnce: () => 1,
    held: newHeldValues(budget),
  } as unknown as Compute;
  const ended = await findThinFeatures(request, context).catch((thrown: unknown) => thrown);
  return { seen, ended, left: heldBytes(budget) };
}

test("the plan of thin walls counts as claimed from its task to the last task of the search", async () => {
  const { seen, left } = await heldDuring(() => {});
  assert.deepEqual(seen, [
    ["beginThinFeatures", 0],
    ["searchThinSlab", 1],
    ["searchThinSlab", 1],
    ["searchThinSlab", 1],
    ["finishThinFeatures", 1],
  ]);
  assert.equal(left, 0);
});

test("the claim of a plan ends when a slab fails, and when the request is cancelled", async () => {
  for (const reason of [new Error("broken"), new CancelledError()]) {
    const { seen, ended, left } = await heldDuring((slab) => {
      if (slab === 1) throw reason;
    });
    assert.equal(ended, reason);
    assert.deepEqual(seen.at(-1), ["searchThinSlab", 1]);
    assert.equal(left, 0);
  }
});
