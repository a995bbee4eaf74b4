import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { Endpoint } from "../../src/api/endpoint.ts";
import { newMemoryBudget } from "../../src/core/memory-budget.ts";
import { ENDPOINTS } from "../../src/feature/endpoints.ts";
import { type RunningServer, startServer } from "../../src/server.ts";
import { type Preview, Previews } from "../../src/ui/previews.ts";
import type { PagePreview } from "../../src/ui/replies.ts";
import { newSceneVersions } from "../../src/ui/scene-versions.ts";
import { type Reply, call } from "../fixture/client.ts";
import { inProcess } from "../fixture/in-process.ts";
import { type PageClient, pageClient } from "../fixture/page-client.ts";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";
import { RESIN, assertRefused, bodyOf } from "../fixture/test-server.ts";

// Changes that are computed and not made, and made later.

const file = temporaryFiles();
const BLOCK = file("block.stl", binaryStl(box([10, 20, 30])));
const STRETCH = "/v1/scene/model/stretch/";
const TRANSLATE = "/v1/scene/model/translate/";

let running: RunningServer;
let page: PageClient;
before(async () => {
  running = await startServer({ port: 0, allowedHosts: [], maxScenes: 10, maxMemoryBytes: 2 ** 32 });
  page = pageClient(running.port);
});
after(() => running.stop());

const post = (path: string, body?: unknown): Promise<Reply> => call(running.port, "POST", path, body);

/** A scene of two blocks, and their ids. */
async function twoBlocks(): Promise<{ scene_id: string; ids: string[] }> {
  const { scene_id } = bodyOf(await post("/v1/scene/create/", RESIN));
  const ids: string[] = [];
  for (let i = 0; i < 2; i++) {
    const { new_models } = bodyOf(await post("/v1/scene/model/import/", { scene_id, file: BLOCK }));
    ids.push(new_models[0].model_id);
  }
  return { scene_id, ids };
}

const preview = (path: string, body: object): Promise<Reply> => post("/ui/preview/", { path, body });
const apply = (token: string): Promise<Reply> => post(`/ui/preview/${token}/apply/`);
const factors = { x: 2, y: 1, z: 1 };

test("a preview shows the changed models with their meshes and changes nothing, until it is applied", async () => {
  const { scene_id, ids } = await twoBlocks();
  const listener = await page.listen();
  const [before, { undo_count, version }] = [await page.scene(scene_id), await page.summary(scene_id)];
  const shown: PagePreview = bodyOf(await preview(STRETCH, { scene_id, model_ids: [ids[1]], factors }));
  assert.equal(shown.version, version);
  assert.deepEqual([shown.removed_model_ids, shown.answer], [[], { modified_model_ids: [ids[1]] }]);
  assert.deepEqual(
    shown.scene.models.map(({ id }) => id),
    [ids[1]],
  );
  const [{ mesh }] = shown.scene.models;
  assert.notEqual(mesh, before.models[1].mesh);
  const widths = (await page.mesh(mesh)).vertices.filter((_, i) => i % 3 === 0);
  assert.equal(Math.max(...widths) - Math.min(...widths), 20);
  assert.deepEqual(await page.scene(scene_id), before);
  const applied = bodyOf(await apply(shown.token));
  const after = await page.scene(scene_id);
  assert.deepEqual(after.models, [before.models[0], shown.scene.models[0]]);
  assert.deepEqual(
    applied,
    await page
      .summary(scene_id)
      .then(({ id, version, undo_count, redo_count }) => ({ id, version, undo_count, redo_count })),
  );
  assert.ok(after.version > version);
  assert.equal(after.undo_count, undo_count + 1);
  assertRefused(await apply(shown.token), "NOT_FOUND");
  await listener.stop();
});

test("a preview of a scene that has changed since is refused with 409 and changes nothing", async () => {
  const { scene_id, ids } = await twoBlocks();
  const { token } = bodyOf(await preview("/v1/scene/model/duplicate/", { scene_id, model_ids: [ids[0]], count: 2 }));
  bodyOf(await post(TRANSLATE, { scene_id, position: { x: 3, y: 0, z: 0 } }));
  const before = await page.scene(scene_id);
  assertRefused(await apply(token), "STALE_STATE", /request it again/);
  assert.deepEqual(await page.scene(scene_id), before);
});

