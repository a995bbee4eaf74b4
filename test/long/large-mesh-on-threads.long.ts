import assert from "node:assert/strict";
import { test } from "node:test";
import type { Compute } from "../../src/worker/compute.ts";
import { newTaskState, noProgress } from "../../src/core/progress.ts";
import { importFile } from "../../src/feature/import/import-file.ts";
import { importOnThreads } from "../../src/feature/import/import-on-threads.ts";
import type { ImportRequest } from "../../src/feature/import/stored-file.ts";
import { orientOnThreads } from "../../src/feature/orient/orient-on-threads.ts";
import { triangleCount } from "../../src/mesh/mesh.ts";
import { orientModel } from "../../src/orient/orient-model.ts";
import { newPool } from "../../src/worker/pool.ts";
import { gyroidBlock } from "../fixture/gyroid.ts";
import { orientRequest } from "../fixture/orienting.ts";
import { READ_OPTIONS } from "../fixture/read-model.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";

const write = temporaryFiles();

test("a gyroid of 600,000 facets is imported and oriented as by one thread, by any number of threads", async () => {
  const file = write("gyroid.stl", binaryStl(gyroidBlock(3, 34)));
  const request: ImportRequest = { file, repairBehavior: "REPAIR", split: false, options: READ_OPTIONS };
  const [alone] = (await importFile(request, noProgress)).parts;
  assert.ok(alone && triangleCount(alone.mesh) > 500_000);
  const orientation = orientModel(orientRequest(alone.mesh), noProgress);
  for (const size of [1, 2, 5]) {
    const pool = newPool(new URL("../../src/worker.ts", import.meta.url), { size });
    const ran = new Set<string>();
    const context: Compute = {
      compute(task, input) {
        ran.add(task.name);
        return pool.compute(task, input, newTaskState());
      },
      tasksAtOnce: pool.tasksAtOnce,
    };
    const [part] = (await importOnThreads(request, context)).parts;
    assert.ok(part);
    assert.deepEqual({ ...part.mesh, facts: undefined }, { ...alone.mesh, facts: undefined });
    const item = { input: orientRequest(part.mesh), index: 0, count: 1 };
    assert.deepEqual(await orientOnThreads(item, context), orientation);
    assert.ok(ran.has("searchShare") && ran.has("refineStart"), [...ran].join(" "));
    await pool.close();
  }
});
