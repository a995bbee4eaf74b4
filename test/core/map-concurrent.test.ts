import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { mapConcurrent } from "../../src/core/map-concurrent.ts";
import { fc } from "../fixture/property.ts";

/** Jobs that end when the test ends them, and the largest number of them that ran at once. */
function heldJobs() {
  const running = new Map<number, PromiseWithResolvers<number>>();
  let most = 0;
  return {
    start(index: number): Promise<number> {
      const job = Promise.withResolvers<number>();
      running.set(index, job);
      most = Math.max(most, running.size);
      return job.promise;
    },
    end(index: number): void {
      running.get(index)!.resolve(index);
      running.delete(index);
    },
    fail(index: number): void {
      running.get(index)!.reject(new Error(`job ${index}`));
      running.delete(index);
    },
    running: () => [...running.keys()],
    most: () => most,
  };
}

const collect = (count: number, atOnce: number, order: (running: readonly number[]) => number) => {
  const jobs = heldJobs();
  const results = Array.fromAsync(mapConcurrent(count, jobs.start, atOnce));
  const end = async (): Promise<void> => {
    for (let running = jobs.running(); running.length > 0; running = jobs.running()) {
      jobs.end(order(running));
      await nextTurn();
    }
  };
  return { results, ended: end(), jobs };
};

test("results come in their order, whichever job ends first, and never do more jobs run than asked for", () =>
  fc.assert(
    fc.asyncProperty(fc.nat(30), fc.integer({ min: 1, max: 9 }), fc.nat(), async (count, atOnce, pick) => {
      const { results, ended, jobs } = collect(count, atOnce, (running) => running[pick % running.length]!);
      await ended;
      assert.deepEqual(
        await results,
        Array.from({ length: count }, (_, i) => i),
      );
      assert.equal(jobs.most(), Math.min(count, atOnce));
    }),
  ));

test("the number of jobs that run at once is asked for before each start", async () => {
  const jobs = heldJobs();
  const lefts: number[] = [];
  let atOnce = 4;
  const results = Array.fromAsync(
    mapConcurrent(20, jobs.start, (left) => {
      lefts.push(left);
      return atOnce;
    }),
  );
  assert.deepEqual([jobs.running().length, ...new Set(lefts)], [4, 20, 19, 18, 17, 16]);
  atOnce = 2;
  for (let index = 0; index < 3; index++) {
    jobs.end(index);
    await nextTurn();
    assert.deepEqual(jobs.running(), index < 2 ? [1, 2, 3].slice(index) : [3, 4]);
  }
  atOnce = 6;
  jobs.end(3);
  await nextTurn();
  assert.deepEqual(jobs.running(), [4, 5, 6, 7, 8, 9]);
  for (let running = jobs.running(); running.length > 0; running = jobs.running()) {
    jobs.end(running[0]!);
    await nextTurn();
  }
  assert.equal((await results).length, 20);
});

test("results that wait for a slow first job are few", async () => {
  const jobs = heldJobs();
  const results = Array.fromAsync(mapConcurrent(100, jobs.start, 3));
  for (let last = -1; last !== Math.max(...jobs.running()); await nextTurn()) {
    last = Math.max(...jobs.running());
    for (const job of jobs.running()) if (job > 0) jobs.end(job);
  }
  assert.deepEqual(jobs.running(), [0]);
  jobs.end(0);
  for (await nextTurn(); jobs.running().length > 0; await nextTurn()) for (const job of jobs.running()) jobs.end(job);
  assert.equal((await results).length, 100);
});

test("after a failure and after the caller stops no job starts", async () => {
  const failing = heldJobs();
  const results = Array.fromAsync(mapConcurrent(10, failing.start, 2));
  failing.fail(0);
  await assert.rejects(results, /job 0/);
  failing.end(1);
  await nextTurn();
  assert.deepEqual(failing.running(), []);

  const stopped = heldJobs();
  const running = mapConcurrent(10, stopped.start, 2);
  const first = running.next();
  stopped.end(0);
  assert.equal((await first).value, 0);
  await running.return(undefined);
  for (const job of stopped.running()) stopped.end(job);
  await nextTurn();
  assert.deepEqual(stopped.running(), []);
});
