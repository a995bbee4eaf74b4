import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { HOST } from "../../src/core/temporary-file.ts";
import { fetchOutputs } from "../../src/farm/job/fetch-outputs.ts";
import type { JobResult } from "../../src/farm/job/job-payload.ts";
import type { JobRequest } from "../../src/farm/farm.ts";
import { newJob } from "../../src/farm/job/new-job.ts";
import type { JobQueue, QueuedJob } from "../../src/farm/queue/job-queue.ts";
import { openSqliteQueue } from "../../src/farm/queue/sqlite-queue.ts";
import { openFileCache } from "../../src/farm/store/file-cache.ts";
import { openFolderStore } from "../../src/farm/store/folder-store.ts";
import type { AttemptTools } from "../../src/farm/work/attempt.ts";
import type { RunEnding } from "../../src/farm/work/step-runner.ts";
import { type Worker, type WorkerOptions, startWorker } from "../../src/farm/work/worker.ts";
import { until } from "../fixture/until.ts";

const LEASE_MS = 300;
const folder = mkdtempSync(join(tmpdir(), "printwright-worker-"));
after(() => rmSync(folder, { recursive: true }));
writeFileSync(join(folder, "part.stl"), "a part");
const store = openFolderStore(join(folder, "store"), { lookAgainMs: [] });
const cache = await openFileCache(store, join(folder, "cache"), 1e6);
let queues = 0;

const scene = { $: "scene.scene_id" };
const STEPS: JobRequest["steps"] = [
  {
    name: "scene",
    request: "scene/create",
    body: { machine_type: "PRUSA-SL1S", material_code: "GENERIC-RESIN", layer_thickness_mm: 0.05 },
  },
  { request: "scene/model/import", body: { scene_id: scene, file: "part.stl" } },
  { request: "scene/export", body: { scene_id: scene, file: "out/job.sl1s" } },
];
const DONE: RunEnding = { ending: { kind: "ended", status: 0 }, results: {} };
const CANCELLED: RunEnding = { ending: { kind: "ended", status: 143 }, results: {} };

/** Runs until it is cancelled. */
const forever: AttemptTools["run"] = (_job, _list, signal) =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(CANCELLED);
    signal.addEventListener("abort", () => resolve(CANCELLED));
  });

interface Bench {
  readonly queue: JobQueue;
  readonly workFolder: string;
  submit(request?: Partial<JobRequest>): Promise<string>;
  job(id: string): Promise<QueuedJob>;
  ended(id: string): Promise<QueuedJob>;
  start(run: AttemptTools["run"], more?: Partial<WorkerOptions>): Promise<Worker>;
}

/** Runs a test with a queue of its own. All of its workers have ended when it ends. */
async function withBench(work: (bench: Bench) => Promise<void>): Promise<void> {
  const queue = await openSqliteQueue(join(folder, `queue ${queues++}`), { leaseMs: LEASE_MS });
  const workFolder = join(folder, `work ${queues}`);
  const workers: Worker[] = [];
  const job: Bench["job"] = async (id) => {
    const found = await queue.get(id);
    assert.ok(found);
    return found;
  };
  const isEnded = ({ state }: QueuedJob): boolean => !["ready", "running"].includes(state);
  try {
    await work({
      queue,
      workFolder,
      job,
      async submit(request = {}) {
        const [{ id } = { id: "" }] = await queue.submit([
          await newJob({ steps: STEPS, folder, isRepeated: true, ...request }, store),
        ]);
        return id;
      },
      async ended(id) {
        await until(`the job ${id} has ended`, async () => isEnded(await job(id)));
        return job(id);
      },
      async start(run, more = {}) {
        const tools = { store, cache, workFolder, allowsPrint: false, machines: [], run };
        const worker = await startWorker({
          queue,
          tools,
          slots: { quote: 1, plate: 2 },
          isOnce: false,
          drainTimeoutMs: 5000,
          leaseMs: LEASE_MS,
          say() {},
          ...more,
        });
        workers.push(worker);
        return worker;
      },
    });
  } finally {
    for (const worker of workers) for (let call = 0; call < 2; call++) worker.drain();
    await Promise.all(workers.map(({ ended }) => ended));
    await queue.close();
  }
}

