import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { settingFromFps, toFpsDocument } from "../../src/catalog/custom-print-setting.ts";
import { operationFailed } from "../../src/core/api-error.ts";
import { noProgress } from "../../src/core/progress.ts";
import { writeModels } from "../../src/feature/print/write-models.ts";
import { readModelsArchive } from "../../src/printer/maker-server/models-archive.ts";
import type { Scene } from "../../src/scene/project.ts";
import type { Task } from "../../src/worker/task.ts";
import { box } from "../fixture/shapes.ts";
import { meshOf } from "../fixture/slices.ts";
import { POWDER_SETTING, RESIN_SETTING, sceneModel, someScene } from "../fixture/some-scene.ts";
import { surfaceOfStl } from "../fixture/surface-edits.ts";

const folder = mkdtempSync(join(tmpdir(), "printwright-models-"));
after(() => rmSync(folder, { recursive: true }));
const path = join(folder, "plate.tar");

const block = (size: number, x: number) =>
  sceneModel({
    name: `block ${size}`,
    mesh: meshOf(box([size, size, size])),
    pose: { position: [x, 0, size / 2], orientation: { x: 0, y: 0, z: 0 }, scale: 1 },
  });

/** Writes with tasks that run here, `atOnce` of them together; `before` is awaited before each. */
async function write(scene: Scene, atOnce = 1, before: (index: number) => Promise<void> = async () => {}) {
  const compute = async <Input, Output>(task: Task<Input, Output>, input: Input): Promise<Output> => {
    await before((input as { index?: number }).index ?? 0);
    return task.run(input, noProgress);
  };
  return writeModels(scene, path, { compute, tasksAtOnce: () => atOnce }, () => {});
}

test("the archive has the models in their order, with their places, on any number of threads", async () => {
  const scene = someScene([block(4, -20), block(8, 0), block(2, 30)]);
  const totals = await write(scene);
  const bytes = readFileSync(path);
  await write(scene, 3, async (index) => {
    for (let turns = 3 - index; turns > 0; turns--) await nextTurn();
  });
  assert.deepEqual(readFileSync(path), bytes);
  const { models, scene_settings, fps } = await readModelsArchive(path);
  assert.equal(fps, undefined);
  assert.equal(scene_settings.machine_type, RESIN_SETTING.combination.machineType);
  assert.deepEqual(
    models.map(({ name, box: { min_corner, max_corner } }) => [
      name,
      min_corner.x,
      max_corner.x,
      min_corner.z,
      max_corner.z,
    ]),
    [
      ["block 4", -22, -18, 0, 4],
      ["block 8", -4, 4, 0, 8],
      ["block 2", 29, 31, 0, 2],
    ],
  );
  const { from, to } = models[1]!.content;
  assert.equal(surfaceOfStl(bytes.subarray(from, to)).triangles.length, 36);
  const { combination } = RESIN_SETTING;
  assert.equal(totals.layerCount, Math.round(8 / (combination.layerThicknessMm as number)));
  assert.ok(Math.abs(totals.materialMl - (64 + 512 + 8) / 1000) < 1e-6);
  assert.ok(totals.printTimeS > totals.preprintTimeS);
});

test("a custom print setting is in the archive, and powder has its own totals", async () => {
  const custom = settingFromFps(toFpsDocument(RESIN_SETTING));
  await write(someScene([block(4, 0)], custom));
  const { fps } = await readModelsArchive(path);
  const document = JSON.parse(String(readFileSync(path).subarray(fps!.from, fps!.to)));
  assert.deepEqual(document, toFpsDocument(custom));
  const totals = await write(someScene([block(10, 0)], POWDER_SETTING));
  assert.ok(totals.coolingTimeS! > 0);
  assert.ok(Math.abs(totals.materialMl - 1) < 1e-6);
});

test("a model that fails leaves no file", async () => {
  rmSync(path, { force: true });
  const failing = write(someScene([block(4, 0), block(5, 20)]), 2, async (index) => {
    if (index === 1) throw operationFailed("Too large.");
  });
  await assert.rejects(failing, /Too large/);
  await nextTurn();
  assert.deepEqual(readdirSync(folder), []);
});
