import assert from "node:assert/strict";
import { test } from "node:test";
import type { Compute } from "../../src/worker/compute.ts";
import { noProgress } from "../../src/core/progress.ts";
import { orientOnThreads } from "../../src/feature/orient/orient-on-threads.ts";
import { type OrientRequest, orientModel } from "../../src/orient/orient-model.ts";
import { beginOrientation } from "../../src/orient/shared-search.ts";
import type { Task } from "../../src/worker/task.ts";
import { BRACKET, MUG, POWDER, corpusMesh, orientRequest } from "../fixture/orienting.ts";
import { box } from "../fixture/shapes.ts";
import { meshOf } from "../fixture/slices.ts";
import { longTest } from "../fixture/long.ts";

/** Orients a model in tasks, even a small one; later tasks of a batch end first. */
async function inTasks(request: OrientRequest, minSurfels = 0): Promise<{ oriented: unknown; ran: Set<string> }> {
  const ran = new Set<string>();
  const compute = (async (task: Task<never, unknown>, item: { input: OrientRequest }) => {
    ran.add(task.name);
    if (task.name === "beginOrientation") return beginOrientation(item.input, noProgress, minSurfels);
    if (task.name === "refineStart" || task.name === "roughCosts") {
      // The task that was asked for last runs first.
      const turn = waiting.push(() => {}) - 1;
      await new Promise<void>((resolve) => {
        waiting[turn] = resolve;
        setImmediate(() => waiting.pop()?.());
      });
    }
    return task.run(item as never, noProgress);
  }) as Compute["compute"];
  const waiting: (() => void)[] = [];
  const context = { compute, tasksAtOnce: () => 3 };
  return { oriented: await orientOnThreads({ input: request, index: 0, count: 1 }, context, 0), ran };
}

const STEPS = ["beginOrientation", "fineSurfels", "roughCosts", "selectStarts", "refineStart", "orientModel"];

longTest("a model whose search threads share has the orientation that one thread finds", async () => {
  const part = await corpusMesh("thingi-65004.stl");
  const requests = [
    orientRequest(meshOf(MUG)),
    orientRequest(meshOf(BRACKET), POWDER),
    orientRequest(part, { scale: 1.3 }),
    // Too large for the volume above supports, and for any.
    orientRequest(meshOf(box([8, 8, 209]))),
    orientRequest(meshOf(box([300, 300, 300]))),
  ];
  for (const request of requests) {
    const { oriented, ran } = await inTasks(request);
    assert.deepEqual(oriented, orientModel(request, noProgress));
    assert.deepEqual([...ran].sort(), STEPS.toSorted());
  }
});

test("few surfels, a lock and a dental arch are the work of one task", async () => {
  const bracket = meshOf(BRACKET);
  const few = await inTasks(orientRequest(bracket), 20_000);
  assert.deepEqual(few.oriented, orientModel(orientRequest(bracket), noProgress));
  assert.deepEqual([...few.ran], ["beginOrientation"]);
  for (const changes of [{ lock: "LOCKED_XY_FLIP_ENABLED" }, { dentalTiltDeg: 5 }] as const) {
    const request = orientRequest(bracket, changes);
    const { oriented, ran } = await inTasks(request);
    assert.deepEqual(oriented, orientModel(request, noProgress));
    assert.deepEqual([...ran], ["orientModel"]);
  }
});
