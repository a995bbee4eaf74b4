import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { concatenateSurfaces } from "../../src/mesh/mesh.ts";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { moved } from "../fixture/surface-edits.ts";
import { type TestServer, bodyOf, openTestServer } from "../fixture/test-server.ts";

let server: TestServer;
before(async () => {
  server = await openTestServer();
});
after(() => server.close());

const cube = box([10, 10, 10]);

test("a mesh that manifoldness and import accept is unchanged by repair", async () => {
  const scene_id = await server.newScene();
  const file = server.file("corner.stl", binaryStl(concatenateSurfaces([cube, moved(cube, [10, 10, 10])])));
  const { new_models: taken } = bodyOf(await server.import(scene_id, file, { repair_behavior: "IGNORE" }));
  const id = taken[0].model_id;
  const { per_model_results } = bodyOf(await server.ask("validate/manifoldness", { scene_id }));
  const { modified_model_ids } = bodyOf(await server.ask("repair", { scene_id }));
  const imported = await server.import(scene_id, file);
  assert.deepEqual(
    { isManifold: per_model_results[id].is_manifold, isImported: imported.status === 200 },
    { isManifold: modified_model_ids.length === 0, isImported: modified_model_ids.length === 0 },
  );
});
