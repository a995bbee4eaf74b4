import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { unzipSync } from "fflate";
import { CancelledError, noProgress } from "../../src/core/progress.ts";
import { writeJob } from "../../src/feature/print/write-job.ts";
import type { Task } from "../../src/worker/task.ts";
import { box } from "../fixture/shapes.ts";
import { sceneModel, someScene } from "../fixture/some-scene.ts";
import { meshOf } from "../fixture/slices.ts";

const folder = mkdtempSync(join(tmpdir(), "printwright-job-"));
after(() => rmSync(folder, { recursive: true }));
const path = join(folder, "box.printjob");

const scene = someScene([sceneModel({ mesh: meshOf(box([4, 3, 2])) })]);

/** Writes the job with tasks that run here; `before` is awaited before each. */
async function write(before: (name: string) => Promise<void>): Promise<void> {
  const compute = async <Input, Output>(task: Task<Input, Output>, input: Input): Promise<Output> => {
    await before(task.name);
    return task.run(input, noProgress);
  };
  await writeJob(
    scene,
    { id: "6f1c0c5e-2f6b-4a53-9c2a-6a1d9c6f0a11", name: "box", created: new Date() },
    path,
    { compute, tasksAtOnce: () => 2 },
    () => {},
  );
}

test("layers are made beside the thumbnails, and follow them in the file", async () => {
  let isLayerMade = (): void => {};
  const layerMade = new Promise<void>((resolve) => (isLayerMade = resolve));
  await write(async (name) => {
    if (name === "rasteriseLayers") isLayerMade();
    // Waits for ever unless layers are made meanwhile.
    if (name === "renderThumbnails") await layerMade;
  });
  const [first, ...others] = Object.keys(unzipSync(readFileSync(path)));
  assert.match(first, /thumbnail/);
  assert.ok(others.some((name) => name.endsWith(".png")));
  rmSync(path);
});

for (const broken of ["renderThumbnails", "prepareStack", "rasteriseLayers"]) {
  test(`a job whose task ${broken} fails leaves no file, and no unhandled rejection`, async () => {
    const failing = write(async (name) => {
      if (name === broken) throw new CancelledError();
    });
    await assert.rejects(failing, CancelledError);
    // Unhandled rejections fail the test.
    await nextTurn();
    assert.deepEqual(readdirSync(folder), []);
  });
}

test("a job that is cancelled everywhere leaves no file, and no unhandled rejection", async () => {
  await assert.rejects(
    write(async () => {
      await nextTurn();
      throw new CancelledError();
    }),
    CancelledError,
  );
  await nextTurn();
  assert.deepEqual(readdirSync(folder), []);
});
