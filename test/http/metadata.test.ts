import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import manifest from "../../package.json" with { type: "json" };
import type { Reply } from "../fixture/client.ts";
import { assertRefused } from "../fixture/refusal.ts";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { assertNear, bodyOf, openWorkshop, POWDER, RESIN, UNKNOWN_ID, type Workshop } from "../fixture/workshop.ts";

// Supplement, section 5: "scene/metadata".

let shop: Workshop;
let block: string;
before(async () => {
  shop = await openWorkshop();
  block = shop.file("block.stl", binaryStl(box([10, 20, 30])));
});
after(() => shop.close());

const ask = (body: object): Promise<Reply> => shop.printwright.post("/v1/scene/metadata/", body);
const metadata = async (scene_id: string): Promise<Reply["body"]> => bodyOf(await ask({ scene_id }));

test("an empty scene has its settings by id and by label, and no box", async () => {
  const scene_id = await shop.newScene(RESIN);
  const { scene_settings } = await shop.scene(scene_id);
  assert.deepEqual(await metadata(scene_id), {
    version: manifest.version,
    scene_id,
    scene_settings,
    printer_type: "Form 4",
    material: "Grey V5",
    layer_count: 0,
    layer_thickness_mm: 0.1,
    material_usage: { volume_ml: 0, unsupported_volume_ml: 0 },
    estimated_print_time_s: 0,
    bounding_box: null,
    models: [],
  });
});

test("each model is told with its measures as it stands, and the scene with the box of all", async () => {
  const scene_id = await shop.newScene(RESIN);
  const [small, large] = [await shop.importOne(scene_id, block), await shop.importOne(scene_id, block)];
  bodyOf(await shop.ask("scale", { scene_id, model_ids: [large], scale: 2 }));
  bodyOf(await shop.ask("translate", { scene_id, model_ids: [large], position: { x: 40, y: 0, z: 0 } }));
  const told = await metadata(scene_id);
  const scene = await shop.scene(scene_id);
  assert.equal(told.layer_count, scene.layer_count);
  assert.deepEqual(told.material_usage, scene.material_usage);
  assertNear(told.bounding_box, {
    min_corner: { x: -5, y: -20, z: 0 },
    max_corner: { x: 50, y: 20, z: 60 },
  });
  assert.deepEqual(
    told.models.map(({ id }: { id: string }) => id),
    [small, large],
  );
  told.models.forEach((model: Reply["body"], i: number) => {
    const { name, bounding_box, has_supports, raw_mesh_hash } = scene.models[i];
    const { volume_ml, surface_area_mm2, ...others } = model;
    assertNear([volume_ml, surface_area_mm2], [6 * 8 ** i, 2200 * 4 ** i], 1e-3);
    assert.deepEqual(others, {
      id: scene.models[i].id,
      name,
      triangle_count: 12,
      bounding_box,
      has_supports,
      support_volume_ml: 0,
      raw_mesh_hash,
    });
  });
});

test("the time is that of estimate-print-time", async () => {
  for (const combination of [RESIN, POWDER]) {
    const scene_id = await shop.newScene(combination);
    await shop.importOne(scene_id, block);
    const { total_print_time_s } = bodyOf(await shop.printwright.post("/v1/scene/estimate-print-time/", { scene_id }));
    assert.ok(total_print_time_s > 0);
    assert.equal((await metadata(scene_id)).estimated_print_time_s, total_print_time_s);
  }
});

test("powder and ADAPTIVE scenes are told as what they are", async () => {
  const powder = await metadata(await shop.newScene(POWDER));
  assert.equal(powder.printer_type, "Fuse 1+ 30W");
  assert.equal(powder.layer_thickness_mm, 0.11);
  assert.ok("mass_packing_density" in powder.material_usage);
  const adaptive = { machine_type: "FORM-3-1", material_code: "FLGPBK04", layer_thickness_mm: "ADAPTIVE" };
  const told = await metadata(await shop.newScene(adaptive));
  assert.equal(told.layer_thickness_mm, "ADAPTIVE");
  assert.equal(told.material, "Black V4");
});

test("unknown scenes and other fields are refused", async () => {
  assertRefused(await ask({ scene_id: UNKNOWN_ID }), "INPUT_ERROR");
  assertRefused(await ask({ scene_id: await shop.newScene(), model_ids: [] }), "JSON_SCHEMA_MATCH_ERROR", /model_ids/);
});
