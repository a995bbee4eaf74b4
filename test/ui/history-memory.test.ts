import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import process from "node:process";
import { defaultSetting } from "../../src/catalog/resolve.ts";
import { newMemoryBudget } from "../../src/core/memory-budget.ts";
import { IDENTITY_POSE } from "../../src/geometry/pose.ts";
import { replaceScene } from "../../src/scene/edit.ts";
import { type Model, type Scene, newStore } from "../../src/scene/project.ts";
import { SceneHistory } from "../../src/ui/history.ts";
import { UNKNOWN_ID } from "../fixture/test-server.ts";
import { box } from "../fixture/shapes.ts";
import { meshOf } from "../fixture/stage.ts";

// Limits on kept states: memory and time.

const SETTING = defaultSetting();
const MESH_BYTES = 2 ** 20;

/** A scene with one model whose mesh takes 1 MiB. */
function sceneOf(
  name: string,
  mesh = { ...meshOf(box([1, 2, 3])), vertices: new Float32Array(MESH_BYTES / 4) },
): Scene {
  const model = { id: name, name, mesh, pose: IDENTITY_POSE } as unknown as Model;
  return { id: UNKNOWN_ID, setting: SETTING, models: [model], cages: [] };
}

const MIB = 2 ** 20;

/** Returns how many of these changes can be undone with a memory budget of `limitBytes`. */
async function keptOf(limitBytes: number | undefined, scenes: readonly Scene[]): Promise<number> {
  const store = newStore({ scenes: [sceneOf("first")] });
  const budget = limitBytes === undefined ? undefined : newMemoryBudget(limitBytes);
  const history = new SceneHistory(store, { maxScenes: 10, budget });
  history.open();
  for (const scene of scenes) store.commit((project) => replaceScene(project, scene));
  await sleep(20);
  const { undo_count } = history.counts(UNKNOWN_ID);
  history.close();
  return undo_count;
}

const DIFFERENT = Array.from({ length: 20 }, (_, i) => sceneOf(`${i}`));

test("earlier states with other meshes are kept only while memory is free", async () => {
  assert.equal(await keptOf(undefined, DIFFERENT), 20);
  assert.equal(await keptOf(64 * process.memoryUsage.rss(), DIFFERENT), 20);
  // The process itself exceeds this budget: no memory is free.
  assert.equal(await keptOf(MIB, DIFFERENT), 0);
});

test("states that share their meshes with the current one need no memory", async () => {
  const { mesh } = DIFFERENT[0].models[0];
  const alike = Array.from({ length: 20 }, (_, i) => sceneOf(`${i}`, mesh as never));
  assert.equal(await keptOf(MIB, alike), 19);
});

test("the oldest states are dropped if not all fit", async () => {
  const rss = process.memoryUsage.rss();
  // States may use half of the free memory: 4.5 MiB.
  const kept = await keptOf(rss + 9 * MIB, DIFFERENT);
  assert.ok(kept > 0 && kept < 20, String(kept));
});

test("states are dropped some time after the last page closes, unless another one opens", async () => {
  const store = newStore({ scenes: [sceneOf("first")] });
  const history = new SceneHistory(store, { maxScenes: 10, keepMs: 30 });
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
