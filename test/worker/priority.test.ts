import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { getPriority } from "node:os";
import { test } from "node:test";
import { newTaskState } from "../../src/core/progress.ts";
import { newPool } from "../../src/worker/pool.ts";

/** `nice` of all threads of this process (proc(5), "stat"). */
function niceOfThreads(): number[] {
  return readdirSync("/proc/self/task").map((id) => {
    const stat = readFileSync(`/proc/self/task/${id}/stat`, "utf8");
    // The name, in brackets, may have spaces.
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[16]);
  });
}

test("threads that compute give way to the one that answers", { skip: process.platform !== "linux" }, async () => {
  const own = getPriority();
  const before = niceOfThreads();
  const pool = newPool(new URL("../../src/worker.ts", import.meta.url), { size: 1 });
  await pool.compute("computeOutlines", [], newTaskState());
  const lower = (all: readonly number[]): number => all.filter((nice) => nice === Math.min(19, own + 5)).length;
  const during = niceOfThreads();
  await pool.close();
  assert.ok(lower(during) > lower(before));
  assert.equal(getPriority(), own);
});