test("removed models are named, and requests that fail or change no single scene have no preview", async () => {
  const { scene_id, ids } = await twoBlocks();
  const body = { scene_id, model_id: ids[0], replacement_model_id: ids[1] };
  const shown: PagePreview = bodyOf(await preview("/v1/scene/model/replace/", body));
  assert.deepEqual(shown.removed_model_ids, [ids[0]]);
  assertRefused(
    await preview(STRETCH, { scene_id, factors: { x: 0, y: 1, z: 1 } }),
    "JSON_SCHEMA_MATCH_ERROR",
    /factors/,
  );
  assertRefused(await preview(STRETCH, { scene_id, model_ids: [scene_id], factors }), "NOT_FOUND");
  for (const path of ["/v1/scene/delete/", "/v1/scene/save/", "/v1/scene/get/", "/v1/scene/prepare/", "/x/"])
    assertRefused(await preview(path, { scene_id }), "INPUT_ERROR", /no preview/);
  assertRefused(await post("/ui/preview/", { path: STRETCH }), "JSON_SCHEMA_MATCH_ERROR");
  for (const tab of [1, "t".repeat(101)])
    assertRefused(await post("/ui/preview/", { path: STRETCH, body, tab }), "JSON_SCHEMA_MATCH_ERROR", /tab/);
});

const { runner, newScene, importShape, scene } = inProcess();
const versions = newSceneVersions(runner.server.store);

const endpointOf = (path: string): Endpoint => ENDPOINTS.find((one) => one.path === path)!;
const never = new AbortController().signal;

/** A preview that stretches the models of a scene. */
const stretched = (
  previews: Previews,
  scene_id: string,
  x: number,
  { tab = "", hungUp = never } = {},
): Promise<Preview> =>
  previews.make(endpointOf(STRETCH), { body: { scene_id, factors: { x, y: 1, z: 1 } }, query: {} }, { tab, hungUp });

async function blockScene(): Promise<string> {
  const scene_id = await newScene();
  await importShape(scene_id);
  return scene_id;
}

/** Whether each of these previews can be applied, which does not count as a change here. */
async function areKept(previews: Previews, made: readonly Preview[]): Promise<boolean[]> {
  const kept: boolean[] = [];
  for (const { token } of made)
    kept.push(
      await previews.apply(token).then(
        () => true,
        () => false,
      ),
    );
  return kept;
}

test("a newer preview of the same tool cancels the running one and replaces the kept one", async () => {
  const previews = new Previews(runner, versions);
  const scene_id = await blockScene();
  const first = await stretched(previews, scene_id, 2);
  const cancelled = stretched(previews, scene_id, 3);
  const last = stretched(previews, scene_id, 4);
  await assert.rejects(cancelled, { code: "OPERATION_CANCELLED" });
  assert.deepEqual(await areKept(previews, [first, await last]), [false, true]);
  assert.equal(scene(scene_id).models[0].mesh.hash, (await last).after.models[0].mesh.hash);
});

test("a preview of another tab cancels and replaces none", async () => {
  const previews = new Previews(runner, versions);
  const scene_id = await blockScene();
  const tabs = ["one", "other"];
  const both = await Promise.all(tabs.map((tab, i) => stretched(previews, scene_id, 2 + i, { tab })));
  await stretched(previews, scene_id, 4, { tab: "one" });
  assert.deepEqual(await areKept(previews, both), [false, true]);
});

test("a preview for which nobody waits any more is cancelled", async () => {
  const previews = new Previews(runner, versions);
  const hangingUp = new AbortController();
  const cancelled = stretched(previews, await blockScene(), 2, { hungUp: hangingUp.signal });
  hangingUp.abort();
  await assert.rejects(cancelled, { code: "OPERATION_CANCELLED" });
});

test("the four newest previews are kept, for a limited time, and until a task finds too little memory", async () => {
  const previews = new Previews(runner, versions);
  const scenes = await Promise.all(Array.from({ length: 5 }, blockScene));
  const makeAll = async (kept = previews): Promise<Preview[]> => {
    const made: Preview[] = [];
    for (const scene_id of scenes) made.push(await stretched(kept, scene_id, 2));
    return made;
  };
  assert.deepEqual(await areKept(previews, await makeAll()), [false, true, true, true, true]);
  const dropped = await makeAll();
  runner.server.pool.held.dropKept();
  assert.deepEqual(await areKept(previews, dropped), [false, false, false, false, false]);
  const brief = new Previews(runner, versions, { keepMs: 1 });
  const old = await stretched(brief, scenes[0], 2);
  await sleep(20);
  assert.deepEqual(await areKept(brief, [old]), [false]);
  // The process itself exceeds this budget: only the newest preview is kept.
  const tight = new Previews(runner, versions, { budget: newMemoryBudget(2 ** 20) });
  assert.deepEqual(await areKept(tight, await makeAll(tight)), [false, false, false, false, true]);
});
