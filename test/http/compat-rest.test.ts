import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { type CompatServer, POWDER_SCENE, RESIN_SCENE, openCompatServer } from "../compat/compat-server.ts";
import type { Reply } from "../fixture/client.ts";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { bodyOf, openTestServer } from "../fixture/test-server.ts";
import { until } from "../fixture/until.ts";

// Scenes beyond the number that stays in memory: their meshes are in files.

type Body = Reply["body"];

const IN_MEMORY = 2;
const SCENES = 5;

let server: CompatServer;
before(async () => {
  server = await openCompatServer(["--scene-cache-size", String(IN_MEMORY), "--max-scenes", "4"]);
});
after(() => server.close());

/** The folder of this server, and the files in it. */
function files(): string[] {
  const folder = readdirSync(tmpdir()).find((name) =>
    new RegExp(`^printwright-scenes-[0-9a-f]{4}-${server.printwright.pid}-`).test(name),
  );
  return folder === undefined ? [] : readdirSync(join(tmpdir(), folder)).filter((name) => name.endsWith(".form"));
}

const sceneNow = async (id: string): Promise<Body> => bodyOf(await server.get(`/scene/${id}/`));

test("swapped-out scenes come back unchanged, with ids, supports, locks, cages and hollows", async () => {
  const described = new Map<string, Body>();
  for (let k = 0; k < SCENES; k++) {
    const isPowder = k === 1;
    const { id, models } = await server.sceneOf(2, isPowder ? POWDER_SCENE : undefined);
    if (isPowder) bodyOf(await server.post("/scene/pack-and-cage/", { models: "ALL", packing_type: "PACK_NONE" }));
    else {
      if (k === 0) bodyOf(await server.post(`/scene/${id}/hollow/`, { wall_thickness_mm: 1, accuracy: 0 }));
      bodyOf(await server.post(`/scene/${id}/models/${models[0]}/`, { lock: "FULLY_LOCKED", scale: 1 + k / 10 }));
      if (k < 3)
        bodyOf(await server.post(`/scene/${id}/auto-support/`, { models: [models[1]], density: 0, only_minima: true }));
    }
    described.set(id, await sceneNow(id));
  }
  await until("the other scenes are at rest", () => files().length >= SCENES - IN_MEMORY - 1);
  const { scenes } = bodyOf(await server.get("/scenes/"));
  assert.deepEqual(new Map(scenes.slice(1).map((scene: Body) => [scene.id, scene])), described);
  for (const [id, before] of described) assert.deepEqual(await sceneNow(id), before);
  const [hollow, caged] = [...described.keys()];
  const { infos } = bodyOf(await server.post(`/scene/${hollow}/hollow/`, { wall_thickness_mm: 2, accuracy: 0 }));
  assert.match(infos.join(" "), /hollowed again from its solid/);
  const { models } = bodyOf(await server.printwright.post("/v1/scene/model/list/", { scene_id: caged }));
  assert.equal(models.filter(({ is_cage }: Body) => is_cage).length, 1);
});

test("/v1/ lists and uses swapped-out scenes, and its own limit applies to the scenes that it makes", async () => {
  const { scenes } = bodyOf(await server.printwright.call("GET", "/v1/scene/list/"));
  assert.equal(scenes.length, SCENES + 1);
  for (const { id: scene_id, models } of scenes) {
    const found = bodyOf(await server.printwright.post("/v1/scene/get/", { scene_id }));
    assert.equal(found.models.length, models.length);
    const { per_model_results } = bodyOf(
      await server.printwright.post("/v1/scene/model/validate/manifoldness/", { scene_id }),
    );
    assert.ok(Object.values(per_model_results).every((result) => (result as Body).is_manifold));
  }
  const full = await server.printwright.post("/v1/scene/create/", POWDER_SCENE);
  assert.equal(full.body.error.code, "BUILD_VOLUME_LIMIT_EXCEEDED");
});

test("many simultaneous requests to different scenes each find their scene", async () => {
  const { scenes } = bodyOf(await server.get("/scenes/"));
  const ids: string[] = scenes.slice(1).map(({ id }: Body) => id);
  const replies = await Promise.all(
    [...ids, ...ids].map((id) => server.post(`/scene/${id}/interferences/`, { collision_offset_mm: 50 })),
  );
  for (const { status, body } of replies) {
    assert.equal(status, 200, JSON.stringify(body));
    assert.ok(body.length > 0);
  }
});

test("the page swaps in the scene that it shows, with its meshes", async () => {
  const shown = await openTestServer(["--compat-0.9", "--scene-cache-size", "1"]);
  try {
    const { post, call } = shown.printwright;
    const ids: string[] = [];
    for (let edge = 5; edge < 8; edge++) {
      const { id } = bodyOf(await post("/scene/", RESIN_SCENE));
      bodyOf(await post("/scene/import-model/", { file: shown.file("b.stl", binaryStl(box([edge, edge, edge]))) }));
      ids.push(id);
    }
    for (const id of [...ids, ...ids]) {
      const scene = bodyOf(await call("GET", `/ui/scene/${id}`));
      assert.equal(scene.models[0].triangles, 12);
      const mesh = await fetch(`http://127.0.0.1:${shown.printwright.port}/ui/mesh/${scene.models[0].mesh}`);
      assert.equal(mesh.status, 200);
      await mesh.arrayBuffer();
    }
  } finally {
    await shown.close();
  }
});

test("the files are removed when the server ends", async () => {
  const { pid, stop } = server.printwright;
  const folders = (): string[] =>
    readdirSync(tmpdir()).filter((name) => new RegExp(`^printwright-scenes-.*-${pid}-`).test(name));
  assert.equal(folders().length, 1);
  assert.equal(await stop(), 0);
  assert.deepEqual(folders(), []);
  server = await openCompatServer();
});
