import assert from "node:assert/strict";
import { test } from "node:test";
import { type GroupCheck, checkGroup } from "../../src/check/check-group.ts";
import {
  CancelledError,
  type TaskState,
  cancelTask,
  newTaskState,
  noProgress,
  readProgress,
  taskProgress,
  throwIfCancelled,
} from "../../src/core/progress.ts";
import { runAtOnce } from "../../src/core/steps.ts";
import { computeOn } from "../../src/api/endpoint.ts";
import { checkDivided } from "../../src/feature/check/check-divided.ts";
import { checkGroups } from "../../src/scene/check-groups.ts";
import type { Pool } from "../../src/worker/pool.ts";
import { newSharedResults } from "../../src/worker/shared-results.ts";
import type { Task } from "../../src/worker/task.ts";
import { checkRequest, modelBody } from "../fixture/check-request.ts";
import { box, lathe } from "../fixture/shapes.ts";
import { meshOf } from "../fixture/slices.ts";
import { moved } from "../fixture/surface-edits.ts";

/** A pool that runs tasks on this thread, and records their names. `onTask` is called before each. */
function inlinePool(onTask: (state: TaskState) => void = () => {}) {
  const names: string[] = [];
  const pool = {
    size: 2,
    async compute(task: Task<unknown, unknown>, input: unknown, state: TaskState) {
      throwIfCancelled(state);
      names.push(task.name);
      onTask(state);
      return task.run(structuredClone(input), taskProgress(state));
    },
    tasksAtOnce: () => 3,
    cancel: () => {},
    close: () => Promise.resolve(),
  } as unknown as Pool;
  return { pool, names };
}

/** A bowl of a radius with a foot, in layers of 0.02 mm. */
function cupsOfBowl(radiusMm: number): GroupCheck {
  const bowl = lathe(
    [
      [0, 2],
      [radiusMm, 2],
      [radiusMm, 6],
      [radiusMm - 1, 6],
      [radiusMm - 1, 3],
      [0, 3],
    ],
    64,
    false,
  );
  const mesh = meshOf(bowl, moved(box([4, 4, 2.5]), [0, 0, 1.25]));
  const [{ centred: group }] = runAtOnce(checkGroups(checkRequest([modelBody(0, mesh)], 0.02), 0.1));
  return { check: "CUPS", group };
}

test("the check of a large group is divided, with the same findings, and requests share it", async () => {
  const { pool, names } = inlinePool();
  const shared = newSharedResults(pool);
  const input = cupsOfBowl(42);
  const item = { key: "bowl", input, effort: 1 };
  const state = newTaskState();
  const asked = [state, newTaskState()].map((one) => shared.compute(checkDivided, [item], one));
  const expected = checkGroup(input, noProgress);
  assert.equal(expected[0].cups, 1);
  assert.deepEqual(await Promise.all(asked), [[expected], [expected]]);
  const count = Math.ceil((input.group.boundariesMm.length - 1) / 24);
  assert.deepEqual(names, ["prepareGroup", ...Array.from({ length: count }, () => "examineChunk"), "concludeGroup"]);
});

test("the check of a small group is one task", async () => {
  const { pool, names } = inlinePool();
  const input = cupsOfBowl(8);
  const state = newTaskState();
  const found = await checkDivided(input, computeOn(pool, state));
  assert.deepEqual(found, checkGroup(input, noProgress));
  assert.deepEqual(names, ["checkGroup"]);
  assert.ok(readProgress(state) > 0);
});

test("the check of a large group that is cancelled begins no more tasks", async () => {
  const { pool, names } = inlinePool((state) => {
    if (names.length === 4) cancelTask(state);
  });
  const checked = checkDivided(cupsOfBowl(42), computeOn(pool, newTaskState()));
  await assert.rejects(checked, CancelledError);
  assert.deepEqual(names, ["prepareGroup", "examineChunk", "examineChunk", "examineChunk"]);
});
