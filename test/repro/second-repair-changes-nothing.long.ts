import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { type TestServer, bodyOf, openTestServer } from "../fixture/test-server.ts";

let server: TestServer;
before(async () => {
  server = await openTestServer();
});
after(() => server.close());

test("a repaired self-intersection does not intersect again, and a second repair changes nothing", async () => {
  const file = fileURLToPath(new URL("../fixture/corpus/mf-openscad-nonmanifold-crash.obj", import.meta.url));
  const scene_id = await server.newScene();
  const id = await server.importOne(scene_id, file, { repair_behavior: "IGNORE" });
  assert.deepEqual(bodyOf(await server.ask("repair", { scene_id })), {
    modified_model_ids: [id],
    unrepaired_model_ids: [],
    warnings: [],
  });
  const [repaired] = await server.models(scene_id);
  const { per_model_results } = bodyOf(await server.ask("validate/manifoldness", { scene_id }));
  assert.deepEqual(per_model_results[id], {
    is_manifold: true,
    open_edge_count: 0,
    non_manifold_edge_count: 0,
    degenerate_face_count: 0,
    inverted_body_count: 0,
    self_intersecting: false,
  });
  assert.deepEqual(bodyOf(await server.ask("repair", { scene_id })).modified_model_ids, []);
  assert.equal((await server.models(scene_id))[0].raw_mesh_hash, repaired.raw_mesh_hash);
});
