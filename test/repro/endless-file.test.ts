import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import rhino3dm from "rhino3dm";
import { ApiError } from "../../src/core/api-error.ts";
import { CancelledError, newTaskState, noProgress } from "../../src/core/progress.ts";
import { EndlessError, boundedInstance } from "../../src/wasm/library.ts";
import { newPool } from "../../src/worker/pool.ts";
import { longTest } from "../fixture/long.ts";
import { READ_OPTIONS } from "../fixture/read-model.ts";
import { importFileTask } from "../../src/feature/import/task.ts";

// A damaged Rhino file kept the library in a loop. Bun cannot end a thread in a loop, so that it had the core until the server ended.

const corpus = (name: string): string => fileURLToPath(new URL(`../fixture/corpus/${name}`, import.meta.url));
const ENDLESS = corpus("rhino-endless.3dm");
/** A cancelled job that does not report is ended by force after this time: it would fail the test. */
const pool = newPool(new URL("../../src/worker.ts", import.meta.url), { size: 1, spare: 0, cancelGraceMs: 100_000 });
after(() => pool.close());

const importing = (file: string, state = newTaskState()) =>
  pool.compute(importFileTask, { file, repairBehavior: "IGNORE", split: false, options: READ_OPTIONS }, state);

longTest(
  "an import in an endless loop of the library ends when it is cancelled, and its thread reads the next file",
  async () => {
    await importing(corpus("rhino-box.3dm"));
    const state = newTaskState();
    const cancelled = assert.rejects(importing(ENDLESS, state), CancelledError);
    await sleep(200);
    pool.cancel(state);
    await cancelled;
    assert.equal((await importing(corpus("rhino-box.3dm"))).parts.length, 1);
  },
);

test("a library ends after its rounds", async () => {
  const bounds = { maxBytes: 2 ** 28, maxRounds: 1e6 };
  const { instantiateWasm, check } = await boundedInstance("rhino3dm.wasm", bounds, noProgress);
  const rhino = await rhino3dm({ instantiateWasm });
  assert.throws(() => rhino.File3dm.fromByteArray(readFileSync(ENDLESS)), EndlessError);
  assert.throws(check, EndlessError);
});

longTest("the error names the file, the steps and the way out", async () => {
  await assert.rejects(importing(ENDLESS), (thrown) => {
    assert.ok(thrown instanceof ApiError);
    assert.equal(thrown.code, "OPERATION_FAILED");
    assert.match(thrown.message, /rhino-endless\.3dm.*did not end within 1 billion steps.*export it as STEP/);
    return true;
  });
});
