import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { longTest } from "../../fixture/long.ts";
import { ENDPOINTS } from "../../../src/feature/endpoints.ts";
import { newCompat } from "../../../src/compat/compat.ts";
import { type App, newApp } from "../../../src/http/app.ts";
import { type Printwright, newPrintwright } from "../../../src/printwright.ts";
import { newUi } from "../../../src/ui/ui.ts";
import type { Reply } from "../../fixture/client.ts";
import { box } from "../../fixture/shapes.ts";
import { binaryStl } from "../../fixture/stl-file.ts";
import { temporaryFiles } from "../../fixture/temporary-files.ts";
import { POWDER, RESIN } from "../../fixture/test-server.ts";

// Interface, "Ordering": reads do not wait. Earlier, the volumes that models have in common were computed by the read that needed
// them, and that read waited for a thread during long work of other scenes. Now the change computes them.

type Body = Reply["body"];

const file = temporaryFiles();
const CUBE = file("cube.stl", binaryStl(box([10, 10, 10])));
const PROJECT = file("project.form", "");
/** Number of scenes that stay in memory: the third one is swapped out. */
const SCENE_CACHE = 2;

/** Tasks that requests have started since the last read. */
let tasks: string[] = [];
let printwright: Printwright;
let app: App;
let closeAll: () => Promise<unknown>;

before(() => {
  printwright = newPrintwright({ maxScenes: 100, maxMemoryBytes: 2 ** 31, threads: 1 });
  const { server } = printwright.runner;
  const pool: typeof server.pool = {
    ...server.pool,
    compute(task, ...rest) {
      tasks.push(task.name);
      return server.pool.compute(task, ...rest);
    },
  };
  const compat = newCompat({ ...printwright.runner, server: { ...server, pool } }, { sceneCacheSize: SCENE_CACHE });
  const ui = newUi(compat.runner);
  app = newApp(ENDPOINTS, compat.runner, [ui.addRoutes, compat.addRoutes]);
  closeAll = () => Promise.all([ui.close(), compat.close(), printwright.close()]);
});
after(() => closeAll());

async function ask(method: string, path: string, body: object = {}): Promise<Body> {
  const bytes = new TextEncoder().encode(JSON.stringify(body));
  const rawBody = { size: bytes.length, bytes: () => bytes, release() {} };
  const env = { headers: {}, rawBody, hungUp: new AbortController().signal };
  const response = await app.fetch(new Request(`http://localhost${path}`, { method }), env);
  const text = await response.text();
  assert.ok(response.ok, `${path}: ${text}`);
  return text === "" ? undefined : JSON.parse(text);
}

const post = (path: string, body?: object): Promise<Body> => ask("POST", path, body);
const change = (action: string, body: object): Promise<Body> => post(`/v1/scene/model/${action}/`, body);

/** All scenes as reads describe them. Asserts that the reads start no task. Scenes are swapped out meanwhile. */
async function readAll(what: string): Promise<Body[]> {
  tasks = [];
  const { scenes } = await ask("GET", "/v1/scene/list/");
  for (const scene of scenes) {
    assert.deepEqual(await post("/v1/scene/get/", { scene_id: scene.id }), scene);
    assert.deepEqual(await ask("GET", `/scene/${scene.id}/`), scene);
    assert.deepEqual(await post("/v1/scene/model/list/", { scene_id: scene.id }), { models: scene.models });
    for (const { id } of scene.models) await ask("GET", `/scene/${scene.id}/models/${id}/`);
  }
  assert.deepEqual(
    tasks.filter((task) => task !== "saveForm"),
    [],
    `reads after ${what}`,
  );
  return scenes;
}

const newScene = async (combination: object): Promise<string> =>
  (await post("/v1/scene/create/", combination)).scene_id;
const importCube = async (scene_id: string): Promise<string> =>
  (await change("import", { scene_id, file: CUBE })).new_models[0].model_id;

longTest("reads start no task, whatever has changed the scene", async () => {
  const scene_id = await newScene(RESIN);
  const a = await importCube(scene_id);
  await readAll("one model");
  const b = await importCube(scene_id);
  const steps: readonly (readonly [string, () => Promise<unknown>])[] = [
    ["import", async () => {}],
    ["translate", () => change("translate", { scene_id, model_ids: [a], position: { x: 4, y: 0, z: 0 } })],
    ["orient", () => change("orient", { scene_id, model_ids: [b], orientation: { x: 0, y: 30, z: 0 } })],
    ["scale", () => change("scale", { scene_id, model_ids: [b], scale: 1.1 })],
    ["update", () => change("update", { scene_id, model_ids: [b], name: "b", units: "INCHES" })],
    ["duplicate", () => change("duplicate", { scene_id, model_ids: [a], count: 2 })],
    ["scene/update", () => post("/v1/scene/update/", { scene_id, ...POWDER })],
    ["an edit of 0.9", () => post(`/scene/${scene_id}/models/${a}/`, { scale: 1.3, position: { x: 1, y: 2, z: 3 } })],
    ["scene/update of 0.9", () => ask("PUT", `/scene/${scene_id}/`, RESIN)],
    ["delete", () => ask("DELETE", "/v1/scene/model/delete/", { scene_id, model_ids: [b] })],
    ["save", () => post("/v1/scene/save/", { scene_ids: [scene_id], file: PROJECT })],
    ["open", () => post("/v1/scene/open/", { file: PROJECT })],
    ["open of 0.9", () => post("/load-form/", { file: PROJECT })],
  ];
  for (const [what, step] of steps) {
    await step();
    await readAll(what);
  }
  const { scenes } = await ask("GET", "/v1/scene/list/");
  assert.ok(scenes.length > SCENE_CACHE + 1, "some scene is at rest");
});

test("reads start no task after undo, redo, and scenes that are swapped in", async () => {
  const abort = new AbortController();
  const events = await app.fetch(new Request("http://localhost/ui/events", { signal: abort.signal }), {
    headers: {},
    rawBody: { size: 0, bytes: () => new Uint8Array(), release() {} },
    hungUp: abort.signal,
  });
  const scene_id = await newScene(RESIN);
  await importCube(scene_id);
  await importCube(scene_id);
  await change("translate", { scene_id, position: { x: 3, y: 0, z: 0 }, mode: "RELATIVE" });
  for (const move of ["undo", "undo", "redo", "redo"]) {
    await post(`/ui/scene/${scene_id}/${move}`);
    await readAll(move);
  }
  await ask("DELETE", "/v1/scene/delete/", { scene_id });
  await post("/ui/undo-delete");
  await readAll("undo-delete");
  await events.body?.cancel();
  abort.abort();
});
