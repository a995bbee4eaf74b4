import assert from "node:assert/strict";
import { test } from "node:test";
import { newMemoryBudget } from "../../src/core/memory-budget.ts";
import { add } from "../../src/geometry/vector.ts";
import { newTaskState, noProgress, taskProgress } from "../../src/core/progress.ts";
import { draftOfPoints, routedOfPoints } from "../../src/feature/support-preview/draft-of-points.ts";
import type { DraftPoint } from "../../src/support/draft/local-forest.ts";
import { automaticPoint } from "../../src/support/points/touchpoint.ts";
import { toModel } from "../../src/support/points/touchpoint-space.ts";
import { draftLoads } from "../../src/support/draft/draft-part.ts";
import { supportModel } from "../../src/support/support-model.ts";
import { keptLoads } from "../../src/feature/support/kept-part.ts";
import { lifted } from "../../src/support/lifted.ts";
import type { Compute } from "../../src/worker/compute.ts";
import { newHeldValues } from "../../src/worker/held-values.ts";
import type { Task } from "../../src/worker/task.ts";
import { listOf, requestFor, strutsOf } from "../fixture/draft-of.ts";
import { latticeTouchpoints } from "../fixture/lattice-touchpoints.ts";
import { randomFrom } from "../fixture/random.ts";
import { box } from "../fixture/shapes.ts";
import { meshOf } from "../fixture/stage.ts";
import { SETTINGS } from "../support/settings.ts";

/** A plate and points below it, drafted on this thread; `ran`: the tasks so far. */
function bench(budgetBytes = 2 ** 40) {
  const request = requestFor(meshOf(box([40, 30, 3])), SETTINGS);
  const ran: string[] = [];
  const compute = <Input, Output>({ name, run }: Task<Input, Output>, input: Input): Promise<Output> => {
    ran.push(name);
    return Promise.resolve(run(input, taskProgress(newTaskState())));
  };
  const context: Compute = { compute, tasksAtOnce: () => 1, held: newHeldValues(newMemoryBudget(budgetBytes)) };
  const draftOf = async (points: readonly DraftPoint[]): Promise<readonly string[]> => {
    const draft = await draftOfPoints(request, listOf(points, lifted(request).pose.position, 1), context);
    return [...strutsOf(draft), ...[...draft.ids].map(String)];
  };
  const points: DraftPoint[] = latticeTouchpoints(lifted(request), 4, SETTINGS.touchpointSizeMm);
  return { request, points, ran, context, draftOf };
}

test("edits that are taken back give the trees before, without being made again", async () => {
  const { points, ran, draftOf } = bench();
  const random = randomFrom(11);
  const states = [points];
  for (let edit = 0; edit < 12; edit++) {
    const last = states.at(-1)!;
    states.push(last.toSpliced(Math.floor(random() * last.length), 1));
  }
  const there: (readonly string[])[] = [];
  for (const state of states) there.push(await draftOf(state));
  assert.equal(ran.filter((name) => name === "draftSupports").length, states.length);
  for (const [i, state] of states.entries().toArray().toReversed()) assert.deepEqual(await draftOf(state), there[i]);
  assert.equal(ran.filter((name) => name === "draftSupports").length, states.length);
  assert.equal(new Set(there.map((struts) => struts.join())).size, states.length);
});

test("supports that were built leave the loads of the layers, which are those of a draft", async () => {
  const { request, points, ran, context, draftOf } = bench();
  const touchpoints = [automaticPoint({ position: [0, 0, -1.5], normal: [0, 0, -1] }, "OVERHANG", 0.5)];
  const { loads } = await supportModel({ ...request, touchpoints }, noProgress);
  assert.deepEqual(loads, draftLoads(request, noProgress));
  await keptLoads(request, context, async () => ({ loads: loads! }));
  await draftOf(points);
  assert.deepEqual(ran, ["draftObstacles", "draftSupports"]);
});

test("the part is prepared once for all edits, and each time where there is no memory to keep it", async () => {
  const { points, ran, draftOf } = bench();
  for (const count of [0, 1, 2]) await draftOf(points.slice(count));
  assert.deepEqual(ran.toSorted(), ["draftLoads", "draftObstacles", ...Array(3).fill("draftSupports")]);
  const poor = bench(2 ** 20);
  const draft = await poor.draftOf(points);
  assert.deepEqual(await poor.draftOf(points), draft);
  assert.equal(poor.ran.filter((name) => name === "draftObstacles").length, 2);
});

test("what is known of supports without their solid takes what drafts need, and prepares the next draft", async () => {
  const { request, points, ran, context, draftOf } = bench();
  const touchpoints = points.map((point) =>
    toModel(automaticPoint({ ...point, position: [...point.position] }, "OVERHANG", 0.5), lifted(request)),
  );
  const volume = { dimensionsMm: [200, 125, 210] as const, filletRadiusMm: 0 };
  const { position } = lifted(request).pose;
  const routed = await routedOfPoints({ request, touchpoints, position, volume }, context);
  const { supports } = await supportModel({ ...request, touchpoints }, noProgress);
  assert.deepEqual(routed?.trees, supports?.routed.trees);
  await draftOf(points);
  assert.deepEqual(ran.toSorted(), ["draftLoads", "draftObstacles", "draftSupports", "routedPoints"]);
  const higher = { request, touchpoints, position: add(position, [0, 0, 1]), volume };
  assert.equal(await routedOfPoints(higher, context), undefined);
});
