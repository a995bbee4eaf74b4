import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { concatenateSurfaces } from "../../src/mesh/mesh.ts";
import { type Reply, awaitOperation } from "../fixture/client.ts";
import { longTest } from "../fixture/long.ts";
import { randomFrom } from "../fixture/random.ts";
import { box, uvSphere } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { insideOut, moved, perforated } from "../fixture/surface-edits.ts";
import {
  POWDER,
  type TestServer,
  UNKNOWN_ID,
  assertNear,
  assertRefused,
  bodyOf,
  openTestServer,
} from "../fixture/test-server.ts";

// Interface, "thin-features"; supplement, section 7, "thin regions".

type Body = Reply["body"];

let server: TestServer;
/** A block of 6 × 4 × 3 mm with two fins of 0.6 mm, 3 and 5 mm high. */
let finned: string;
let shell: string;
let cube: string;
let open: string;
before(async () => {
  server = await openTestServer();
  const fins = [3, 5].map((mm, i) => moved(box([0.6, 4, mm]), [4 * i - 2, 0, 1.5 + mm / 2]));
  finned = server.file("finned.stl", binaryStl(concatenateSurfaces([box([6, 4, 3]), ...fins])));
  shell = server.file("shell.stl", binaryStl(concatenateSurfaces([uvSphere(2), insideOut(uvSphere(1.3))])));
  cube = server.file("cube.stl", binaryStl(box([3, 3, 3])));
  open = server.file("open.stl", binaryStl(perforated(uvSphere(3), 2, randomFrom(1))));
});
after(() => server.close());

const ask = (body: object, query = ""): Promise<Reply> =>
  server.printwright.post(`/v1/scene/model/validate/thin-features/${query}`, body);

const results = async (body: object): Promise<Body> => bodyOf(await ask(body)).per_model_results;

const without = (status: string): Body => ({
  status,
  has_thin_walls: false,
  thin_volume_mm3: 0,
  thin_region_count: 0,
  thin_regions: [],
});

longTest("regions are listed by volume, with their boxes in the scene and their sum", async () => {
  const scene_id = await server.newScene();
  const id = await server.importOne(scene_id, finned);
  bodyOf(await server.ask("translate", { scene_id, position: { x: 20, y: -10, z: 0 } }));
  const { [id]: found } = await results({ scene_id, threshold_mm: 1 });
  const { thin_regions: regions, ...rest } = found;
  const sum = regions.reduce((total: number, { volume_mm3 }: Body) => total + volume_mm3, 0);
  assert.deepEqual(rest, { status: "ANALYZED", has_thin_walls: true, thin_volume_mm3: sum, thin_region_count: 2 });
  regions.forEach((region: Body, i: number) => {
    assert.deepEqual(Object.keys(region).sort(), ["bounding_box", "volume_mm3"]);
    const heightMm = [5, 3][i];
    assertNear(region.volume_mm3, 4 * 0.6 * heightMm, 0.75);
    const { min_corner, max_corner } = region.bounding_box;
    const x = 20 + [2, -2][i];
    assertNear(min_corner, { x: x - 0.3, y: -12, z: 3 }, 0.3);
    assertNear(max_corner, { x: x + 0.3, y: -8, z: 3 + heightMm }, 0.2);
  });
  assert.deepEqual((await results({ scene_id, threshold_mm: 0.5 }))[id], without("ANALYZED"));
});

test("a shell that threads search in slabs is one region", async () => {
  const scene_id = await server.newScene();
  const [outer, inner] = [uvSphere(3.2), insideOut(uvSphere(2.5))];
  const file = server.file("large-shell.stl", binaryStl(concatenateSurfaces([outer, inner])));
  const id = await server.importOne(scene_id, file);
  const { [id]: found } = await results({ scene_id, threshold_mm: 1 });
  assert.equal(found.thin_region_count, 1);
  assertNear(found.thin_volume_mm3, outer.volume - uvSphere(2.5).volume, 1);
});

longTest("model_ids selects the models to check; without it or if it is empty, all are checked", async () => {
  const scene_id = await server.newScene();
  const thin = await server.importOne(scene_id, shell);
  const thick = await server.importOne(scene_id, cube);
  const broken = await server.importOne(scene_id, open, { repair_behavior: "IGNORE" });
  bodyOf(await server.ask("update", { scene_id, model_ids: [thick], visible: false }));
  bodyOf(await server.ask("translate", { scene_id, model_ids: [thin], position: { x: 900, y: 0, z: 0 } }));
  const all = await results({ scene_id, threshold_mm: 1 });
  assert.deepEqual(Object.keys(all).sort(), [thin, thick, broken].sort());
  assert.deepEqual(await results({ scene_id, model_ids: [], threshold_mm: 1 }), all);
  assert.deepEqual(all[thick], without("ANALYZED"));
  assert.deepEqual(all[broken], without("MESH_ERROR"));
  assert.equal(all[thin].thin_region_count, 1);
  assertNear(all[thin].thin_volume_mm3, uvSphere(2).volume - uvSphere(1.3).volume, 1);
  assertNear(all[thin].thin_regions[0].bounding_box.min_corner.x, 898, 0.1);
  const one = await results({ scene_id, model_ids: [thick.toUpperCase(), `{${thick}}`], threshold_mm: 1 });
  assert.deepEqual(one, { [thick]: all[thick] });
  assert.deepEqual(await results({ scene_id: await server.newScene(), threshold_mm: 1 }), {});
});

