import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { ApiError, type ErrorCode } from "../../src/core/api-error.ts";
import {
  CancelledError,
  type TaskState,
  cancelTask,
  newTaskState,
  noProgress,
  readProgress,
} from "../../src/core/progress.ts";
import { canonicalMesh } from "../../src/mesh/canonical-mesh.ts";
import type { Mesh } from "../../src/mesh/mesh.ts";
import { importFile as importHere } from "../../src/feature/import/import-file.ts";
import type { ImportRequest } from "../../src/feature/import/stored-file.ts";
import { type Pool, type PoolOptions, newPool } from "../../src/worker/pool.ts";
import { bumpySphere } from "../bench/models.ts";
import { longTest } from "../fixture/long.ts";
import { type Act, RELEASED, STARTED, TICKS } from "../fixture/fake-worker.ts";
import { PROJECT, someModel } from "../fixture/form-project.ts";
import { READ_OPTIONS } from "../fixture/read-model.ts";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";
import { importFileTask } from "../../src/feature/import/task.ts";
import { computeOutlinesTask, rescaleMeshesTask } from "../../src/feature/placement/task.ts";
import { openFpsTask } from "../../src/feature/print-settings/task.ts";
import { saveFormTask } from "../../src/feature/projects/task.ts";

const file = temporaryFiles();
const LONGEST_MS = 30_000;

const pools: Pool[] = [];
after(() => Promise.all(pools.map((pool) => pool.close())));

function opened(worker: string, options: PoolOptions): Pool {
  const pool = newPool(new URL(`../../${worker}`, import.meta.url), options);
  pools.push(pool);
  return pool;
}
const realPool = (size = 2): Pool => opened("src/worker.ts", { size });

/** A pool whose tasks are acts of the fake worker. */
function fakePool(size = 1, options: PoolOptions = {}) {
  const pool = opened("test/fixture/fake-worker.ts", { size, spare: 0, ...options });
  return {
    ...pool,
    act: (act: Act, state = newTaskState(), owner = "one"): Promise<{ thread: number; mesh: Mesh }> =>
      pool.compute(computeOutlinesTask, act as never, state, owner) as Promise<never>,
  };
}

const newCounters = (): Int32Array => new Int32Array(new SharedArrayBuffer(12));
const release = (counters: Int32Array): void => {
  Atomics.store(counters, RELEASED, 1);
};

async function until(holds: () => boolean, what: string): Promise<void> {
  for (const end = performance.now() + LONGEST_MS; !holds(); await sleep(2)) {
    if (performance.now() > end) assert.fail(`never ${what}`);
  }
}
const started = (counters: Int32Array, jobs: number): Promise<void> =>
  until(() => Atomics.load(counters, STARTED) >= jobs, `${jobs} jobs started`);

const isFault =
  (code: ErrorCode, message: RegExp) =>
  (thrown: unknown): boolean => {
    assert.ok(thrown instanceof ApiError, String(thrown));
    assert.equal(thrown.code, code);
    assert.match(thrown.message, message);
    return true;
  };

const importing = (path: string): ImportRequest => ({
  file: path,
  repairBehavior: "ERROR",
  split: false,
  options: READ_OPTIONS,
});
const SMALL = file("small.stl", binaryStl(box([1, 2, 3])));
const LARGE = file("large.stl", binaryStl(bumpySphere(200_000)));

test("compute returns the output of the task", async () => {
  const here = await importHere(importing(SMALL), noProgress);
  assert.deepEqual(await realPool().compute(importFileTask, importing(SMALL), newTaskState()), here);
});

test("many tasks on few threads get their own results", async () => {
  const pool = realPool();
  const files = Array.from({ length: 40 }, (_, i) => file(`box-${i}.stl`, binaryStl(box([1, 1, 1 + i]))));
  const results = await Promise.all(files.map((path) => pool.compute(importFileTask, importing(path), newTaskState())));
  results.forEach(({ parts: [{ mesh }] }, i) => assert.equal(Math.round(mesh.volumeMm3 * 1e6), 1e6 * (1 + i)));
});

