import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import manifest from "../../package.json" with { type: "json" };
import type { Reply } from "../fixture/client.ts";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import {
  POWDER,
  RESIN,
  type TestServer,
  UNKNOWN_ID,
  assertNear,
  assertRefused,
  bodyOf,
  openTestServer,
} from "../fixture/test-server.ts";

// Supplement, section 5: "scene/metadata".

let server: TestServer;
let block: string;
before(async () => {
  server = await openTestServer();
  block = server.file("block.stl", binaryStl(box([10, 20, 30])));
});
after(() => server.close());

const ask = (body: object): Promise<Reply> => server.printwright.post("/v1/scene/metadata/", body);
const metadata = async (scene_id: string): Promise<Reply["body"]> => bodyOf(await ask({ scene_id }));

test("an empty scene has its settings by id and by label, and no box", async () => {
  const scene_id = await server.newScene(RESIN);
  const { scene_settings } = await server.scene(scene_id);
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

test("metadata has the measures of each model at its scale, and the box of the scene", async () => {
  const scene_id = await server.newScene(RESIN);
  const [small, large] = [await server.importOne(scene_id, block), await server.importOne(scene_id, block)];
  bodyOf(await server.ask("scale", { scene_id, model_ids: [large], scale: 2 }));
  bodyOf(await server.ask("translate", { scene_id, model_ids: [large], position: { x: 40, y: 0, z: 0 } }));
  const messageOf = await metadata(scene_id);
  const scene = await server.scene(scene_id);
  assert.equal(messageOf.layer_count, scene.layer_count);
  assert.deepEqual(messageOf.material_usage, scene.material_usage);
  assertNear(messageOf.bounding_box, {
    min_corner: { x: -5, y: -20, z: 0 },
    max_corner: { x: 50, y: 20, z: 60 },
  });
  assert.deepEqual(
    messageOf.models.map(({ id }: { id: string }) => id),
    [small, large],
  );
  messageOf.models.forEach((model: Reply["body"], i: number) => {
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
    const scene_id = await server.newScene(combination);
    await server.importOne(scene_id, block);
    const { total_print_time_s } = bodyOf(
      await server.printwright.post("/v1/scene/estimate-print-time/", { scene_id }),
    );
    assert.ok(total_print_time_s > 0);
    assert.equal((await metadata(scene_id)).estimated_print_time_s, total_print_time_s);
  }
});

test("metadata has the measures of powder and ADAPTIVE scenes", async () => {
  const powder = await metadata(await server.newScene(POWDER));
  assert.equal(powder.printer_type, "Fuse 1+ 30W");
  assert.equal(powder.layer_thickness_mm, 0.11);
  assert.ok("mass_packing_density" in powder.material_usage);
  const adaptive = { machine_type: "FORM-3-1", material_code: "FLGPBK04", layer_thickness_mm: "ADAPTIVE" };
  const messageOf = await metadata(await server.newScene(adaptive));
  assert.equal(messageOf.layer_thickness_mm, "ADAPTIVE");
  assert.equal(messageOf.material, "Black V4");
});

test("unknown scenes and other fields are refused", async () => {
  assertRefused(await ask({ scene_id: UNKNOWN_ID }), "INPUT_ERROR");
  assertRefused(
    await ask({ scene_id: await server.newScene(), model_ids: [] }),
    "JSON_SCHEMA_MATCH_ERROR",
    /model_ids/,
  );
});
