import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { assertRefused } from "../fixture/refusal.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { openWorkshop, type Workshop } from "../fixture/workshop.ts";

let shop: Workshop;
before(async () => {
  shop = await openWorkshop();
});
after(() => shop.close());

const SHEET = {
  vertices: Float64Array.of(0, 0, 0, 20, 0, 0, 0, 20, 5),
  triangles: Uint32Array.of(0, 1, 2),
};

test("a sheet whose cut has no area is refused by dental-hollow with a coded error", async () => {
  const scene_id = await shop.newScene();
  await shop.importOne(scene_id, shop.file("sheet.stl", binaryStl(SHEET)), { repair_behavior: "IGNORE" });
  const was = await shop.scene(scene_id);
  for (const hollow of [false, true]) {
    const reply = await shop.ask("dental-hollow", { scene_id, extrude_distance_mm: 2, cutoff_height_mm: 2.5, hollow });
    assertRefused(reply, "OPERATION_FAILED", /"sheet"/);
  }
  assert.deepEqual(await shop.scene(scene_id), was);
});
