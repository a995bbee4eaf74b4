import assert from "node:assert/strict";
import { rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { newTaskState } from "../../src/core/progress.ts";
import { computeOutlinesTask } from "../../src/feature/placement/task.ts";
import { newPool } from "../../src/worker/pool.ts";
import { LONG_MS } from "../../src/worker/scheduling.ts";
import { type Act, RELEASED, STARTED } from "../fixture/fake-worker.ts";
import { longTest } from "../fixture/long.ts";

// The chunks of a long request are always waiting. They kept every short task of their scene from the spare thread until the last of them
// had ended; and a chunk that was long when it started was preempted after three seconds if other requests had got threads since.

/** Tasks are long from the start if they name a large file. It has no content on the disk. */
const LARGE_INPUT = { file: join(tmpdir(), `busy-scene-${process.pid}`) };
writeFileSync(LARGE_INPUT.file, "");
truncateSync(LARGE_INPUT.file, 64_000_000);
after(() => rmSync(LARGE_INPUT.file));

async function withPool(work: (act: (act: Act & object, owner: string) => Promise<unknown>) => Promise<void>) {
  const pool = newPool(new URL("../fixture/fake-worker.ts", import.meta.url), { size: 2, spare: 1 });
  try {
    await work(
      (act, owner) => pool.compute(computeOutlinesTask, act as never, newTaskState(), owner) as Promise<unknown>,
    );
  } finally {
    await pool.close();
  }
}

const newCounters = (): Int32Array => new Int32Array(new SharedArrayBuffer(12));

async function started(counters: Int32Array, count: number): Promise<void> {
  while (Atomics.load(counters, STARTED) < count) await sleep(2);
}

test("a short task of a scene runs while the chunks of a long request of this scene hold every thread", () =>
  withPool(async (act) => {
    const counters = newCounters();
    const chunks = Array.from({ length: 16 }, () => act({ act: "wait", counters, ...LARGE_INPUT }, "scene"));
    await started(counters, 2);
    await act({ act: "answer" }, "scene");
    assert.equal(Atomics.load(counters, STARTED), 2);
    Atomics.store(counters, RELEASED, 1);
    await Promise.all(chunks);
  }));

longTest("a long task that has got a thread keeps it", () =>
  withPool(async (act) => {
    const counters = newCounters();
    const chunks = ["one", "one"].map((owner) => act({ act: "wait", counters, ...LARGE_INPUT }, owner));
    await started(counters, 2);
    chunks.push(act({ act: "wait", counters, ...LARGE_INPUT }, "other"));
    await started(counters, 3);
    await sleep(LONG_MS + 200);
    Atomics.store(counters, RELEASED, 1);
    await Promise.all(chunks);
    assert.equal(Atomics.load(counters, STARTED), 3, "one of them began anew");
  }),
);
