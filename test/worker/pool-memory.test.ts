import assert from "node:assert/strict";
import process from "node:process";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { longTest } from "../fixture/long.ts";
import { ApiError } from "../../src/core/api-error.ts";
import { heldBytes, newMemoryBudget } from "../../src/core/memory-budget.ts";
import { CancelledError, newTaskState } from "../../src/core/progress.ts";
import { type Pool, newPool } from "../../src/worker/pool.ts";
import { type Act, RELEASED, STARTED } from "../fixture/fake-worker.ts";
import { computeOutlinesTask } from "../../src/feature/placement/task.ts";

const MIB = 2 ** 20;
/** Far more than the changes in memory of the test process and its threads. Claims allocate nothing. */
const ROOM = 8000 * MIB;
const LONGEST_MS = 30_000;

const pools: Pool[] = [];
after(() => Promise.all(pools.map((pool) => pool.close())));

/** A pool whose threads may take `room` bytes together, beyond the present memory of the process. */
function poolWith(room = ROOM, size = 2) {
  const limitBytes = process.memoryUsage.rss() + room;
  const budget = newMemoryBudget(limitBytes);
  const pool = newPool(new URL("../fixture/fake-worker.ts", import.meta.url), { size, budget });
  pools.push(pool);
  return {
    ...pool,
    budget,
    limitBytes,
    act: (act: Act, state = newTaskState()): Promise<unknown> =>
      pool.compute(computeOutlinesTask, act as never, state) as Promise<unknown>,
  };
}

const newCounters = (): Int32Array => new Int32Array(new SharedArrayBuffer(12));
const release = (counters: Int32Array): void => void Atomics.store(counters, RELEASED, 1);
const claim = (bytes: number, counters = newCounters()): Act => ({ act: "claim", bytes, counters });

async function started(counters: Int32Array, count = 1): Promise<void> {
  for (const end = performance.now() + LONGEST_MS; Atomics.load(counters, STARTED) < count; await sleep(2)) {
    assert.ok(performance.now() < end, "never started");
  }
}

const isRefused = (thrown: unknown): boolean => {
  assert.ok(thrown instanceof ApiError, String(thrown));
  assert.equal(thrown.code, "OPERATION_FAILED");
  assert.match(thrown.message, /needs about .* free: act less, or start the server with a greater --max-memory/);
  return true;
};

test("a task whose need is beyond the limit is refused at once, and the next one runs", async () => {
  const pool = poolWith();
  await assert.rejects(pool.act(claim(2 ** 40)), isRefused);
  await pool.act({ act: "answer" });
});

test("a task that would fit alone waits until another gives its memory back", async () => {
  const pool = poolWith();
  const [first, second] = [newCounters(), newCounters()];
  const ends: string[] = [];
  const running = pool.act(claim(0.7 * ROOM, first)).then(() => ends.push("first"));
  await started(first);
  release(second);
  const waiting = pool.act(claim(0.6 * ROOM, second)).then(() => ends.push("second"));
  // A task that fits next to the first one does not wait for the other.
  const small = newCounters();
  release(small);
  await pool.act(claim(0.1 * ROOM, small));
  assert.deepEqual(ends, []);
  assert.equal(Atomics.load(second, STARTED), 0);
  release(first);
  await Promise.all([running, waiting]);
  assert.deepEqual(ends, ["first", "second"]);
});

test("a task that waits for memory ends at once when it is cancelled, and when the pool closes", async () => {
  const pool = poolWith();
  const first = newCounters();
  const running = pool.act(claim(0.7 * ROOM, first));
  await started(first);
  const [cancelled, closed] = [newTaskState(), newTaskState()];
  const waiting = [cancelled, closed].map((state) => pool.act(claim(0.6 * ROOM), state));
  const settled = Promise.allSettled([...waiting, running]);
  // Both tasks have claimed their memory once the second thread has no task.
  await pool.act({ act: "answer" });
  pool.cancel(cancelled);
  await assert.rejects(waiting[0], CancelledError);
  await pool.close();
  for (const result of await settled)
    assert.ok(result.status === "rejected" && result.reason instanceof CancelledError);
});

test("values that are kept for later requests are dropped as soon as a task finds too little memory", async () => {
  const pool = poolWith();
  const tree = { boxes: new Float32Array(5 * MIB) };
  await pool.held.keep("tree", {}, () => Promise.resolve(tree));
  assert.equal(heldBytes(pool.budget), 20 * MIB);
  const first = newCounters();
  const running = pool.act(claim(0.7 * ROOM, first));
  await started(first);
  assert.equal(heldBytes(pool.budget), 20 * MIB);
  const second = newCounters();
  release(second);
  const waiting = pool.act(claim(0.6 * ROOM, second));
  for (const end = performance.now() + LONGEST_MS; heldBytes(pool.budget) > 0; await sleep(2)) {
    assert.ok(performance.now() < end, "never dropped");
  }
  release(first);
  await Promise.all([running, waiting]);
});

longTest("a task is refused after a moment if no task releases memory", async () => {
  const pool = poolWith(ROOM, 1);
  // The task would fit into an empty process, but the test process holds more than this.
  await assert.rejects(pool.act(claim(pool.limitBytes - MIB)), isRefused);
});

test("a task that takes more than the limit without a claim is ended, and the next one runs", async () => {
  const pool = poolWith(300 * MIB);
  const counters = newCounters();
  await assert.rejects(pool.act({ act: "fill", bytes: 600 * MIB, counters }), (thrown: unknown) => {
    assert.ok(thrown instanceof ApiError && thrown.code === "OPERATION_FAILED", String(thrown));
    assert.match(thrown.message, /took more memory than the server's .*greater --max-memory/);
    return true;
  });
  await pool.act({ act: "answer" });
});
