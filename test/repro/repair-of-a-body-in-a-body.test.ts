import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { combine } from "../../src/mesh/combine.ts";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { bodyOf, openWorkshop, type Workshop } from "../fixture/workshop.ts";

let shop: Workshop;
before(async () => {
  shop = await openWorkshop();
});
after(() => shop.close());

test("a body inside the material of another is not counted twice once the model is repaired", async () => {
  const scene_id = await shop.newScene();
  const nested = combine([box([20, 20, 20]), box([10, 10, 10])]);
  const id = await shop.importOne(scene_id, shop.file("nested.stl", binaryStl(nested)), { repair_behavior: "IGNORE" });
  bodyOf(await shop.ask("repair", { scene_id }));
  const { per_model_results } = bodyOf(await shop.ask("body-count", { scene_id }));
  assert.equal(per_model_results[id].body_count, 1);
  const { material_usage } = await shop.scene(scene_id);
  // A solid of 8 ml, or one with a cavity of 1 ml; not both volumes together.
  assert.ok(material_usage.volume_ml <= 8.001, `${material_usage.volume_ml} ml`);
});
