import type { PageFace, PageBody } from "../../src/ui/replies.ts";
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { longTest } from "../fixture/long.ts";
import { type PageClient, pageClient, placedBox } from "../fixture/page-client.ts";
import { box, tetrahedron, torus } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { POWDER, type TestServer, UNKNOWN_ID, assertNear, bodyOf, openTestServer } from "../fixture/test-server.ts";

// Scenes and meshes for the page, and versions of scenes.

let server: TestServer;
let page: PageClient;
let block: string;
before(async () => {
  server = await openTestServer();
  page = pageClient(server.printwright.port);
  block = server.file("block.stl", binaryStl(box([10, 20, 30])));
});
after(() => server.close());

test("the state lists all scenes with their settings", async () => {
  const scene_id = await server.newScene(POWDER);
  const { version, scenes } = await page.state();
  assert.equal(version, bodyOf(await server.printwright.call("GET", "/v1/")).version);
  assert.equal(scenes[0].setting.printer_label, "Form 4");
  const last = scenes.at(-1)!;
  assert.equal(last.id, scene_id);
  assert.equal(last.setting.machine_type, POWDER.machine_type);
  assert.equal(last.setting.family, "powder");
  assert.match(last.setting.material_label, /Nylon/);
});

test("scenes with the same name, opened from two projects, get a number", async () => {
  const file = join(server.folder, "plate.form");
  bodyOf(await server.printwright.post("/v1/scene/save/", { scene_ids: [await server.newScene()], file }));
  const opened = [];
  for (let i = 0; i < 2; i++) opened.push(...bodyOf(await server.printwright.post("/v1/scene/open/", { file })).scenes);
  const [{ scene_name }] = opened;
  const { scenes } = await page.state();
  assert.deepEqual(
    opened.map(({ scene_id }) => scenes.find(({ id }) => id === scene_id)!.name),
    [`${scene_name} (2)`, `${scene_name} (3)`],
  );
});

longTest("a rotated and scaled model with supports is drawn at the position that `/v1/` reports", async () => {
  const scene_id = await server.newScene();
  const spike = server.file("spike.stl", binaryStl(tetrahedron(12)));
  const id = await server.importOne(scene_id, spike);
  bodyOf(await server.ask("scale", { scene_id, scale: 1.5 }));
  bodyOf(await server.ask("orient", { scene_id, orientation: { x: 20, y: 31, z: 47 } }));
  bodyOf(await server.ask("auto-support", { scene_id }));
  const [model] = await server.models(scene_id);
  const { models, volume } = await page.scene(scene_id);
  assert.equal(models.length, 1);
  const [drawn] = models;
  assert.equal(drawn.id, id);
  assert.equal(drawn.mesh, model.raw_mesh_hash);
  assert.deepEqual([drawn.kind, drawn.visible, drawn.in_bounds, drawn.cage_id], ["part", true, true, null]);
  const [body, supports] = [
    placedBox(await page.mesh(drawn.mesh), drawn),
    placedBox(await page.mesh(drawn.supports!.mesh), drawn.supports!),
  ];
  const merge = (one: any, other: any, pick: (...values: number[]) => number) =>
    Object.fromEntries(["x", "y", "z"].map((axis) => [axis, pick(one[axis], other[axis])]));
  const all = {
    min_corner: merge(body.min_corner, supports.min_corner, Math.min),
    max_corner: merge(body.max_corner, supports.max_corner, Math.max),
  };
  assertNear(all, model.bounding_box, 1e-3);
  assert.equal(volume.family, "resin");
  assert.ok(volume.dimensions_mm.every((size) => size > 0));
});

test("a mesh is equal to that of the file", async () => {
  const scene_id = await server.newScene();
  await server.importOne(scene_id, block);
  const [{ mesh, triangles }] = (await page.scene(scene_id)).models;
  const drawn = await page.mesh(mesh);
  assert.equal(drawn.vertices.length, 3 * 8);
  assert.equal(drawn.triangles.length, 3 * triangles);
  assert.equal(triangles, 12);
  assert.ok(drawn.triangles.every((corner) => corner < 8));
});

test("a large mesh is simplified to the requested number of triangles, in the same place", async () => {
  const scene_id = await server.newScene();
  await server.importOne(scene_id, server.file("ring.stl", binaryStl(torus(30, 8, 200, 60))));
  const [{ mesh, triangles }] = (await page.scene(scene_id)).models;
  const whole = await page.mesh(mesh);
  const coarse = await page.mesh(mesh, "?max_triangles=3000");
  assert.equal(whole.triangles.length, 3 * triangles);
  assert.ok(coarse.triangles.length <= 9000 && coarse.triangles.length > 3000, String(coarse.triangles.length));
  const identity: PageBody = { mesh, triangles, matrix: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1] };
  assertNear(placedBox(coarse, identity), placedBox(whole, identity), 2);
  const again = await page.get(`/ui/mesh/${mesh}/?max_triangles=1000000`);
  assert.equal(Number(again.headers.get("Content-Length")), 12 + 4 * (whole.vertices.length + whole.triangles.length));
  await again.arrayBuffer();
});

test("unknown scenes, meshes and routes are NOT_FOUND", async () => {
  for (const path of [`/ui/scene/${UNKNOWN_ID}/`, "/ui/scene/no/", "/ui/mesh/0123/", "/ui/no/"]) {
    const response = await page.get(path);
    assert.equal(response.status, 404, path);
    assert.equal(((await response.json()) as { error: { code: string } }).error.code, "NOT_FOUND");
  }
});

test("a scene reports hidden models, models out of bounds, and locks", async () => {
  const scene_id = await server.newScene();
  const id = await server.importOne(scene_id, block);
  bodyOf(await server.ask("update", { scene_id, model_ids: [id], visible: false, lock: "FULLY_LOCKED", name: "b" }));
  bodyOf(await server.ask("translate", { scene_id, position: { x: 500, y: 0, z: 0 } }));
  const [{ visible, lock, name, in_bounds }] = (await page.scene(scene_id)).models;
  assert.deepEqual(
    { visible, lock, name, in_bounds },
    { visible: false, lock: "FULLY_LOCKED", name: "b", in_bounds: false },
  );
});

test("the flat faces of a mesh are answered for ever, in its coordinates", async () => {
  const scene_id = await server.newScene();
  await server.importOne(scene_id, block);
  await server.ask("orient", { scene_id, orientation: { x: 30, y: 40, z: 50 } });
  const [{ raw_mesh_hash }] = await server.models(scene_id);
  const response = await page.get(`/ui/mesh/${raw_mesh_hash}/faces/`);
  assert.equal(response.status, 200);
  assert.match(response.headers.get("Cache-Control")!, /immutable/);
  const faces = (await response.json()) as PageFace[];
  assert.deepEqual(
    faces.map(({ area_mm2 }) => Math.round(area_mm2)),
    [600, 600, 300, 300, 200, 200],
  );
  assert.deepEqual(
    faces.map(({ rim }) => rim.length),
    [12, 12, 12, 12, 12, 12],
  );
  assert.equal((await page.get(`/ui/mesh/${"0".repeat(64)}/faces/`)).status, 404);
});
