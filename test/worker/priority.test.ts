import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { getPriority } from "node:os";
import { test } from "node:test";
import { newTaskState } from "../../src/core/progress.ts";
import { newPool } from "../../src/worker/pool.ts";
import { computeOutlinesTask } from "../../src/feature/placement/task.ts";

/** `nice` of the threads of this process that are not among `known` (proc(5), "stat"). Other tests may end theirs meanwhile. */
function niceOfThreads(known: readonly string[]): number[] {
  return readdirSync("/proc/self/task").flatMap((id) => {
    const path = `/proc/self/task/${id}/stat`;
    if (known.includes(id) || !existsSync(path)) return [];
    const stat = readFileSync(path, "utf8");
    // The name, in brackets, may have spaces.
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[16]);
  });
}

test("threads that compute yield to the one that answers", { skip: process.platform !== "linux" }, async () => {
  const own = getPriority();
  const before = readdirSync("/proc/self/task");
  const pool = newPool(new URL("../../src/worker.ts", import.meta.url), { size: 1 });
  await pool.compute(computeOutlinesTask, [], newTaskState());
  const during = niceOfThreads(before);
  await pool.close();
  assert.ok(during.includes(Math.min(19, own + 5)), during.join());
  assert.equal(getPriority(), own);
});
