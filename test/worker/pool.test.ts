import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Fault, type FaultCode } from "../../src/core/fault.ts";
import { Cancelled, cancelJob, type JobState, newJobState, progressOf, unwatched } from "../../src/core/watch.ts";
import { canonicalMesh } from "../../src/mesh/canonical.ts";
import type { Mesh } from "../../src/mesh/mesh.ts";
import { newPool, type Pool } from "../../src/worker/pool.ts";
import { importFile, type ImportRequest } from "../../src/worker/task/import-file.ts";
import { bumpySphere } from "../bench/bumpy-sphere.ts";
import { PROJECT, someModel } from "../fixture/form-project.ts";
import { type Act, RELEASED, STARTED, TICKS } from "../fixture/odd-worker.ts";
import { READ_OPTIONS } from "../fixture/read-model.ts";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";

const file = temporaryFiles();
const LONGEST_MS = 30_000;
/** Long before a cancelled job that does not ask is ended by force. */
const POLLED_MS = 700;

const pools: Pool[] = [];
after(() => Promise.all(pools.map((pool) => pool.close())));

function opened(worker: string, size: number): Pool {
  const pool = newPool(new URL(`../../${worker}`, import.meta.url), size);
  pools.push(pool);
  return pool;
}
const realPool = (size = 2): Pool => opened("src/worker.ts", size);