test("an error keeps its code and message across threads", async () => {
  const pool = realPool(1);
  const missing = importing(join(tmpdir(), "missing.stl"));
  const here = await importHere(missing, noProgress).catch((thrown: ApiError) => thrown);
  assert.ok(here instanceof ApiError);
  const there = await pool.compute(importFileTask, missing, newTaskState()).catch((thrown: ApiError) => thrown);
  assert.ok(there instanceof ApiError);
  assert.deepEqual([there.code, there.message], [here.code, here.message]);
  const noFps = pool.compute(openFpsTask, SMALL, newTaskState());
  await assert.rejects(noFps, isFault("INPUT_ERROR", /small\.stl/));
});

test("an unexpected error of a task is UNKNOWN_FAILURE, and the next task runs", async () => {
  const pool = realPool(1);
  const wrong = pool.compute(computeOutlinesTask, [undefined] as never, newTaskState());
  await assert.rejects(wrong, isFault("UNKNOWN_FAILURE", /unexpected failure: ./));
  assert.equal((await pool.compute(importFileTask, importing(SMALL), newTaskState())).parts.length, 1);
});

test("a task too large for memory is OPERATION_FAILED, and the next task runs", async () => {
  const pool = realPool(1);
  const endless = { vertices: { length: 3e15 }, triangles: [], box: { min: [0, 0, 0], max: [0, 0, 0] } };
  const orientation = { x: 0, y: 0, z: 0 };
  const huge = pool.compute(computeOutlinesTask, [{ mesh: endless as never, orientation }], newTaskState());
  await assert.rejects(huge, isFault("OPERATION_FAILED", /too large for the server's memory/));
  assert.equal((await pool.compute(importFileTask, importing(SMALL), newTaskState())).parts.length, 1);
});

test("a running task whose kernel polls ends when it is cancelled", async () => {
  const pool = realPool(1);
  const state = newTaskState();
  const job = pool.compute(importFileTask, importing(LARGE), state).catch((thrown: unknown) => thrown);
  await until(() => readProgress(state) > 0.1, "under way");
  pool.cancel(state);
  assert.ok((await job) instanceof CancelledError);
  assert.ok(readProgress(state) < 1);
});

longTest("the thread of a cancelled task that polls is kept, also after the grace period", async () => {
  const pool = fakePool(1, { cancelGraceMs: 700 });
  const { thread } = await pool.act({ act: "answer" });
  const state = newTaskState();
  const first = newCounters();
  const cancelled = assert.rejects(pool.act({ act: "wait", counters: first }, state), CancelledError);
  await started(first, 1);
  pool.cancel(state);
  await cancelled;
  const second = newCounters();
  const next = pool.act({ act: "wait", counters: second });
  await started(second, 1);
  await sleep(900);
  release(second);
  assert.equal((await next).thread, thread);
});

test("a running task that never polls is ended with its thread, and the next task runs", async () => {
  const pool = fakePool(1, { cancelGraceMs: 100 });
  const counters = newCounters();
  const { thread } = await pool.act({ act: "answer" });
  const state = newTaskState();
  const job = assert.rejects(pool.act({ act: "spin", counters }, state), CancelledError);
  const next = pool.act({ act: "answer" });
  await started(counters, 1);
  pool.cancel(state);
  await job;
  assert.notEqual((await next).thread, thread);
});

test("a cancelled task that waits ends at once; tasks before and after it do not", async () => {
  const pool = fakePool();
  const counters = newCounters();
  const states = [newTaskState(), newTaskState(), newTaskState()];
  const [running, waiting, behind] = states.map((state) => pool.act({ act: "wait", counters }, state));
  const cancelled = assert.rejects(waiting, CancelledError);
  await started(counters, 1);
  pool.cancel(states[1]);
  await cancelled;
  assert.equal(Atomics.load(counters, RELEASED), 0);
  release(counters);
  assert.equal((await running).thread, (await behind).thread);
  assert.equal(Atomics.load(counters, STARTED), 2);
});

test("cancel ends every task of its request, running and waiting, and no other", async () => {
  const pool = fakePool(2);
  const counters = newCounters();
  const [given, kept] = [newTaskState(), newTaskState()];
  const all = [kept, given, given, given].map((state) => pool.act({ act: "wait", counters }, state));
  const ended = Promise.all(all.slice(1).map((job) => assert.rejects(job, CancelledError)));
  await started(counters, 2);
  pool.cancel(given);
  await ended;
  release(counters);
  await all[0];
});

test("a task of a request that is already cancelled does not run", async () => {
  const state = newTaskState();
  cancelTask(state);
  await assert.rejects(realPool(1).compute(importFileTask, importing(SMALL), state), CancelledError);
});

test("progress is visible while the thread works, and never decreases", async () => {
  const pool = realPool(1);
  const state = newTaskState();
  const seen = [readProgress(state)];
  const looking = setInterval(() => seen.push(readProgress(state)), 1);
  await pool.compute(importFileTask, importing(LARGE), state).finally(() => clearInterval(looking));
  for (let i = 1; i < seen.length; i++) assert.ok(seen[i] >= seen[i - 1] && seen[i] <= 1, `${seen}`);
  assert.equal(seen[0], 0);
  assert.ok(new Set(seen).size >= 4, `${[...new Set(seen)]}`);
});

const BREAKS: readonly (readonly [what: string, act: Act, message: RegExp])[] = [
  ["exits with an error", { act: "exit", code: 3 }, /worker thread \(.*\): use smaller or simpler models/],
  ["exits without an error", { act: "exit", code: 0 }, /worker thread \(.*\): use smaller or simpler models/],
  ["throws outside its task", { act: "throw", message: "out of order" }, /worker thread \(.*out of order/],
];

for (const [what, act, message] of BREAKS) {
  test(`a thread that ${what} fails only its task and is replaced`, async () => {
    const pool = fakePool();
    const { thread } = await pool.act({ act: "answer" });
    const broken = assert.rejects(pool.act(act), isFault("OPERATION_FAILED", message));
    const [next, last] = await Promise.all([pool.act({ act: "answer" }), pool.act({ act: "answer" }), broken]);
    assert.notEqual(next.thread, thread);
    assert.equal(last.thread, next.thread);
  });
}

test("a thread whose memory may be corrupt is replaced after an error, other threads are not", async () => {
  const pool = fakePool();
  const { thread } = await pool.act({ act: "answer" });
  await assert.rejects(pool.act({ act: "fail", corrupt: false }), isFault("NOT_FOUND", /^nothing there$/));
  assert.equal((await pool.act({ act: "answer" })).thread, thread);
  await assert.rejects(pool.act({ act: "fail", corrupt: true }), isFault("NOT_FOUND", /^nothing there$/));
  assert.notEqual((await pool.act({ act: "answer" })).thread, thread);
});

test("the pool runs as many tasks at once as it has threads", async () => {
  const pool = fakePool(3);
  const counters = newCounters();
  const jobs = Array.from({ length: 9 }, () => pool.act({ act: "wait", counters }));
  await started(counters, 3);
  await sleep(100);
  assert.equal(Atomics.load(counters, STARTED), 3);
  release(counters);
  const threads = new Set((await Promise.all(jobs)).map(({ thread }) => thread));
  assert.ok(threads.size <= 3, `${threads.size} threads`);
});

test("waiting tasks run in order", async () => {
  const pool = fakePool();
  const order: number[] = [];
  const jobs = Array.from({ length: 10 }, (_, i) => pool.act({ act: "answer" }).then(() => order.push(i)));
  await Promise.all(jobs);
  assert.deepEqual(order, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

test("a mesh that is sent to a thread and back keeps its memory", async () => {
  const pool = fakePool();
  const mesh = canonicalMesh(box([1, 2, 3]), 1, noProgress);
  const { mesh: back } = await pool.act({ act: "write", mesh, value: 12.5 });
  assert.equal(mesh.vertices[0], 12.5, "the thread wrote here");
  mesh.vertices[0] = -3;
  mesh.triangles[0] = 7;
  assert.deepEqual([back.vertices[0], back.triangles[0]], [-3, 7], "what came back is what was sent");
});

test("meshes that tasks return are in shared memory", async () => {
  const pool = realPool(1);
  const { parts } = await pool.compute(importFileTask, importing(SMALL), newTaskState());
  const mesh = parts[0].mesh;
  const [same, grown] = await pool.compute(
    rescaleMeshesTask,
    [
      { mesh, factor: 1 },
      { mesh, factor: 2 },
    ],
    newTaskState(),
  );
  for (const { vertices, triangles } of [mesh, same, grown]) {
    for (const array of [vertices, triangles]) assert.ok(array.buffer instanceof SharedArrayBuffer);
  }
  mesh.vertices[0] = 99;
  assert.equal(same.vertices[0], 99);
  assert.notEqual(grown.vertices[0], 99);
});

longTest("an idle thread is ended while others work, and later tasks get a new one", async () => {
  const pool = fakePool(2, { idleMs: 500, kept: { threads: 0, ms: 0, maxBytes: 0 } });
  const [first, second] = [newCounters(), newCounters()];
  const ticking = await Promise.all([first, second].map((counters) => pool.act({ act: "tick", counters })));
  const [busy, idle] = ticking.map(({ thread }) => thread);
  assert.notEqual(idle, busy);
  const ended = stopped(second);
  while (!(await Promise.race([ended.then(() => true), sleep(20)]))) {
    assert.equal((await pool.act({ act: "answer" })).thread, busy);
  }
  const later = await Promise.all([1, 2].map(() => pool.act({ act: "answer" })));
  assert.equal(later[0].thread, busy);
  assert.ok(![busy, idle].includes(later[1].thread));
});

longTest("few idle threads stay longer than the others", async () => {
  const pool = fakePool(2, { idleMs: 100, kept: { threads: 1, ms: LONGEST_MS, maxBytes: Infinity } });
  const counters = [newCounters(), newCounters()];
  const ticking = await Promise.all(counters.map((each) => pool.act({ act: "tick", counters: each })));
  await Promise.race(counters.map(stopped));
  const later = await Promise.all([1, 2].map(() => pool.act({ act: "answer" })));
  const early = new Set(ticking.map(({ thread }) => thread));
  assert.deepEqual(
    later.map(({ thread }) => early.has(thread)),
    [true, false],
  );
});

test("a task goes to an idle thread that has run its kind before", async () => {
  const pool = fakePool(2);
  const [first, second] = await Promise.all([1, 2].map(() => pool.act({ act: "answer" })));
  const other = { ...computeOutlinesTask, name: "another" };
  const run = async (task: typeof other): Promise<number> =>
    ((await pool.compute(task, { act: "answer" } as never, newTaskState())) as never as { thread: number }).thread;
  assert.equal(await run(other), first.thread);
  // Both are idle now; only the first one has run the other task.
  const threads = await Promise.all([run(computeOutlinesTask), run(other)]);
  assert.deepEqual(threads, [first.thread, second.thread]);
  assert.equal(await run(other), first.thread);
});

test("divided work gets the threads that are worth their start, and all threads that have run its task before", async () => {
  const pool = fakePool(4);
  const atOnce = (workMs: number): number => pool.tasksAtOnce(computeOutlinesTask, workMs);
  // Five tasks for four threads: one waits while the others run.
  assert.deepEqual([0, 499, 501, 1400, 1600, 1e6, Infinity].map(atOnce), [1, 1, 2, 3, 5, 5, 5]);
  await Promise.all([1, 2, 3].map(() => pool.act({ act: "answer" })));
  assert.deepEqual([0, 501, 1600].map(atOnce), [3, 3, 5]);
  assert.equal(pool.tasksAtOnce({ ...computeOutlinesTask, name: "another" }, 0), 1);
});

test("two works of one owner do not count the threads of each other as theirs", async () => {
  const pool = fakePool(8);
  const counters = newCounters();
  const jobs = [1, 2, 3].map(() => pool.act({ act: "wait", counters }, newTaskState(), "a"));
  await started(counters, 3);
  const atOnce = (running: number): number => pool.tasksAtOnce(computeOutlinesTask, 600, "a", running);
  assert.deepEqual([0, 1, 3].map(atOnce), [2, 2, 3]);
  release(counters);
  await Promise.all(jobs);
  // Now they are idle, so they cost nothing.
  assert.deepEqual([0, 1, 3].map(atOnce), [3, 4, 6]);
});

test("divided work leaves an equal share of the threads to each other owner that has so many tasks", async () => {
  const pool = fakePool(4);
  const counters = newCounters();
  const atOnce = (owner: string): number => pool.tasksAtOnce(computeOutlinesTask, Infinity, owner);
  const jobs = ["a", "b", "b", "b", "b", "b"].map((owner) =>
    pool.act({ act: "wait", counters }, newTaskState(), owner),
  );
  await started(counters, 4);
  assert.deepEqual(["a", "b", "c"].map(atOnce), [2, 3, 2]);
  release(counters);
  await Promise.all(jobs);
  assert.deepEqual(["a", "b", "c"].map(atOnce), [5, 5, 5]);
});

/** Waits until no thread has ticked for a while. */
async function stopped(counters: Int32Array): Promise<void> {
  let seen = -1;
  const end = performance.now() + LONGEST_MS;
  while (seen !== (seen = Atomics.load(counters, TICKS))) {
    if (performance.now() > end) assert.fail("a thread lives on");
    await sleep(500);
  }
}

longTest("close cancels running and waiting tasks, and ends every thread", async () => {
  const pool = fakePool(2);
  const counters = newCounters();
  await Promise.all([1, 2].map(() => pool.act({ act: "tick", counters })));
  const acts: Act[] = [{ act: "spin", counters }, { act: "wait", counters }, { act: "answer" }, { act: "answer" }];
  const jobs = acts.map((act) => assert.rejects(pool.act(act), CancelledError));
  await started(counters, 2);
  await pool.close();
  await Promise.all(jobs);
  await stopped(counters);
});

test("close lets a running save remove its temporary file", async () => {
  const pool = realPool(1);
  const folder = mkdtempSync(join(tmpdir(), "pool-"));
  const mesh = canonicalMesh(bumpySphere(20_000), 1, noProgress);
  const models = Array.from({ length: 400 }, (_, i) => someModel({ mesh: variantOf(mesh, i) }));
  const document = { ...PROJECT, scenes: [{ ...PROJECT.scenes[0], models }] };
  const state: TaskState = newTaskState();
  const save = pool.compute(saveFormTask, { file: join(folder, "project.form"), document }, state);
  const cancelled = assert.rejects(save, CancelledError);
  await until(() => readdirSync(folder).length > 0, "written");
  await pool.close();
  await cancelled;
  assert.deepEqual(readdirSync(folder), []);
  rmSync(folder, { recursive: true });
});

/** The mesh under another name: a project file stores it once more. */
const variantOf = (mesh: Mesh, number: number): Mesh => ({ ...mesh, hash: String(number).padStart(64, "0") });

test("a closed pool runs no more tasks", async () => {
  const pool = fakePool();
  const counters = newCounters();
  await pool.close();
  await assert.rejects(pool.act({ act: "tick", counters }), CancelledError);
  assert.equal(Atomics.load(counters, TICKS), 0);
});

/** A file without content on the disk. Tasks that name it are expected to take long by its size. */
function sizedFile(name: string, bytes: number): { readonly file: string } {
  const path = join(tmpdir(), `pool-test-${name}-${process.pid}`);
  writeFileSync(path, "");
  truncateSync(path, bytes);
  after(() => rmSync(path));
  return { file: path };
}
/** Tasks that are long from the first millisecond. */
const LARGE_INPUT = sizedFile("large", 64_000_000);
/** Tasks that are short, but not quick. */
const MEDIUM_INPUT = sizedFile("medium", 2_000_000);

test("short tasks run while long ones of other owners hold every thread and fifty wait", async () => {
  const pool = fakePool(2, { spare: 1 });
  const counters = newCounters();
  const jobs = Array.from({ length: 52 }, () =>
    pool.act({ act: "wait", counters, ...LARGE_INPUT }, newTaskState(), "large"),
  );
  await started(counters, 2);
  for (let i = 0; i < 5; i++) await pool.act({ act: "answer" });
  assert.equal(Atomics.load(counters, STARTED), 2);
  release(counters);
  await Promise.all(jobs);
});

longTest("a task that turns out to be long leaves the spare thread and runs again later", async () => {
  const pool = fakePool(1, { spare: 1 });
  const [first, second] = [newCounters(), newCounters()];
  const holding = pool.act({ act: "wait", counters: first, ...LARGE_INPUT }, newTaskState(), "large");
  await started(first, 1);
  const probing = pool.act({ act: "wait", counters: second }, newTaskState(), "probe");
  await started(second, 1);
  await pool.act({ act: "answer", ...MEDIUM_INPUT });
  release(first);
  await holding;
  await started(second, 2);
  release(second);
  await probing;
});

longTest("a cancel ends a task that waits for its second run", async () => {
  const pool = fakePool(1, { spare: 1 });
  const [first, second] = [newCounters(), newCounters()];
  const holding = pool.act({ act: "wait", counters: first, ...LARGE_INPUT }, newTaskState(), "large");
  const state = newTaskState();
  const probing = assert.rejects(pool.act({ act: "wait", counters: second }, state, "probe"), CancelledError);
  await started(second, 1);
  await pool.act({ act: "answer", ...MEDIUM_INPUT });
  pool.cancel(state);
  await probing;
  release(first);
  await holding;
});

longTest("a task on the spare thread that never polls loses the thread, and other tasks run meanwhile", async () => {
  const pool = fakePool(1, { spare: 1, cancelGraceMs: 300 });
  const [first, second] = [newCounters(), newCounters()];
  const holding = pool.act({ act: "wait", counters: first, ...LARGE_INPUT }, newTaskState(), "large");
  await started(first, 1);
  const state = newTaskState();
  const stuck = assert.rejects(pool.act({ act: "spin", counters: second }, state, "probe"), CancelledError);
  await started(second, 1);
  await pool.act({ act: "answer", ...MEDIUM_INPUT });
  assert.equal(Atomics.load(second, STARTED), 1);
  release(first);
  await holding;
  await started(second, 2);
  pool.cancel(state);
  await stuck;
});

test("quick tasks run beside the chunks of other requests, of which none begins anew", async () => {
  const pool = fakePool(2, { spare: 1 });
  const counters = newCounters();
  const chunks = ["a", "b", "c", "d"].map((owner) =>
    pool.act({ act: "wait", counters, ...MEDIUM_INPUT }, newTaskState(), owner),
  );
  await started(counters, 3);
  for (let i = 0; i < 10; i++) await pool.act({ act: "answer" }, newTaskState(), "small");
  assert.equal(Atomics.load(counters, STARTED), 3);
  release(counters);
  await Promise.all(chunks);
});
