import assert from "node:assert/strict";
import { readdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { PROCESS_STARTED_MS, newTemporaryName } from "../../src/core/temporary-file.ts";
import { newTaskState } from "../../src/core/progress.ts";
import { newPool } from "../../src/worker/pool.ts";
import { PROJECT } from "../fixture/form-project.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";
import { saveFormTask } from "../../src/feature/projects/task.ts";

// The clock of a thread began with the thread: a new thread mistook files that other threads were writing for files of a killed
// process.

const file = temporaryFiles();

test("a thread that starts later leaves the unfinished files of other threads alone, and removes older ones", async () => {
  const path = file("new.form", "");
  const folder = dirname(path);
  const [ours, older] = [newTemporaryName(), newTemporaryName()];
  for (const [name, writtenMs] of [
    [ours, PROCESS_STARTED_MS + 10],
    [older, PROCESS_STARTED_MS - 1000],
  ] as const) {
    writeFileSync(join(folder, name), "");
    utimesSync(join(folder, name), writtenMs / 1000, writtenMs / 1000);
  }
  const pool = newPool(new URL("../../src/worker.ts", import.meta.url), { size: 1 });
  await pool.compute(saveFormTask, { file: path, document: PROJECT }, newTaskState());
  await pool.close();
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.endsWith(".part")),
    [ours],
  );
});
