import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { bodyOf, openWorkshop, type Workshop } from "../fixture/workshop.ts";

let shop: Workshop;
before(async () => {
  shop = await openWorkshop();
});
after(() => shop.close());

test("what was cut because it crossed itself does not cross anew, and a second repair has nothing to do", async () => {
  const file = fileURLToPath(new URL("../fixture/corpus/mf-openscad-nonmanifold-crash.obj", import.meta.url));
  const scene_id = await shop.newScene();
  const id = await shop.importOne(scene_id, file, { repair_behavior: "IGNORE" });
  assert.deepEqual(bodyOf(await shop.ask("repair", { scene_id })), {
    modified_model_ids: [id],
    unrepaired_model_ids: [],
    warnings: [],
  });
  const [repaired] = await shop.models(scene_id);
  const { per_model_results } = bodyOf(await shop.ask("validate/manifoldness", { scene_id }));
  assert.deepEqual(per_model_results[id], {
    is_manifold: true,
    open_edge_count: 0,
    non_manifold_edge_count: 0,
    degenerate_face_count: 0,
    inverted_body_count: 0,
    self_intersecting: false,
  });
  assert.deepEqual(bodyOf(await shop.ask("repair", { scene_id })).modified_model_ids, []);
  assert.equal((await shop.models(scene_id))[0].raw_mesh_hash, repaired.raw_mesh_hash);
});
