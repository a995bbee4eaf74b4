import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { ApiError } from "../../src/core/api-error.ts";
import type { JobQueue, NewJob, QueuedJob } from "../../src/farm/queue/job-queue.ts";

/** The lease of the queues under test. */
export const LEASE_MS = 400;

/** Where a test gets its queues: `open` opens the same jobs each time. */
export interface QueueKind {
  readonly name: string;
  open(): Promise<JobQueue>;
}

let keys = 0;
const newJob = (job: Partial<NewJob> = {}): NewJob => ({ key: `key ${keys++}`, lane: "plate", payload: {}, ...job });
const withCode =
  (code: string) =>
  (thrown: unknown): boolean =>
    thrown instanceof ApiError && thrown.code === code;
const error = { code: "OPERATION_FAILED", message: "the disk is full" };

/** The tests that each kind of queue passes. Their jobs are all ended or cancelled when a test ends. */
export function testQueue(kind: QueueKind): void {
  let queue: JobQueue;
  before(async () => {
    queue = await kind.open();
  });
  after(() => queue.close());
  const it = (name: string, run: () => Promise<void>): void => void test(`${kind.name}: ${name}`, run);

  const submit = async (job: Partial<NewJob> = {}): Promise<string> => {
    const [added] = await queue.submit([newJob(job)]);
    assert.ok(added?.isNew);
    return added.id;
  };
  const claimOne = async (from = queue): Promise<QueuedJob> => {
    const [job] = await from.claim("w", { plate: 1 });
    assert.ok(job, "a job is ready");
    return job;
  };
  const get = async (id: string): Promise<QueuedJob> => {
    const job = await queue.get(id);
    assert.ok(job);
    return job;
  };

  it("a job keeps all that it was submitted with, and its result", async () => {
    const due = new Date("2031-02-03T04:05:00Z");
    const payload = { steps: [{ text: "ä\u0001🦷" }], n: [1.5, null] };
    const id = await submit({ key: "whole", priority: -7, due, group: "patient 7", payload, maxAttempts: 5 });
    const ready = await get(id);
    assert.deepEqual(
      [ready.key, ready.state, ready.priority, ready.due, ready.group, ready.payload, ready.attempt, ready.maxAttempts],
      ["whole", "ready", -7, due, "patient 7", payload, 0, 5],
    );
    assert.deepEqual(
      [ready.worker, ready.result, ready.error, ready.startedAt, ready.endedAt],
      Array(5).fill(undefined),
    );
    const job = await claimOne();
    assert.deepEqual([job.id, job.state, job.attempt, job.worker], [id, "running", 1, "w"]);
    assert.deepEqual([job.payload, job.due, job.group], [payload, due, "patient 7"]);
    assert.equal(await queue.beat(job, { fraction: 0.25, step: 2 }), "running");
    assert.deepEqual((await get(id)).progress, { fraction: 0.25, step: 2 });
    assert.equal(await queue.finish(job, { files: { "a.form": "ab" } }), true);
    const done = await get(id);
    assert.deepEqual([done.state, done.result], ["done", { files: { "a.form": "ab" } }]);
    assert.ok(done.startedAt && done.endedAt && done.createdAt <= done.startedAt && done.startedAt <= done.endedAt);
    assert.equal(await queue.finish(job, "again"), true, "a worker that missed the answer may ask again");
    assert.deepEqual((await get(id)).result, { files: { "a.form": "ab" } });
    assert.equal(await queue.fail(job, { kind: "failed", error }), false, "an ended job has no claim");
    assert.equal(await queue.beat(job), "lost");
  });

  it("by priority, then due date, then age", async () => {
    const at = (minutes: number): Date => new Date(Date.now() + minutes * 60_000);
    const order = [
      { priority: 100, due: at(9_000_000) },
      { priority: 1 },
      { due: at(-5) },
      { due: at(10) },
      { due: at(20) },
      {},
      {},
      { priority: -1, due: at(-90) },
      { priority: -100 },
    ];
    // All but the equal ones in reverse.
    const ids = new Map<number, string>();
    for (const index of [8, 7, 4, 3, 5, 6, 2, 1, 0]) ids.set(index, await submit(order[index]));
    const claimed = [...(await queue.claim("w", { plate: 4 })), ...(await queue.claim("w", { plate: 9 }))];
    assert.deepEqual(
      claimed.map(({ id }) => id),
      order.map((_, index) => ids.get(index)),
    );
    for (const job of claimed) assert.ok(await queue.finish(job, null));
  });

  it("a claim takes what its slots of each lane hold", async () => {
    const jobs = ["plate", "quote", "quote", "plate", "quote"].map((lane) =>
      newJob({ lane: lane as "quote" | "plate" }),
    );
    await queue.submit(jobs);
    const claimed = await queue.claim("w", { quote: 2, plate: 1 });
    assert.deepEqual(claimed.map(({ lane }) => lane).sort(), ["plate", "quote", "quote"]);
    const rest = await queue.claim("w", { plate: 5, quote: 5 });
    assert.equal(rest.length, 2);
    assert.deepEqual(await queue.claim("w", { plate: 5, quote: 5 }), []);
    for (const job of [...claimed, ...rest]) assert.ok(await queue.finish(job, null));
  });

  it("a known key gives the job that exists, until it ended without a result", async () => {
    const job = newJob();
    const [first, same] = await queue.submit([job, job]);
    assert.deepEqual(same, { id: first?.id, isNew: false });
    const claim = await claimOne();
    assert.deepEqual(await queue.submit([job]), [{ id: first?.id, isNew: false }]);
    await queue.finish(claim, 1);
    assert.deepEqual(await queue.submit([job]), [{ id: first?.id, isNew: false }]);
    const id = await submit();
    await queue.fail(await claimOne(), { kind: "failed", error });
    const { key } = await get(id);
    const [again] = await queue.submit([newJob({ key })]);
    assert.ok(again?.isNew && again.id !== id);
    await assert.rejects(queue.retry(id), withCode("OPERATION_FAILED"));
    await queue.cancel(again.id);
  });

  it("a payload that is too large adds nothing", async () => {
    const before = (await queue.list()).length;
    const large = newJob({ payload: "x".repeat(8191) });
    await assert.rejects(queue.submit([newJob(), large]), withCode("INPUT_ERROR"));
    assert.equal((await queue.list()).length, before);
  });

  it("a failed attempt is tried again until the last one, after which the job is dead", async () => {
    const id = await submit({ maxAttempts: 2 });
    await queue.fail(await claimOne(), { kind: "retry", error, delayMs: 40 });
    const waiting = await get(id);
    assert.deepEqual([waiting.state, waiting.attempt, waiting.error], ["ready", 1, error]);
    assert.ok(waiting.notBefore && waiting.notBefore > waiting.createdAt);
    await sleep(60);
    const second = await claimOne();
    assert.deepEqual([second.attempt, second.error], [2, error], "the worker sees why the attempt before failed");
    await queue.fail(second, { kind: "retry", error });
    const dead = await get(id);
    assert.deepEqual([dead.state, dead.error], ["dead", error]);
    assert.ok(dead.endedAt);
    assert.deepEqual(
      (await queue.list({ state: "dead" })).map((job) => job.id),
      [id],
    );
    assert.equal((await queue.retry(id)).state, "ready");
    const third = await claimOne();
    assert.deepEqual([third.attempt, third.error], [1, undefined]);
    await queue.finish(third, null);
  });

  it("an attempt that is to be repeated later is not repeated before", async () => {
    const id = await submit();
    await queue.fail(await claimOne(), { kind: "retry", error });
    assert.deepEqual(await queue.claim("w", { plate: 1 }), []);
    const { notBefore } = await get(id);
    const delay = Number(notBefore) - Date.now();
    assert.ok(delay > 3000 && delay < 6100, `5 s ±20 %, not ${delay} ms`);
    assert.equal((await queue.cancel(id)).state, "cancelled");
  });

  it("wrong steps are dead and impossible ones failed at the first attempt", async () => {
    for (const kind of ["dead", "failed"] as const) {
      const id = await submit();
      assert.ok(await queue.fail(await claimOne(), { kind, error }));
      const job = await get(id);
      assert.deepEqual([job.state, job.error, job.attempt], [kind, error, 1]);
    }
  });

  it("an attempt that is given back does not count, and its claim is worth nothing", async () => {
    const id = await submit({ maxAttempts: 1 });
    const first = await claimOne();
    assert.ok(await queue.fail(first, { kind: "give-back" }));
    const ready = await get(id);
    assert.deepEqual([ready.state, ready.attempt, ready.error], ["ready", 0, undefined]);
    const second = await claimOne();
    assert.deepEqual([second.id, second.attempt], [id, 1]);
    assert.equal(await queue.beat(first), "lost");
    assert.equal(await queue.finish(first, "of the first"), false);
    assert.equal(await queue.fail(first, { kind: "dead", error }), false);
    assert.ok(await queue.finish(second, "of the second"));
    assert.equal((await get(id)).result, "of the second");
  });

  it("a job that is given back runs before the others of its batch", async () => {
    const added = await queue.submit(Array.from({ length: 5 }, () => newJob()));
    const first = await claimOne();
    assert.ok(await queue.fail(first, { kind: "give-back" }));
    assert.equal((await claimOne()).id, first.id);
    const rest = await queue.claim("w", { plate: 5 });
    assert.equal(rest.length, 4);
    for (const { id } of added) await queue.cancel(id);
    for (const job of rest) await queue.fail(job, { kind: "cancelled" });
    assert.ok(await queue.fail({ ...first, fence: first.fence + 1 }, { kind: "cancelled" }));
  });

  it("a job whose worker is silent for a lease is run by another one; beats keep it", async () => {
    const silent = await submit();
    const first = await claimOne();
    const heard = await submit({ maxAttempts: 1 });
    const kept = await claimOne();
    const end = Date.now() + 2 * LEASE_MS;
    let second: QueuedJob | undefined;
    while (!second && Date.now() < end + 20_000) {
      assert.equal(await queue.beat(kept), "running");
      [second] = await queue.claim("other", { plate: 1 });
      await sleep(LEASE_MS / 6);
    }
    assert.ok(second);
    assert.deepEqual([second.id, second.attempt, second.worker, second.error?.code], [silent, 2, "other", "TIMED_OUT"]);
    assert.equal(await queue.beat(first), "lost");
    assert.equal(await queue.finish(first, 1), false);
    assert.ok(await queue.finish(second, 2));
    assert.ok(await queue.finish(kept, 3));
    assert.deepEqual([(await get(silent)).result, (await get(heard)).result], [2, 3]);
  });

  it("the last attempt of a silent worker makes the job dead", async () => {
    const id = await submit({ maxAttempts: 1 });
    await claimOne();
    const end = Date.now() + 30_000;
    while ((await get(id)).state === "running" && Date.now() < end) {
      assert.deepEqual(await queue.claim("w", { plate: 1 }), []);
      await sleep(LEASE_MS / 6);
    }
    const dead = await get(id);
    assert.deepEqual([dead.state, dead.error?.code], ["dead", "TIMED_OUT"]);
  });

  it("a running job is asked to end, and its worker says that it did", async () => {
    const id = await submit();
    const job = await claimOne();
    const asked = await queue.cancel(id);
    assert.deepEqual([asked.state, asked.isCancelling], ["running", true]);
    assert.equal(await queue.beat(job, { fraction: 0.5 }), "cancel");
    assert.ok(await queue.fail(job, { kind: "cancelled" }));
    const ended = await get(id);
    assert.deepEqual([ended.state, ended.isCancelling, ended.result], ["cancelled", false, undefined]);
    assert.equal((await queue.cancel(id)).state, "cancelled");
    assert.equal((await queue.retry(id)).state, "ready");
    const again = await claimOne();
    assert.equal(await queue.beat(again), "running", "the wish to end was for the attempt before");
    await queue.finish(again, null);
    assert.equal((await queue.cancel(id)).state, "done", "what ended stays as it is");
  });

  it("a job that was asked to end is not tried again", async () => {
    for (const verdict of [{ kind: "retry", error, delayMs: 0 }, { kind: "give-back" }] as const) {
      const id = await submit();
      const job = await claimOne();
      await queue.cancel(id);
      assert.ok(await queue.fail(job, verdict));
      assert.equal((await get(id)).state, "cancelled");
    }
  });

  it("only jobs that ended run again, and ids that nobody has are an error", async () => {
    const id = await submit();
    await assert.rejects(queue.retry(id), withCode("OPERATION_FAILED"));
    assert.equal((await queue.get(`{${id.toUpperCase()}}`))?.id, id);
    await queue.cancel(`{${id.toUpperCase()}}`);
    assert.equal((await get(id)).state, "cancelled");
    for (const unknown of ["7f3d1f0a-0000-4000-8000-000000000000", "no id"]) {
      assert.equal(await queue.get(unknown), undefined);
      await assert.rejects(queue.cancel(unknown), withCode("NOT_FOUND"));
      await assert.rejects(queue.retry(unknown), withCode("NOT_FOUND"));
    }
  });

  it("jobs are listed newest first, by state, lane and group, and counted", async () => {
    const group = `group ${keys}`;
    const jobs = [newJob({ group }), newJob({ group, lane: "quote" }), newJob({ group })];
    const ids = [];
    for (const job of jobs) ids.push((await queue.submit([job]))[0]?.id);
    const listed = async (filter: object): Promise<string[]> =>
      (await queue.list({ group, ...filter })).map(({ id }) => id);
    assert.deepEqual(await listed({}), ids.toReversed());
    assert.deepEqual(await listed({ limit: 1 }), [ids[2]]);
    assert.deepEqual(await listed({ lane: "quote" }), [ids[1]]);
    await queue.cancel(ids[0] ?? "");
    assert.deepEqual(await listed({ state: "cancelled" }), [ids[0]]);
    const ready = (await queue.count()).filter(({ state }) => state === "ready");
    assert.deepEqual(
      ready.map(({ lane, count }) => [lane, count]),
      [
        ["plate", 1],
        ["quote", 1],
      ],
    );
    assert.ok(ready.every(({ oldest }) => Math.abs(Date.now() - Number(oldest)) < 60_000));
    for (const id of ids) await queue.cancel(id ?? "");
  });

  it("who waits hears of a new job, a wish to end and an end, from another process as well", async () => {
    const other = await kind.open();
    const changed = queue.watch();
    await changed(1);
    const heard = async (what: string, change: () => Promise<unknown>): Promise<void> => {
      const start = Date.now();
      const waiting = changed(30_000);
      await sleep(30);
      await change();
      await waiting;
      assert.ok(Date.now() - start < 20_000, `heard of ${what}`);
      // Rests of the same change.
      await sleep(50);
      await changed(1);
    };
    let id = "";
    let job: QueuedJob | undefined;
    await heard("a new job", async () => (id = (await other.submit([newJob()]))[0]?.id ?? ""));
    job = await claimOne();
    await changed(1);
    await heard("a wish to end", () => other.cancel(id));
    await heard("an end", () => queue.fail(job as QueuedJob, { kind: "cancelled" }));
    const abort = new AbortController();
    setTimeout(() => abort.abort(), 30);
    const start = Date.now();
    await changed(30_000, abort.signal);
    assert.ok(Date.now() - start < 20_000, "the wait was aborted");
    await other.close();
  });

  it("a change between a look and the wait after it is not missed", async () => {
    const changed = queue.watch();
    assert.deepEqual(await queue.claim("w", { plate: 1 }), []);
    const other = await kind.open();
    const [added] = await other.submit([newJob()]);
    const start = Date.now();
    await sleep(50);
    await changed(30_000);
    assert.ok(Date.now() - start < 20_000);
    await queue.cancel(added?.id ?? "");
    await other.close();
  });

  it("jobs that ended long ago are removed, others stay", async () => {
    const [ended, ready] = [await submit(), await submit()];
    await queue.cancel(ended);
    assert.equal(await queue.removeEnded(3_600_000), 0);
    await sleep(5);
    assert.ok((await queue.removeEnded(0)) > 0);
    assert.equal(await queue.get(ended), undefined);
    assert.equal((await get(ready)).state, "ready");
    await queue.cancel(ready);
  });

  it("several workers get each job once", async () => {
    const others = await Promise.all([kind.open(), kind.open()]);
    const jobs = Array.from({ length: 200 }, () => newJob());
    const added = await queue.submit(jobs);
    const seen: string[] = [];
    const work = async (from: JobQueue): Promise<void> => {
      for (;;) {
        const claimed = await from.claim("w", { plate: 3 });
        if (claimed.length === 0) return;
        for (const job of claimed) {
          seen.push(job.id);
          assert.ok(await from.finish(job, null));
        }
      }
    };
    await Promise.all([queue, ...others].map(work));
    assert.deepEqual(seen.sort(), added.map(({ id }) => id).sort());
    await Promise.all(others.map((other) => other.close()));
  });
}
