import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { type TestServer, assertRefused, bodyOf, openTestServer } from "../fixture/test-server.ts";

// Supplement, section 8: `visible` concerns only pictures.

const jobs = mkdtempSync(join(tmpdir(), "printwright-hidden-"));
let server: TestServer;
before(async () => {
  server = await openTestServer(["--virtual-printer", "FORM-4-0=Form", "--job-dir", jobs]);
});
after(async () => {
  await server.close();
  rmSync(jobs, { recursive: true });
});

async function sceneOfTwo(): Promise<[scene_id: string, model_id: string]> {
  const scene_id = await server.newScene();
  const cube = server.file("cube.stl", binaryStl(box([10, 10, 10])));
  await server.importOne(scene_id, cube, { name: "seen" });
  return [scene_id, await server.importOne(scene_id, cube, { name: "unseen" })];
}

const update = async (scene_id: string, body: object): Promise<void> =>
  void bodyOf(await server.ask("update", { scene_id, ...body }));

test("a hidden model is laid out, counted, checked and printed like any other", async () => {
  const [scene_id, id] = await sceneOfTwo();
  bodyOf(await server.ask("auto-layout", { scene_id }));
  const ask = async (path: string, body: object = {}): Promise<object> =>
    bodyOf(await server.printwright.post(path, { scene_id, ...body }));
  const answers = (): Promise<object[]> =>
    Promise.all([
      server.scene(scene_id).then(({ material_usage, layer_count }) => ({ material_usage, layer_count })),
      ask("/v1/scene/calculate-print-time/"),
      ask("/v1/scene/model/validate/minima/"),
      ask("/v1/scene/model/validate/in-bounds/"),
      ask("/v1/scene/model/validate/interferences/", { collision_offset_mm: 5 }),
    ]);
  const shown = await answers();
  await update(scene_id, { model_ids: [id], visible: false });
  assert.deepEqual(await answers(), shown);
  const before = (await server.models(scene_id)).map(({ position }) => position);
  bodyOf(await server.ask("auto-layout", { scene_id }));
  assert.deepEqual(
    (await server.models(scene_id)).map(({ position }) => position),
    before,
  );
});

test("messages that name a hidden model say that it is hidden", async () => {
  const [scene_id, id] = await sceneOfTwo();
  const print = () =>
    server.printwright.post("/v1/scene/print/", { scene_id, printer: "Form", job_name: "two", print_now: false });
  bodyOf(await server.ask("translate", { scene_id, model_ids: [id], position: { x: 500, y: 0, z: 0 } }));
  assertRefused(await print(), "OPERATION_FAILED", /^The model "unseen" is out of/);
  await update(scene_id, { model_ids: [id], visible: false });
  assertRefused(await print(), "OPERATION_FAILED", /^The model "unseen" \(hidden\) is out of/);
  const refused = await server.ask("dental-hollow", { scene_id, extrude_distance_mm: 1, cutoff_height_mm: 90 });
  assertRefused(refused, "OPERATION_FAILED", /"seen" cannot be put on a base/);
  const { warnings } = bodyOf(
    await server.ask("dental-hollow", {
      scene_id,
      model_ids: [id],
      extrude_distance_mm: 0,
      cutoff_height_mm: 0,
      hollow: true,
      drain_hole_max_count: 0,
      shell_thickness_mm: 1,
    }),
  );
  assert.match(warnings.join(), /^"unseen" \(hidden\) has no drain holes/);
});
