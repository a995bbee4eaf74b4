import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type ChangeListener, type PageClient, pageClient } from "../fixture/page-client.ts";
import { startPrintwright } from "../fixture/printwright.ts";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { type TestServer, bodyOf, openTestServer } from "../fixture/test-server.ts";

// Events of changes, undo and redo.

let server: TestServer;
let page: PageClient;
let block: string;
let listener: ChangeListener;
before(async () => {
  server = await openTestServer();
  page = pageClient(server.printwright.port);
  block = server.file("block.stl", binaryStl(box([10, 20, 30])));
  listener = await page.listen();
  await listener.next();
});
after(async () => {
  await listener.stop();
  await server.close();
});

const move = async (scene_id: string, x: number): Promise<unknown> =>
  bodyOf(await server.ask("translate", { scene_id, position: { x, y: 0, z: 0 } }));
const positions = async (scene_id: string): Promise<number[]> =>
  (await server.models(scene_id)).map(({ position }) => position.x);
const step = async (scene_id: string, path: "undo" | "redo"): Promise<number> =>
  (await page.post(`/ui/scene/${scene_id}/${path}/`)).status;

/** Waits for an event with this version of a scene or a later one; undefined waits until the scene is deleted. */
async function waitForVersion(scene_id: string, version: number | undefined): Promise<void> {
  for (;;) {
    const { scenes } = await listener.next();
    const found = scenes.find(({ id }) => id === scene_id)?.version;
    if (version === undefined ? found === undefined : (found ?? 0) >= version) return;
  }
}

test("each change increases the version of its own scene only, and sends an event", async () => {
  const [scene_id, other] = [await server.newScene(), await server.newScene()];
  const versions = async () => [(await page.summary(scene_id)).version, (await page.summary(other)).version];
  const [before, otherBefore] = await versions();
  await server.importOne(scene_id, block);
  const [after, otherAfter] = await versions();
  assert.ok(after > before);
  assert.equal(otherAfter, otherBefore);
  await waitForVersion(scene_id, after);
  bodyOf(await server.printwright.call("DELETE", "/v1/scene/delete/", { scene_id }));
  await waitForVersion(scene_id, undefined);
});

test("joined changes are undone and redone in one step, and earlier changes separately", async () => {
  const scene_id = await server.newScene();
  await server.importOne(scene_id, block);
  await move(scene_id, 1);
  const { version } = await page.summary(scene_id);
  for (const x of [2, 3, 4]) await move(scene_id, x);
  assert.equal((await page.post(`/ui/scene/${scene_id}/join/?since=${version}`)).status, 200);
  assert.equal((await page.summary(scene_id)).undo_count, 3);
  assert.equal(await step(scene_id, "undo"), 200);
  assert.deepEqual(await positions(scene_id), [1]);
  assert.equal(await step(scene_id, "redo"), 200);
  assert.deepEqual(await positions(scene_id), [4]);
  // Joining the changes after the current version, or after a version that is no longer kept, has no effect.
  const present = (await page.summary(scene_id)).version;
  for (const since of [present, present + 1000]) await page.post(`/ui/scene/${scene_id}/join/?since=${since}`);
  assert.equal((await page.summary(scene_id)).undo_count, 3);
  await step(scene_id, "undo");
  await step(scene_id, "undo");
  assert.equal((await page.summary(scene_id)).undo_count, 1);
});

test("changes are undone and redone in order, and a new change drops the undone ones", async () => {
  const scene_id = await server.newScene();
  await server.importOne(scene_id, block);
  for (const x of [1, 2, 3]) await move(scene_id, x);
  assert.equal((await page.summary(scene_id)).undo_count, 4);
  assert.equal(await step(scene_id, "undo"), 200);
  assert.equal(await step(scene_id, "undo"), 200);
  assert.deepEqual(await positions(scene_id), [1]);
  assert.equal(await step(scene_id, "redo"), 200);
  assert.deepEqual(await positions(scene_id), [2]);
  await move(scene_id, 10);
  assert.equal(await step(scene_id, "redo"), 400);
  assert.equal(await step(scene_id, "undo"), 200);
  assert.deepEqual(await positions(scene_id), [2]);
  const { undo_count, redo_count, version } = await page.scene(scene_id);
  assert.deepEqual([undo_count, redo_count], [3, 1]);
  await waitForVersion(scene_id, version);
});

test("a new name leaves undone changes to be made again, with that name", async () => {
  const scene_id = await server.newScene();
  const id = await server.importOne(scene_id, block);
  await move(scene_id, 5);
  assert.equal(await step(scene_id, "undo"), 200);
  const [{ name: nameBefore, position }] = await server.models(scene_id);
  bodyOf(await server.ask("update", { scene_id, model_ids: [id], name: "shaft" }));
  const { undo_count, redo_count } = await page.summary(scene_id);
  assert.deepEqual([undo_count, redo_count], [2, 1]);
  const states = async () => (await server.models(scene_id)).map((one) => [one.name, one.position.x]);
  assert.equal(await step(scene_id, "redo"), 200);
  assert.deepEqual(await states(), [["shaft", 5]]);
  for (const name of ["shaft", nameBefore]) {
    assert.equal(await step(scene_id, "undo"), 200);
    assert.deepEqual(await states(), [[name, position.x]]);
  }
});

test("50 changes can be undone, not 51", async () => {
  const scene_id = await server.newScene();
  for (let i = 0; i < 51; i++) await server.importOne(scene_id, block);
  for (let i = 0; i < 50; i++) assert.equal(await step(scene_id, "undo"), 200);
  assert.equal((await server.models(scene_id)).length, 1);
  assert.equal(await step(scene_id, "undo"), 400);
});

test("deleted models and a deleted scene can be restored", async () => {
  const scene_id = await server.newScene();
  const id = await server.importOne(scene_id, block);
  bodyOf(await server.ask("delete", { scene_id }));
  assert.equal(await step(scene_id, "undo"), 200);
  assert.deepEqual(
    (await server.models(scene_id)).map((model) => model.id),
    [id],
  );
  const { version } = await page.scene(scene_id);
  bodyOf(await server.printwright.call("DELETE", "/v1/scene/delete/", { scene_id }));
  assert.ok((await page.state()).deleted_count > 0);
  assert.equal((await page.post("/ui/undo-delete/")).status, 200);
  assert.deepEqual(
    (await server.models(scene_id)).map((model) => model.id),
    [id],
  );
  assert.ok((await page.scene(scene_id)).version > version);
});

test("a server without a page keeps no earlier states, and stops while a page listens", async () => {
  const alone = await startPrintwright();
  const client = pageClient(alone.port);
  const [{ id }] = (await client.state()).scenes;
  bodyOf(await alone.post("/v1/scene/model/import/", { scene_id: id, file: block }));
  assert.equal((await client.summary(id)).undo_count, 0);
  assert.equal((await client.post(`/ui/scene/${id}/undo/`)).status, 400);
  const open = await client.listen();
  await open.next();
  assert.equal(await alone.stop(), 0);
  await open.stop().catch(() => {});
});