test("a job gets its files, and its result names what the steps wrote, which others fetch", () =>
  withBench(async ({ submit, ended, start, workFolder }) => {
    const id = await submit();
    await start(async (_job, list, _signal, onProgress) => {
      assert.equal(readFileSync(join(list.folder, "part.stl"), "utf8"), "a part");
      assert.deepEqual(JSON.parse(readFileSync(list.file, "utf8")), STEPS);
      assert.equal(list.stepCount, STEPS.length);
      onProgress({ fraction: 0.5, step: 1 });
      writeFileSync(join(list.folder, "out", "job.sl1s"), "a job");
      writeFileSync(join(list.folder, "out", "layer-1.png"), "a layer");
      const file = join(list.folder, "out", "job.sl1s");
      const usage = { cpu_seconds: 1.5, peak_memory_bytes: 7 };
      return { ...DONE, results: { job: { file, layers: 3 } }, usage };
    });
    const { state, result, progress } = await ended(id);
    assert.equal(state, "done");
    assert.ok((progress?.fraction ?? 1) >= 0.5);
    const { outputs, results, cpu_seconds, peak_memory_bytes } = result as JobResult;
    assert.deepEqual([cpu_seconds, peak_memory_bytes], [1.5, 7]);
    assert.deepEqual(Object.keys(outputs).sort(), ["out/job.sl1s", "out/layer-1.png"]);
    assert.deepEqual(results, { job: { file: "out/job.sl1s", layers: 3 } });
    const target = join(folder, "fetched");
    await fetchOutputs(result as JobResult, store, target);
    assert.equal(readFileSync(join(target, "out", "job.sl1s"), "utf8"), "a job");
    await until("the folder of the job is gone", () => readdirSync(workFolder).length === 0);
  }));

test("slots of a lane are for its jobs alone", () =>
  withBench(async ({ submit, ended, job, start, queue }) => {
    const plates = [await submit(), await submit(), await submit()];
    const running = new Set<string>();
    await start(async (one, _list, signal) => {
      running.add(one.id);
      return one.lane === "quote" ? DONE : forever(one, _list, signal, () => {});
    });
    await until("two plates run", () => running.size === 2);
    const quote = await submit({ lane: "quote" });
    assert.equal((await ended(quote)).state, "done");
    assert.equal((await job(plates[2]!)).state, "ready");
    for (const id of plates) await queue.cancel(id);
    for (const id of plates) assert.equal((await ended(id)).state, "cancelled");
  }));

test("a failure ends a job, and an attempt that takes too long is one", () =>
  withBench(async ({ submit, ended, start, queue, job }) => {
    const [wrong, late] = [await submit(), await submit({ seconds: 0.05 })];
    await start(async (one, list, signal, onProgress) => {
      if (one.id !== wrong) return forever(one, list, signal, onProgress);
      const error = { code: "INPUT_ERROR", message: `Cannot read ${JSON.stringify(join(list.folder, "part.stl"))}` };
      return { ending: { kind: "ended", status: 1, error }, results: {} };
    });
    const failed = await ended(wrong);
    assert.equal(failed.state, "failed");
    assert.deepEqual(failed.error, { code: "INPUT_ERROR", message: 'Cannot read "part.stl"' });
    await until("the late job waits for its next attempt", async () => (await job(late)).error !== undefined);
    assert.equal((await job(late)).error?.code, "TIMED_OUT");
    await queue.cancel(late);
  }));

test("a worker that drains waits for its jobs; the second signal gives them back, and their attempts do not count", () =>
  withBench(async ({ submit, job, ended, start }) => {
    const first = await submit();
    let finish: (() => void) | undefined;
    const patient = await start((one) =>
      one.id === first ? new Promise((resolve) => (finish = () => resolve(DONE))) : Promise.resolve(DONE),
    );
    await until("it runs", () => finish !== undefined);
    patient.drain();
    const second = await submit();
    await sleep(50);
    assert.equal((await job(second)).state, "ready");
    finish!();
    await patient.ended;
    assert.equal((await job(first)).state, "done");
    const hasty = await start(forever);
    await until("it runs", async () => (await job(second)).state === "running");
    hasty.drain();
    hasty.drain();
    await hasty.ended;
    const given = await job(second);
    assert.deepEqual([given.state, given.attempt], ["ready", 0]);
    await start(async () => DONE, { isOnce: true });
    assert.equal((await ended(second)).state, "done");
  }));

