import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { binaryStl } from "../fixture/stl-file.ts";
import { type TestServer, assertRefused, openTestServer } from "../fixture/test-server.ts";

let server: TestServer;
before(async () => {
  server = await openTestServer();
});
after(() => server.close());

const SHEET = {
  vertices: Float64Array.of(0, 0, 0, 20, 0, 0, 0, 20, 5),
  triangles: Uint32Array.of(0, 1, 2),
};

test("a sheet whose cut has no area is refused by dental-hollow with a coded error", async () => {
  const scene_id = await server.newScene();
  await server.importOne(scene_id, server.file("sheet.stl", binaryStl(SHEET)), { repair_behavior: "IGNORE" });
  const was = await server.scene(scene_id);
  for (const hollow of [false, true]) {
    const reply = await server.ask("dental-hollow", {
      scene_id,
      extrude_distance_mm: 2,
      cutoff_height_mm: 2.5,
      hollow,
    });
    assertRefused(reply, "OPERATION_FAILED", /"sheet"/);
  }
  assert.deepEqual(await server.scene(scene_id), was);
});
