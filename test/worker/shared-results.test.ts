import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import {
  CancelledError,
  cancelTask,
  isCancelled,
  newTaskState,
  readProgress,
  taskProgress,
} from "../../src/core/progress.ts";
import type { Pool } from "../../src/worker/pool.ts";
import { type SharedItem, type SharedWork, newSharedResults } from "../../src/worker/shared-results.ts";
import { checkGroupTask } from "../../src/feature/check/task.ts";
import type { TaskInput, TaskOutput } from "../../src/worker/task.ts";

type Item = SharedItem<TaskInput<typeof checkGroupTask>>;

const THREADS = 3;

/** A pool that records its tasks; each task ends when the test says so. */
function recordingPool() {
  const started: { name: string; state: Int32Array; end: (output: unknown) => void; fail: (error: Error) => void }[] =
    [];
  const pool = {
    size: THREADS,
    compute(_task: unknown, input: unknown, state: Int32Array) {
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      started.push({ name: input as string, state, end: resolve, fail: reject });
      return promise;
    },
    cancel(state: Int32Array) {
      cancelTask(state);
      started.find((task) => task.state === state)?.fail(new CancelledError());
    },
    close: () => Promise.resolve(),
  } as unknown as Pool;
  const names = (): string[] => started.map(({ name }) => name);
  return { pool, started, names };
}

const check: SharedWork<Item["input"], TaskOutput<typeof checkGroupTask>> = (input, { compute }) =>
  compute(checkGroupTask, input);
const item = (name: string, effort = 1): Item => ({ key: name, input: name as unknown as Item["input"], effort });
const A_TURN_MS = 120;

test("equal contents are computed once, at the same time and later; the longest begin first", async () => {
  const { pool, started, names } = recordingPool();
  const shared = newSharedResults(pool);
  const ask = (...items: Item[]) => shared.compute(check, items, newTaskState());
  const first = ask(item("short"), item("long", 5), item("short"));
  const second = ask(item("long", 5));
  assert.deepEqual(names(), ["long", "short"]);
  started[0].end([{ cups: 2 }]);
  started[1].end([{ cups: 1 }]);
  assert.deepEqual(await first, [[{ cups: 1 }], [{ cups: 2 }], [{ cups: 1 }]]);
  assert.deepEqual(await second, [[{ cups: 2 }]]);
  assert.deepEqual(await ask(item("long", 5)), [[{ cups: 2 }]]);
  assert.equal(started.length, 2);
});

test("a cancelled request leaves a task to the others that wait for it; the last one ends it", async () => {
  const { pool, started } = recordingPool();
  const shared = newSharedResults(pool);
  const [one, other] = [newTaskState(), newTaskState()];
  const first = shared.compute(check, [item("a"), item("b")], one);
  const second = shared.compute(check, [item("a")], other);
  cancelTask(one);
  await assert.rejects(first, CancelledError);
  assert.deepEqual(
    started.map(({ state }) => isCancelled(state)),
    [false, true],
  );
  cancelTask(other);
  await assert.rejects(second, CancelledError);
  assert.deepEqual(
    started.map(({ state }) => isCancelled(state)),
    [true, true],
  );
  const again = shared.compute(check, [item("a")], newTaskState());
  assert.equal(started.length, 3);
  started[2].end([]);
  assert.deepEqual(await again, [[]]);
});

test("an error reaches all waiting requests and is not cached", async () => {
  const { pool, started } = recordingPool();
  const shared = newSharedResults(pool);
  const ask = () => shared.compute(check, [item("a"), item("b")], newTaskState());
  const asked = [ask(), ask()];
  started[0].fail(new Error("too large"));
  for (const one of asked) await assert.rejects(one, /too large/);
  assert.equal(isCancelled(started[1].state), true);
  const again = ask();
  for (const task of started.slice(2)) task.end([]);
  assert.deepEqual(await again, [[], []]);
});

test("each request has the progress of its tasks, weighted by effort", async () => {
  const { pool, started } = recordingPool();
  const shared = newSharedResults(pool);
  const [one, other] = [newTaskState(), newTaskState()];
  const first = shared.compute(check, [item("a", 3), item("b")], one);
  const second = shared.compute(check, [item("b")], other);
  taskProgress(started[0].state).report(0.5);
  taskProgress(started[1].state).report(0.2);
  await sleep(A_TURN_MS);
  assert.ok(Math.abs(readProgress(one) - (3 * 0.5 + 0.2) / 4) < 1e-5, `${readProgress(one)}`);
  assert.ok(Math.abs(readProgress(other) - 0.2) < 1e-5, `${readProgress(other)}`);
  for (const task of started) task.end([]);
  await Promise.all([first, second]);
});

test("a result is cached once if a cancelled task ends normally while the next task computes it", async () => {
  const { pool, started, names } = recordingPool();
  // Cancelling comes too late: the task has sent its result.
  const shared = newSharedResults({ ...pool, cancel: cancelTask } as Pool, 200);
  const [state, other] = [newTaskState(), newTaskState()];
  const first = shared.compute(check, [item("a")], state);
  cancelTask(state);
  await assert.rejects(first, CancelledError);
  const second = shared.compute(check, [item("a")], other);
  for (const { end } of started) end([{ cups: 1, minima: 2, overhangs: 3 }]);
  await second;
  const third = shared.compute(check, [item("b")], newTaskState());
  started[2].end([{ cups: 1, minima: 2, overhangs: 3 }]);
  await third;
  // There is room for two results.
  await shared.compute(check, [item("a"), item("b")], newTaskState());
  assert.deepEqual(names(), ["a", "a", "b"]);
});

test("only as many tasks wait in the pool as are needed to keep its threads busy", async () => {
  const { pool, started } = recordingPool();
  const shared = newSharedResults(pool);
  const state = newTaskState();
  const items = Array.from({ length: 300 }, (_, i) => item(`${i}`));
  const all = shared.compute(check, items, state);
  let most = 0;
  for (let ended = 0; ended < items.length; ended++) {
    most = Math.max(most, started.length - ended);
    started[ended].end(ended);
    // The next one starts when the request has seen the result.
    for (let turn = 0; turn < 5; turn++) await Promise.resolve();
  }
  assert.deepEqual(await all, items.keys().toArray());
  assert.ok(most <= 2 * THREADS, `${most}`);
});

test("a cancelled request starts no more tasks", async () => {
  const { pool, started } = recordingPool();
  const state = newTaskState();
  const items = Array.from({ length: 100 }, (_, i) => item(`${i}`));
  const all = newSharedResults(pool).compute(check, items, state);
  const begun = started.length;
  cancelTask(state);
  await assert.rejects(all, CancelledError);
  await sleep(0);
  assert.deepEqual([started.length, started.every((task) => isCancelled(task.state))], [begun, true]);
});

test("the least recently used results are dropped if the cache exceeds its size", async () => {
  const { pool, started, names } = recordingPool();
  const shared = newSharedResults(pool, 200);
  const ask = async (name: string) => {
    const asked = shared.compute(check, [item(name)], newTaskState());
    started.at(-1)?.end([{ cups: 1, minima: 2, overhangs: 3 }]);
    await asked;
  };
  // Each result takes about 80 bytes.
  for (const name of ["a", "b", "a", "c", "a", "b"]) await ask(name);
  assert.deepEqual(names(), ["a", "b", "c", "b"]);
});