test("a worker whose lease was lost drops its result; each job has one", () =>
  withBench(async ({ submit, ended, start, queue }) => {
    const id = await submit();
    let finish: (() => void) | undefined;
    // Its beats do not arrive, as where the network is cut.
    const cut: JobQueue = Object.assign(Object.create(queue) as JobQueue, {
      beat: () => Promise.reject(new Error("cut off")),
      claim: (worker: string, slots: object) => queue.claim(worker, slots),
      watch: () => queue.watch(),
      finish: (claim: QueuedJob, result: unknown) => queue.finish(claim, result),
    });
    const said: string[] = [];
    const write = (list: { folder: string }, text: string): void =>
      writeFileSync(join(list.folder, "out", "job.sl1s"), text);
    await start((_job, list) => new Promise((resolve) => (finish = () => (write(list, "late"), resolve(DONE)))), {
      queue: cut,
      slots: { quote: 0, plate: 1 },
      say: (line) => said.push(line),
    });
    await until("it runs", () => finish !== undefined);
    const other = await start(async (_job, list) => (write(list, "in time"), DONE), { isOnce: false });
    const { result, attempt } = await ended(id);
    assert.equal(attempt, 2);
    finish!();
    await until("the first worker says so", () => said.some((line) => line.includes("lease was lost")));
    assert.deepEqual((await queue.get(id))?.result, result);
    await fetchOutputs(result as JobResult, store, join(folder, "fenced"));
    assert.equal(readFileSync(join(folder, "fenced", "out", "job.sl1s"), "utf8"), "in time");
    other.drain();
  }));

test("results wait for a queue that is not reached", () =>
  withBench(async ({ submit, ended, start, queue }) => {
    const id = await submit();
    let calls = 0;
    const shaky: JobQueue = Object.assign(Object.create(queue) as JobQueue, {
      claim: (worker: string, slots: object) => queue.claim(worker, slots),
      beat: (claim: QueuedJob) => queue.beat(claim),
      watch: () => queue.watch(),
      finish: (claim: QueuedJob, result: unknown) =>
        calls++ === 0 ? Promise.reject(new Error("connection refused")) : queue.finish(claim, result),
    });
    const said: string[] = [];
    await start(async () => DONE, { queue: shaky, say: (line) => said.push(line) });
    assert.equal((await ended(id)).state, "done");
    assert.equal((await ended(id)).attempt, 1);
    assert.match(said.join("\n"), /waits for the queue: connection refused/);
  }));

test("jobs that a worker must not carry out fail there: print steps without --allow-print, names that lead out", () =>
  withBench(async ({ ended, start, queue }) => {
    const content = { steps: STEPS, inputs: {}, outputs: [] };
    const payload = (more: object) => ({
      v: 1,
      content: { ...content, ...more },
      seconds: 9,
      created: "2026-01-01T00:00:00Z",
    });
    const hash = (await store.put(join(folder, "part.stl"))).hash;
    const printing = [
      ...STEPS.slice(0, 1),
      { request: "scene/print", body: { scene_id: scene, printer: "x", job_name: "y" } },
    ];
    const jobs = [
      payload({ inputs: { "../evil": hash } }),
      payload({ steps: printing, allow_print: true }),
      payload({ steps: printing }),
      payload({ steps: [{ request: "scene/model/import", body: { scene_id: "x", file: "/etc/a.stl" } }] }),
      { v: 2 },
    ];
    const submitted = await queue.submit(
      jobs.map((one, i) => ({ key: String(i), lane: "plate", payload: one, maxAttempts: 1 })),
    );
    await start(() => assert.fail("it must not run"));
    for (const { id } of submitted) assert.notEqual((await ended(id)).state, "done");
  }));

test("a worker whose work folder takes no files leaves its jobs to others, and their attempts do not count", () =>
  withBench(async ({ submit, ended, start, workFolder }) => {
    const [blocked, said] = [`${workFolder} blocked`, [] as string[]];
    const tools = { store, cache, allowsPrint: false, machines: [], run: async () => DONE };
    await start(tools.run, { tools: { ...tools, workFolder: blocked }, say: (line) => said.push(line) });
    rmSync(blocked, { recursive: true });
    writeFileSync(blocked, "");
    const id = await submit();
    await until("it says so", () => said.some((line) => line.includes("goes to another worker")));
    await start(tools.run);
    const { state, attempt } = await ended(id);
    assert.deepEqual([state, attempt], ["done", 1]);
    assert.equal(said.length, 1, "it waits before it takes another job");
  }));

test("what a killed worker left is removed at the next start", () =>
  withBench(async ({ start, workFolder }) => {
    // A process id that is not in use: that of Linux ends at 2^22.
    const left = join(workFolder, `printwright-farm-${HOST}-4194305-abcdef`);
    mkdirSync(join(left, "files"), { recursive: true });
    const own = join(workFolder, `printwright-farm-${HOST}-${process.pid}-abcdef`);
    mkdirSync(own);
    await start(async () => DONE);
    assert.deepEqual(readdirSync(workFolder), [own.slice(workFolder.length + 1)]);
  }));