/** A pool whose jobs are acts of the odd worker. */
function oddPool(size = 1) {
  const pool = opened("test/fixture/odd-worker.ts", size);
  return {
    ...pool,
    act: (act: Act, state = newJobState()): Promise<{ thread: number; mesh: Mesh }> =>
      pool.compute("turnMeshes", act as never, state) as Promise<never>,
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

const isFault = (code: FaultCode, message: RegExp) => (thrown: unknown): boolean => {
  assert.ok(thrown instanceof Fault, String(thrown));
  assert.equal(thrown.code, code);
  assert.match(thrown.message, message);
  return true;
};

const importing = (path: string): ImportRequest =>
  ({ file: path, repairBehavior: "ERROR", split: false, options: READ_OPTIONS });
const SMALL = file("small.stl", binaryStl(box([1, 2, 3])));
const LARGE = file("large.stl", binaryStl(bumpySphere(200_000)));

test("a job gives what its task gives", async () => {
  const here = await importFile(importing(SMALL), unwatched);
  assert.deepEqual(await realPool().compute("importFile", importing(SMALL), newJobState()), here);
});

test("many jobs on few threads all get their own results", async () => {
  const pool = realPool();
  const files = Array.from({ length: 40 }, (_, i) => file(`box-${i}.stl`, binaryStl(box([1, 1, 1 + i]))));
  const results = await Promise.all(files.map((path) => pool.compute("importFile", importing(path), newJobState())));
  results.forEach(({ parts: [{ mesh }] }, i) => assert.equal(Math.round(mesh.volumeMm3 * 1e6), 1e6 * (1 + i)));
});

test("a fault crosses the thread with its code and message", async () => {
  const pool = realPool(1);
  const missing = importing(join(tmpdir(), "missing.stl"));
  const here = await importFile(missing, unwatched).catch((thrown: Fault) => thrown);
  assert.ok(here instanceof Fault);
  const there = await pool.compute("importFile", missing, newJobState()).catch((thrown: Fault) => thrown);
  assert.ok(there instanceof Fault);
  assert.deepEqual([there.code, there.message], [here.code, here.message]);
  const noFps = pool.compute("openFps", SMALL, newJobState());
  await assert.rejects(noFps, isFault("INPUT_ERROR", /small\.stl/));
});

test("what a task throws by mistake is UNKNOWN_FAILURE, and the next job works", async () => {
  const pool = realPool(1);
  const wrong = pool.compute("turnMeshes", [undefined] as never, newJobState());
  await assert.rejects(wrong, isFault("UNKNOWN_FAILURE", /unexpected failure: ./));
  assert.equal((await pool.compute("importFile", importing(SMALL), newJobState())).parts.length, 1);
});

test("a job too large for memory is OPERATION_FAILED, and the next job works", async () => {
  const pool = realPool(1);
  const endless = { vertices: { length: 3e15 }, box: { min: [0, 0, 0], max: [0, 0, 0] } };
  const orientation = { x: 0, y: 0, z: 0 };
  const huge = pool.compute("turnMeshes", [{ mesh: endless as never, orientation }], newJobState());
  await assert.rejects(huge, isFault("OPERATION_FAILED", /too large for the server's memory/));
  assert.equal((await pool.compute("importFile", importing(SMALL), newJobState())).parts.length, 1);
});

test("a running job whose kernel asks ends as soon as it was cancelled", async () => {
  const pool = realPool(1);
  const tookMs: number[] = [];
  // On a busy machine the thread may wait for its turn.
  while (tookMs.every((ms) => ms >= POLLED_MS)) {
    assert.ok(tookMs.length < 5, `it took ${tookMs.join(", ")} ms`);
    const state = newJobState();
    const job = pool.compute("importFile", importing(LARGE), state).catch((thrown: unknown) => thrown);
    await until(() => progressOf(state) > 0.1, "under way");
    const cancelled = performance.now();
    pool.cancel(state);
    assert.ok((await job) instanceof Cancelled);
    tookMs.push(performance.now() - cancelled);
    assert.ok(progressOf(state) < 1);
  }
});

test("its thread lives on, also past the time at which it would have been ended by force", async () => {
  const pool = oddPool();
  const { thread } = await pool.act({ act: "answer" });
  const state = newJobState();
  const first = newCounters();
  const cancelled = assert.rejects(pool.act({ act: "wait", counters: first }, state), Cancelled);
  await started(first, 1);
  pool.cancel(state);
  await cancelled;
  const second = newCounters();
  const next = pool.act({ act: "wait", counters: second });
  await started(second, 1);
  await sleep(1300);
  release(second);
  assert.equal((await next).thread, thread);
});

test("a running job that never asks is ended with its thread, and the next job works", async () => {
  const pool = oddPool();
  const counters = newCounters();
  const { thread } = await pool.act({ act: "answer" });
  const state = newJobState();
  const job = assert.rejects(pool.act({ act: "spin", counters }, state), Cancelled);
  const next = pool.act({ act: "answer" });
  await started(counters, 1);
  pool.cancel(state);
  await job;
  assert.notEqual((await next).thread, thread);
});

test("a waiting job that is cancelled ends at once; those before and after it do not", async () => {
  const pool = oddPool();
  const counters = newCounters();
  const states = [newJobState(), newJobState(), newJobState()];
  const [running, waiting, behind] = states.map((state) => pool.act({ act: "wait", counters }, state));
  const cancelled = assert.rejects(waiting, Cancelled);
  await started(counters, 1);
  pool.cancel(states[1]);
  await cancelled;
  assert.equal(Atomics.load(counters, RELEASED), 0);
  release(counters);
  assert.equal((await running).thread, (await behind).thread);
  assert.equal(Atomics.load(counters, STARTED), 2);
});

test("cancelling ends every job of its request, running and waiting, and no other", async () => {
  const pool = oddPool(2);
  const counters = newCounters();
  const [given, kept] = [newJobState(), newJobState()];
  const all = [kept, given, given, given].map((state) => pool.act({ act: "wait", counters }, state));
  const ended = Promise.all(all.slice(1).map((job) => assert.rejects(job, Cancelled)));
  await started(counters, 2);
  pool.cancel(given);
  await ended;
  release(counters);
  await all[0];
});

test("a job of a request that was cancelled before does nothing", async () => {
  const state = newJobState();
  cancelJob(state);
  await assert.rejects(realPool(1).compute("importFile", importing(SMALL), state), Cancelled);
});

test("progress comes from the thread while it works, and never goes down", async () => {
  const pool = realPool(1);
  const state = newJobState();
  const seen = [progressOf(state)];
  const looking = setInterval(() => seen.push(progressOf(state)), 1);
  await pool.compute("importFile", importing(LARGE), state).finally(() => clearInterval(looking));
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
  test(`a thread that ${what} fails its job alone and is replaced`, async () => {
    const pool = oddPool();
    const { thread } = await pool.act({ act: "answer" });
    const broken = assert.rejects(pool.act(act), isFault("OPERATION_FAILED", message));
    const [next, last] = await Promise.all([pool.act({ act: "answer" }), pool.act({ act: "answer" }), broken]);
    assert.notEqual(next.thread, thread);
    assert.equal(last.thread, next.thread);
  });
}

test("a thread whose memory was spoiled is replaced after its fault; one that failed soundly is not", async () => {
  const pool = oddPool();
  const { thread } = await pool.act({ act: "answer" });
  await assert.rejects(pool.act({ act: "fail", spoiled: false }), isFault("NOT_FOUND", /^nothing there$/));
  assert.equal((await pool.act({ act: "answer" })).thread, thread);
  await assert.rejects(pool.act({ act: "fail", spoiled: true }), isFault("NOT_FOUND", /^nothing there$/));
  assert.notEqual((await pool.act({ act: "answer" })).thread, thread);
});

test("as many jobs run at once as the pool has threads, and no more", async () => {
  const pool = oddPool(3);
  const counters = newCounters();
  const jobs = Array.from({ length: 9 }, () => pool.act({ act: "wait", counters }));
  await started(counters, 3);
  await sleep(100);
  assert.equal(Atomics.load(counters, STARTED), 3);
  release(counters);
  const threads = new Set((await Promise.all(jobs)).map(({ thread }) => thread));
  assert.ok(threads.size <= 3, `${threads.size} threads`);
});

test("waiting jobs run in the order in which they came", async () => {
  const pool = oddPool();
  const order: number[] = [];
  const jobs = Array.from({ length: 10 }, (_, i) => pool.act({ act: "answer" }).then(() => order.push(i)));
  await Promise.all(jobs);
  assert.deepEqual(order, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

test("a mesh that goes to a thread and back stays in the same memory", async () => {
  const pool = oddPool();
  const mesh = canonicalMesh(box([1, 2, 3]), 1, unwatched);
  const { mesh: back } = await pool.act({ act: "write", mesh, value: 12.5 });
  assert.equal(mesh.vertices[0], 12.5, "the thread wrote here");
  mesh.vertices[0] = -3;
  mesh.triangles[0] = 7;
  assert.deepEqual([back.vertices[0], back.triangles[0]], [-3, 7], "what came back is what was sent");
});

test("what tasks make lies in shared memory", async () => {
  const pool = realPool(1);
  const { parts } = await pool.compute("importFile", importing(SMALL), newJobState());
  const mesh = parts[0].mesh;
  const [same, grown] = await pool.compute("rescaleMeshes", [{ mesh, factor: 1 }, { mesh, factor: 2 }], newJobState());
  for (const { vertices, triangles } of [mesh, same, grown]) {
    for (const array of [vertices, triangles]) assert.ok(array.buffer instanceof SharedArrayBuffer);
  }
  mesh.vertices[0] = 99;
  assert.equal(same.vertices[0], 99);
  assert.notEqual(grown.vertices[0], 99);
});

test("a thread without work is ended after a while, though others work; later jobs get another", async () => {
  const pool = oddPool(2);
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

/** Until no thread has ticked for a while. */
async function stopped(counters: Int32Array): Promise<void> {
  let seen = -1;
  const end = performance.now() + LONGEST_MS;
  while (seen !== (seen = Atomics.load(counters, TICKS))) {
    if (performance.now() > end) assert.fail("a thread lives on");
    await sleep(500);
  }
}

test("closing cancels what runs and what waits, and ends every thread", async () => {
  const pool = oddPool(2);
  const counters = newCounters();
  await Promise.all([1, 2].map(() => pool.act({ act: "tick", counters })));
  const acts: Act[] = [{ act: "spin", counters }, { act: "wait", counters }, { act: "answer" }, { act: "answer" }];
  const jobs = acts.map((act) => assert.rejects(pool.act(act), Cancelled));
  await started(counters, 2);
  await pool.close();
  await Promise.all(jobs);
  await stopped(counters);
});

test("closing lets a save that is under way remove what it wrote", async () => {
  const pool = realPool(1);
  const folder = mkdtempSync(join(tmpdir(), "pool-"));
  const mesh = canonicalMesh(bumpySphere(20_000), 1, unwatched);
  const models = Array.from({ length: 400 }, (_, i) => someModel({ mesh: variantOf(mesh, i) }));
  const document = { ...PROJECT, scenes: [{ ...PROJECT.scenes[0], models }] };
  const state: JobState = newJobState();
  const save = pool.compute("saveForm", { file: join(folder, "project.form"), document }, state);
  const cancelled = assert.rejects(save, Cancelled);
  await until(() => readdirSync(folder).length > 0, "written");
  await pool.close();
  await cancelled;
  assert.deepEqual(readdirSync(folder), []);
  rmSync(folder, { recursive: true });
});

/** The mesh under another name: a project file stores it once more. */
const variantOf = (mesh: Mesh, number: number): Mesh => ({ ...mesh, hash: String(number).padStart(64, "0") });

test("a pool that was closed takes no more jobs", async () => {
  const pool = oddPool();
  const counters = newCounters();
  await pool.close();
  await assert.rejects(pool.act({ act: "tick", counters }), Cancelled);
  assert.equal(Atomics.load(counters, TICKS), 0);
});
