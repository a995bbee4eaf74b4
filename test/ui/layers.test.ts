import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { PageLayers } from "../../src/ui/replies.ts";
import { type PageClient, pageClient } from "../fixture/page-client.ts";
import { readPngLayer } from "../fixture/job/read-png-layer.ts";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { moved } from "../fixture/surface-edits.ts";
import { POWDER, RESIN, type TestServer, assertNear, bodyOf, openTestServer } from "../fixture/test-server.ts";

// Layers of a scene as the page shows them.

let server: TestServer;
let page: PageClient;
before(async () => {
  server = await openTestServer();
  page = pageClient(server.printwright.port);
});
after(() => server.close());

/** A scene with a block of 10 × 20 × 3 mm whose middle is at x = 30, y = 20. */
async function sceneWithBlock(combination: object = RESIN): Promise<string> {
  const scene_id = await server.newScene(combination);
  const block = server.file("block.stl", binaryStl(moved(box([10, 20, 3]), [30, 20, 1.5])));
  await server.importOne(scene_id, block);
  return scene_id;
}

const layersOf = async (scene_id: string): Promise<PageLayers> => {
  const response = await page.get(`/ui/scene/${scene_id}/layers/`);
  assert.equal(response.status, 200, await response.clone().text());
  return (await response.json()) as PageLayers;
};

test("the layers of a block have its area, and their times add up to the print time", async () => {
  const scene_id = await sceneWithBlock();
  const { version, count, boundaries_mm, areas_mm2, times_s } = await layersOf(scene_id);
  assert.equal(version, (await page.scene(scene_id)).version);
  assert.equal(count, 30);
  assert.equal(boundaries_mm.length, 31);
  assertNear(boundaries_mm.at(-1), 3, 1e-6);
  for (const area of areas_mm2) assertNear(area, 200, 0.01);
  const { printing_time_s } = bodyOf(await server.printwright.post("/v1/scene/calculate-print-time/", { scene_id }));
  assertNear(
    times_s.reduce((sum, seconds) => sum + seconds, 0),
    printing_time_s,
    0.05 * count + 0.05,
  );
  bodyOf(await server.ask("duplicate", { scene_id, count: 1 }));
  const again = await layersOf(scene_id);
  assert.ok(again.version > version);
});

test("a scene without models has no layers", async () => {
  const scene_id = await server.newScene();
  const { count, boundaries_mm, areas_mm2 } = await layersOf(scene_id);
  assert.deepEqual([count, boundaries_mm, areas_mm2], [0, [0], []]);
  assert.equal((await page.get(`/ui/scene/${scene_id}/layers/0.png`)).status, 404);
});

/** Setting of a printer whose layer pictures are mirrored and rotated. */
async function portraitSetting(): Promise<object> {
  const { printer_types } = bodyOf(await server.printwright.post("/v1/print-setting/list/", {}));
  const { materials } = printer_types.find(({ label }: { label: string }) => label === "Original Prusa SL1S SPEED");
  return materials[0].material_settings[0].scene_settings;
}

for (const [name, setting] of [
  ["a resin printer", async () => RESIN],
  ["a powder printer", async () => POWDER],
  ["a printer whose own pictures are mirrored and rotated", portraitSetting],
] as const) {
  test(`a picture of a layer is seen from above, x to the right and y up: ${name}`, async () => {
    const scene_id = await sceneWithBlock(await setting());
    const [width, depth] = (await page.scene(scene_id)).volume.dimensions_mm;
    const response = await page.get(`/ui/scene/${scene_id}/layers/7.png?max_px=300`);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get("Content-Type"), "image/png");
    const picture = readPngLayer(new Uint8Array(await response.arrayBuffer()));
    assert.ok(Math.abs(Math.max(picture.width, picture.height) - 300) <= 1);
    const value = (xMm: number, yMm: number): number => {
      const column = Math.floor(((xMm + width / 2) / width) * picture.width);
      const row = Math.floor(((depth / 2 - yMm) / depth) * picture.height);
      return picture.pixels[row * picture.width + column];
    };
    assert.equal(value(30, 20), 255);
    assert.equal(value(-30, 20), 0);
    assert.equal(value(30, -20), 0);
    assert.equal((await page.get(`/ui/scene/${scene_id}/layers/100000.png`)).status, 404);
  });
}

test("slicing stops when its client disconnects, and the next request is answered", async () => {
  const scene_id = await sceneWithBlock();
  const leaving = new AbortController();
  const address = `http://127.0.0.1:${server.printwright.port}/ui/scene/${scene_id}/layers/`;
  const left = fetch(address, { signal: leaving.signal }).then((response) => response.text());
  leaving.abort();
  await assert.rejects(left);
  assert.equal((await layersOf(scene_id)).count, 30);
});
