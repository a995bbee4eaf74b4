import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { combine } from "../../src/mesh/combine.ts";
import { moved } from "../fixture/altered.ts";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { bodyOf, openWorkshop, type Workshop } from "../fixture/workshop.ts";

let shop: Workshop;
before(async () => {
  shop = await openWorkshop();
});
after(() => shop.close());

const cube = box([10, 10, 10]);

test("what manifoldness calls sound and an import takes unrepaired, repair leaves as it is", async () => {
  const scene_id = await shop.newScene();
  const file = shop.file("corner.stl", binaryStl(combine([cube, moved(cube, [10, 10, 10])])));
  const { new_models: taken } = bodyOf(await shop.import(scene_id, file, { repair_behavior: "IGNORE" }));
  const id = taken[0].model_id;
  const { per_model_results } = bodyOf(await shop.ask("validate/manifoldness", { scene_id }));
  const { modified_model_ids } = bodyOf(await shop.ask("repair", { scene_id }));
  const imported = await shop.import(scene_id, file);
  assert.deepEqual(
    { isManifold: per_model_results[id].is_manifold, isImported: imported.status === 200 },
    { isManifold: modified_model_ids.length === 0, isImported: modified_model_ids.length === 0 },
  );
});
