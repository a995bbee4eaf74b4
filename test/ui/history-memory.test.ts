import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import process from "node:process";
import { defaultSetting } from "../../src/catalog/resolve.ts";
import { newMemoryBudget } from "../../src/core/memory-budget.ts";
import { IDENTITY_POSE } from "../../src/geometry/pose.ts";
import { replaceScene } from "../../src/scene/edit.ts";
import { type Model, type Scene, newStore } from "../../src/scene/project.ts";
import { newHistory } from "../../src/ui/history.ts";
import { UNKNOWN_ID } from "../fixture/test-server.ts";
import { box } from "../fixture/shapes.ts";
import { meshOf } from "../fixture/stage.ts";

// How long earlier states are kept: by memory, and by time.

const SETTING = defaultSetting();
const MESH_BYTES = 2 ** 20;

/** A scene with one model whose mesh, by its arrays, takes a MiB. */
function sceneOf(
  name: string,
  mesh = { ...meshOf(box([1, 2, 3])), vertices: new Float32Array(MESH_BYTES / 4) },
): Scene {
  const model = { id: name, name, mesh, pose: IDENTITY_POSE } as unknown as Model;
  return { id: UNKNOWN_ID, setting: SETTING, models: [model], cages: [] };
}

const MIB = 2 ** 20;

/** The number of changes that can be undone after these changes, with a budget of so many bytes. */
async function keptOf(limitBytes: number | undefined, scenes: readonly Scene[]): Promise<number> {
  const store = newStore({ scenes: [sceneOf("first")] });
  const budget = limitBytes === undefined ? undefined : newMemoryBudget(limitBytes);
  const history = newHistory(store, { maxScenes: 10, budget });
  history.open();
  for (const scene of scenes) store.commit((project) => replaceScene(project, scene));
  await sleep(20);
  const { undo_count } = history.counts(UNKNOWN_ID);
  history.close();
  return undo_count;
}

const DIFFERENT = Array.from({ length: 20 }, (_, i) => sceneOf(`${i}`));

test("meshes of earlier states are kept while memory is free, and not otherwise", async () => {
  assert.equal(await keptOf(undefined, DIFFERENT), 20);
  assert.equal(await keptOf(64 * process.memoryUsage.rss(), DIFFERENT), 20);
  // The process takes more than such a budget: nothing is free.
  assert.equal(await keptOf(MIB, DIFFERENT), 0);
});

test("states that share their meshes with the present one take none", async () => {
  const { mesh } = DIFFERENT[0].models[0];
  const alike = Array.from({ length: 20 }, (_, i) => sceneOf(`${i}`, mesh as never));
  assert.equal(await keptOf(MIB, alike), 19);
});

test("of states that fit in part the oldest go", async () => {
  const rss = process.memoryUsage.rss();
  // Half of what is free is for them: 4.5 MiB of it.
  const kept = await keptOf(rss + 9 * MIB, DIFFERENT);
  assert.ok(kept > 0 && kept < 20, String(kept));
});

test("states go some time after the last page was closed, unless another one opens", async () => {
  const store = newStore({ scenes: [sceneOf("first")] });
  const history = newHistory(store, { maxScenes: 10, keepMs: 30 });
  const close = history.open();
  store.commit((project) => replaceScene(project, DIFFERENT[0]));
  close();
  close();
  const closeAgain = history.open();
  await sleep(60);
  assert.equal(history.counts(UNKNOWN_ID).undo_count, 1);
  closeAgain();
  store.commit((project) => replaceScene(project, DIFFERENT[1]));
  assert.equal(history.counts(UNKNOWN_ID).undo_count, 2);
  await sleep(60);
  assert.equal(history.counts(UNKNOWN_ID).undo_count, 0);
  store.commit((project) => replaceScene(project, DIFFERENT[2]));
  assert.equal(history.counts(UNKNOWN_ID).undo_count, 0);
});
