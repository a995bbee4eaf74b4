import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { concatenateSurfaces } from "../../src/mesh/mesh.ts";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { type TestServer, bodyOf, openTestServer } from "../fixture/test-server.ts";

let server: TestServer;
before(async () => {
  server = await openTestServer();
});
after(() => server.close());

test("after a repair, a body inside the material of another does not count twice", async () => {
  const scene_id = await server.newScene();
  const nested = concatenateSurfaces([box([20, 20, 20]), box([10, 10, 10])]);
  const id = await server.importOne(scene_id, server.file("nested.stl", binaryStl(nested)), {
    repair_behavior: "IGNORE",
  });
  bodyOf(await server.ask("repair", { scene_id }));
  const { per_model_results } = bodyOf(await server.ask("body-count", { scene_id }));
  assert.equal(per_model_results[id].body_count, 1);
  const { material_usage } = await server.scene(scene_id);
  // A solid of 8 ml, or one with a cavity of 1 ml; not the sum of both volumes.
  assert.ok(material_usage.volume_ml <= 8.001, `${material_usage.volume_ml} ml`);
});