longTest("the threshold applies in the scene: scale counts, supports and printer do not", async () => {
  const scene_id = await server.newScene(POWDER);
  const id = await server.importOne(scene_id, shell);
  assert.equal((await results({ scene_id, threshold_mm: 1 }))[id].has_thin_walls, true);
  bodyOf(await server.ask("scale", { scene_id, scale: 2 }));
  assert.equal((await results({ scene_id, threshold_mm: 1 }))[id].has_thin_walls, false);
  assertNear(
    (await results({ scene_id, threshold_mm: 2 }))[id].thin_volume_mm3,
    8 * (uvSphere(2).volume - uvSphere(1.3).volume),
    10,
  );
});

test("models that cannot be analysed have a status", async () => {
  const scene_id = await server.newScene();
  const id = await server.importOne(scene_id, cube);
  assert.deepEqual((await results({ scene_id, threshold_mm: 3.5 }))[id], without("TOO_SMALL"));
  assert.deepEqual((await results({ scene_id, threshold_mm: 0.01 }))[id], without("TOO_LARGE"));
  assert.deepEqual((await results({ scene_id, threshold_mm: 1e-300 }))[id], without("TOO_LARGE"));
});

test("whether a model is too small does not depend on its orientation", async () => {
  const scene_id = await server.newScene();
  const id = await server.importOne(scene_id, server.file("sheet.stl", binaryStl(box([3, 3, 0.9]))));
  for (const [x, scale, status] of [
    [0, 1, "TOO_SMALL"],
    [45, 1, "TOO_SMALL"],
    [45, 2, "ANALYZED"],
  ] as const) {
    bodyOf(await server.ask("orient", { scene_id, orientation: { x, y: 20, z: 0 } }));
    bodyOf(await server.ask("scale", { scene_id, scale }));
    assert.equal((await results({ scene_id, threshold_mm: 1 }))[id].status, status);
  }
});

longTest("the scene stays unchanged, and an operation gives the same result", async () => {
  const scene_id = await server.newScene();
  const id = await server.importOne(scene_id, finned);
  bodyOf(await server.ask("duplicate", { scene_id, model_ids: [id], count: 2 }));
  const scene = await server.scene(scene_id);
  const found = await results({ scene_id, threshold_mm: 1 });
  assert.equal(new Set(Object.values(found).map((one) => JSON.stringify(one))).size, 1);
  assert.deepEqual(await server.scene(scene_id), scene);
  const begun = await ask({ scene_id, threshold_mm: 1 }, "?async=true");
  const { status, progress, result } = await awaitOperation(server.printwright, begun);
  assert.deepEqual([status, progress], ["SUCCEEDED", 1]);
  assert.deepEqual(result, { per_model_results: found });
});

test("invalid requests are refused with their codes, in the order of the checks", async () => {
  const scene_id = await server.newScene();
  const id = await server.importOne(scene_id, cube);
  const refused = async (body: object, code: string, message: RegExp): Promise<void> =>
    assertRefused(await ask(body), code, message);
  for (const threshold_mm of [0, -1, "1", null]) {
    await refused({ scene_id, threshold_mm }, "JSON_SCHEMA_MATCH_ERROR", /"\/threshold_mm"/);
  }
  await refused({ scene_id }, "JSON_SCHEMA_MATCH_ERROR", /threshold_mm/);
  await refused({ threshold_mm: 1 }, "JSON_SCHEMA_MATCH_ERROR", /scene_id/);
  await refused({ scene_id, threshold_mm: 1, model_ids: [3] }, "JSON_SCHEMA_MATCH_ERROR", /"\/model_ids\/0"/);
  await refused({ scene_id, threshold_mm: 1, model_ids: id }, "JSON_SCHEMA_MATCH_ERROR", /"\/model_ids"/);
  await refused({ scene_id, threshold_mm: 1, more: 1 }, "JSON_SCHEMA_MATCH_ERROR", /"\/more"/);
  await refused(
    { scene_id: UNKNOWN_ID, threshold_mm: 1, model_ids: [UNKNOWN_ID] },
    "INPUT_ERROR",
    new RegExp(UNKNOWN_ID),
  );
  await refused({ scene_id: "nowhere", threshold_mm: 1 }, "INPUT_ERROR", /nowhere/);
  await refused({ scene_id, threshold_mm: 1, model_ids: [id, UNKNOWN_ID] }, "OPERATION_FAILED", new RegExp(UNKNOWN_ID));
  await refused({ scene_id, threshold_mm: 1, model_ids: ["x"] }, "OPERATION_FAILED", /x/);
  assertRefused(await ask({ scene_id, threshold_mm: 1 }, "?async=maybe"), "INVALID_QUERY_PARAMETER");
});
