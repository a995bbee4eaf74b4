import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { PageOverlaps } from "../../src/ui/replies.ts";
import { type PageClient, pageClient } from "../fixture/page-client.ts";
import { longTest } from "../fixture/long.ts";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { moved } from "../fixture/surface-edits.ts";
import { type TestServer, UNKNOWN_ID, bodyOf, openTestServer } from "../fixture/test-server.ts";
import { concatenateSurfaces } from "../../src/mesh/mesh.ts";

// Findings of checks, and overlaps, as pages show them.

let server: TestServer;
let page: PageClient;
let scene_id: string;
let ids: readonly string[];
before(async () => {
  server = await openTestServer();
  page = pageClient(server.printwright.port);
  const hovering = concatenateSurfaces([box([6, 6, 2]), moved(box([3, 3, 3]), [9, 0, 8])]);
  const files = [server.file("block.stl", binaryStl(box([8, 8, 8]))), server.file("hovering.stl", binaryStl(hovering))];
  scene_id = await server.newScene();
  ids = [await server.importOne(scene_id, files[0]), await server.importOne(scene_id, files[1])];
  await place(ids[0], -40);
  await place(ids[1], 40);
});
after(() => server.close());

const place = async (id: string, x: number): Promise<void> => {
  bodyOf(await server.ask("translate", { scene_id, model_ids: [id], position: { x, y: 0, z: 0 } }));
};
const post = async (path: string, body: object = {}): Promise<any> =>
  bodyOf(await server.printwright.post(path, { scene_id, ...body }));
const check = (): Promise<any> => post("/v1/scene/check/");

test("every page shows the findings of the last check, and which of them an edit made old, until it is undone", async () => {
  const changes = await page.listen();
  const checkedAt = async (): Promise<string | null> =>
    (await changes.next()).scenes.find(({ id }) => id === scene_id)!.checked_at;
  assert.equal(await checkedAt(), null);
  assert.equal((await page.scene(scene_id)).findings, null);
  const { status, findings } = await check();
  assert.equal(status, "ERROR");
  const shown = (await page.scene(scene_id)).findings!;
  assert.equal(shown.checked_at, await checkedAt());
  assert.equal(shown.status, "ERROR");
  assert.deepEqual(
    shown.findings,
    findings.map((one: object) => ({ ...one, is_old: false })),
  );
  assert.ok(shown.checks.every(({ old_model_ids }) => old_model_ids.length === 0));
  assert.equal(shown.checks.length, 7);

  bodyOf(await server.ask("scale", { scene_id, model_ids: [ids[1]], scale: 1.5 }));
  const edited = (await page.scene(scene_id)).findings!;
  assert.ok(edited.findings.length > 0 && edited.findings.every(({ is_old }) => is_old));
  assert.ok(edited.checks.every(({ old_model_ids }) => old_model_ids.join() === ids[1]));
  await page.post(`/ui/scene/${scene_id}/undo/`);
  assert.deepEqual((await page.scene(scene_id)).findings, shown);
  await changes.stop();
});

test("an accepted finding is grey in every page, and stays so in a saved project", async () => {
  const { findings } = await check();
  await post("/v1/scene/check/accept/", { finding_ids: findings.map(({ id }: { id: string }) => id) });
  const shown = (await page.scene(scene_id)).findings!;
  assert.equal(shown.status, "OK");
  assert.ok(shown.findings.every(({ accepted }) => accepted));
  const file = `${server.folder}/accepted.form`;
  bodyOf(await server.printwright.post("/v1/scene/save/", { scene_ids: [scene_id], file }));
  const { scenes } = bodyOf(await server.printwright.post("/v1/scene/open/", { file }));
  const opened = bodyOf(await server.printwright.post("/v1/scene/check/", { scene_id: scenes[0].scene_id }));
  assert.equal(opened.status, "OK");
  assert.deepEqual(
    opened.findings.map(({ id }: { id: string }) => id),
    findings.map(({ id }: { id: string }) => id),
  );
});

test("overlaps name both models and a point in both, and go when the models are apart", async () => {
  const overlaps = async (): Promise<PageOverlaps> => (await page.get(`/ui/scene/${scene_id}/overlaps/`)).json();
  assert.deepEqual((await overlaps()).overlaps, []);
  await place(ids[0], 42);
  const { version, overlaps: found } = await overlaps();
  assert.equal(version, (await page.scene(scene_id)).version);
  assert.equal(found.length, 1);
  const [{ model_ids, point }] = found;
  assert.deepEqual(new Set(model_ids), new Set(ids));
  for (const { bounding_box } of await server.models(scene_id)) {
    const { min_corner: a, max_corner: b } = bounding_box;
    for (const [i, axis] of (["x", "y", "z"] as const).entries())
      assert.ok(a[axis] - 1e-3 <= point[i] && point[i] <= b[axis] + 1e-3, axis);
  }
  await place(ids[0], -40);
  assert.deepEqual((await overlaps()).overlaps, []);
  assert.equal((await page.get(`/ui/scene/${UNKNOWN_ID}/overlaps/`)).status, 404);
});

longTest("a model that lost its supports says why, until it is supported again", async () => {
  bodyOf(await server.ask("auto-support", { scene_id, model_ids: [ids[1]] }));
  const lossOf = async (): Promise<string | null> =>
    (await page.scene(scene_id)).models.find(({ id }) => id === ids[1])!.lost_supports;
  assert.equal(await lossOf(), null);
  bodyOf(await server.ask("orient", { scene_id, model_ids: [ids[1]], orientation: { x: 40, y: 0, z: 0 } }));
  assert.equal(await lossOf(), "TURNED");
  const lost = (await check()).findings.find(({ kind }: { kind: string }) => kind === "SUPPORTS");
  const [{ path, body }] = lost.fixes[0].requests;
  bodyOf(await server.printwright.post(path, body));
  assert.equal(await lossOf(), null);
});
