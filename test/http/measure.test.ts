import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { longTest } from "../fixture/long.ts";
import { randomFrom } from "../fixture/random.ts";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { perforated } from "../fixture/surface-edits.ts";
import { type TestServer, bodyOf, openTestServer } from "../fixture/test-server.ts";

let server: TestServer;
before(async () => {
  server = await openTestServer();
});
after(() => server.close());

const measured = async (scene_id: string, id: string) =>
  bodyOf(await server.ask("measure", { scene_id })).per_model_results[id];

longTest("models are measured as placed in the scene, without supports", async () => {
  const scene_id = await server.newScene();
  const id = await server.importOne(scene_id, server.file("slab.stl", binaryStl(box([10, 20, 5]))));
  await server.ask("auto-support", { scene_id });
  assert.deepEqual(await measured(scene_id, id), {
    dimensions_mm: { x: 10, y: 20, z: 5 },
    volume_mm3: 1000,
    area_mm2: 700,
    triangle_count: 12,
    vertex_count: 8,
  });
  await server.ask("scale", { scene_id, scale: 2 });
  await server.ask("orient", { scene_id, orientation: { x: 90, y: 0, z: 0 } });
  const turned = await measured(scene_id, id);
  assert.deepEqual(turned.dimensions_mm, { x: 20, y: 10, z: 40 });
  assert.deepEqual([turned.volume_mm3, turned.area_mm2], [8000, 2800]);
});

test("a mesh with a hole has the volume of the repaired solid", async () => {
  const scene_id = await server.newScene();
  const file = server.file("open.stl", binaryStl(perforated(box([10, 20, 5]), 1, randomFrom(1))));
  const id = await server.importOne(scene_id, file, { repair_behavior: "IGNORE" });
  const { volume_mm3, triangle_count } = await measured(scene_id, id);
  assert.deepEqual([volume_mm3, triangle_count], [1000, 11]);
});
