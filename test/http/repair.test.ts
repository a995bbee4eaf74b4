import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { combine } from "../../src/mesh/combine.ts";
import type { Surface } from "../../src/mesh/mesh.ts";
import { facetsOf, insideOut, moved, withFacets } from "../fixture/altered.ts";
import type { Reply } from "../fixture/client.ts";
import { endOf } from "../fixture/operation.ts";
import { assertRefused } from "../fixture/refusal.ts";
import { box, uvSphere } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { assertNear, bodyOf, openWorkshop, UNKNOWN_ID, type Workshop } from "../fixture/workshop.ts";

// Interface, "POST /v1/scene/model/repair/" and "repair_behavior"; supplement, section 6.

let shop: Workshop;
before(async () => {
  shop = await openWorkshop();
});
after(() => shop.close());

type Body = Reply["body"];

const CUBE = box([10, 10, 10]);
const OPEN = withFacets(CUBE, facetsOf(CUBE).slice(1));
const OVERLAPPING = combine([CUBE, moved(CUBE, [4, 3, 2])]);
/** Three facets that bound nothing. */
const DEBRIS: Surface = {
  vertices: Float64Array.of(0, 0, 0, 9, 0, 0, 0, 9, 0, 20, 0, 0, 29, 0, 5, 20, 9, 0, 0, 20, 0, 9, 20, 0, 0, 29, 7),
  triangles: Uint32Array.of(0, 1, 2, 3, 4, 5, 6, 7, 8),
};

const stl = (name: string, surface: Surface): string => shop.file(`${name}.stl`, binaryStl(surface));

async function sceneWith(...surfaces: Surface[]): Promise<[scene: string, ...ids: string[]]> {
  const scene_id = await shop.newScene();
  const ids: string[] = [];
  for (const [i, surface] of surfaces.entries()) {
    ids.push(await shop.importOne(scene_id, stl(`part-${i}`, surface), { repair_behavior: "IGNORE" }));
  }
  return [scene_id, ...ids];
}

const repair = async (scene_id: string, options: object = {}): Promise<Body> =>
  bodyOf(await shop.ask("repair", { scene_id, ...options }));
const volumeMl = async (scene_id: string): Promise<number> => (await shop.scene(scene_id)).material_usage.volume_ml;

test("each model is in the list of what became of it, and one that needed nothing is in none", async () => {
  const [scene_id, sound, open, debris] = await sceneWith(CUBE, OPEN, DEBRIS);
  const before = await shop.models(scene_id);
  const answer = await repair(scene_id);
  assert.deepEqual(answer, { modified_model_ids: [open], unrepaired_model_ids: [debris], warnings: [] });
  const models = await shop.models(scene_id);
  const byId = (list: Body[], id: string | undefined): Body => list.find((model) => model.id === id);
  for (const id of [sound, debris]) assert.deepEqual(byId(models, id), byId(before, id));
  assert.equal(byId(models, open).raw_mesh_hash, byId(models, sound).raw_mesh_hash);
  assert.deepEqual(await repair(scene_id), { ...answer, modified_model_ids: [] });
});

test("only the models asked for are repaired, and copies alike", async () => {
  const [scene_id, first, second] = await sceneWith(OPEN, OPEN);
  assert.deepEqual((await repair(scene_id, { model_ids: [second] })).modified_model_ids, [second]);
  assert.deepEqual((await repair(scene_id)).modified_model_ids, [first]);
  const [one, other] = await shop.models(scene_id);
  assert.equal(one.raw_mesh_hash, other.raw_mesh_hash);
});

test("a repaired model stands where it stood, keeps its name and lock, loses its supports, and slices", async () => {
  // A part of the mesh that goes, so that the middle of the box is another.
  const speck: Surface = {
    vertices: Float64Array.of(30, 0, 0, 31, 0, 0, 30, 1, 0),
    triangles: Uint32Array.of(0, 1, 2),
  };
  const [scene_id, id] = await sceneWith(combine([OPEN, speck]));
  bodyOf(await shop.ask("scale", { scene_id, scale: 2 }));
  bodyOf(await shop.ask("orient", { scene_id, orientation: { x: 0, y: 0, z: 90 } }));
  bodyOf(await shop.ask("translate", { scene_id, position: { x: 10, y: 20, z: 30 } }));
  bodyOf(await shop.ask("update", { scene_id, model_ids: [id], name: "a part", lock: "FULLY_LOCKED" }));
  const [before] = await shop.models(scene_id);
  bodyOf(await shop.ask("auto-support", { scene_id, raft_label_enabled: false }));
  assert.equal((await shop.models(scene_id))[0].has_supports, true);
  assert.deepEqual((await repair(scene_id)).modified_model_ids, [id]);
  const [after] = await shop.models(scene_id);
  assert.deepEqual([after.name, after.lock, after.scale, after.has_supports], ["a part", "FULLY_LOCKED", 2, false]);
  // The cube is the left part of the mesh: turned by a quarter it lies at the lower y.
  const { min_corner, max_corner } = after.bounding_box;
  assertNear(min_corner.y, before.bounding_box.min_corner.y, 1e-4);
  assertNear(max_corner.y - min_corner.y, 20, 1e-4);
  assertNear(min_corner.z, 0, 1e-4);
  assertNear(await volumeMl(scene_id), 8, 1e-3);
  const { total_print_time_s } = bodyOf(await shop.printwright.post("/v1/scene/calculate-print-time/", { scene_id }));
  assert.ok(total_print_time_s > 0);
});

test("bodies that overlap become one, on import too, but only where they are asked to", async () => {
  const both = 2 - 0.6 * 0.7 * 0.8;
  const file = stl("overlapping", OVERLAPPING);
  const scene_id = await shop.newScene();
  await shop.importOne(scene_id, file);
  const { modified_model_ids } = await repair(scene_id);
  assert.equal(modified_model_ids.length, 1);
  assertNear(await volumeMl(scene_id), both, 1e-4);
  const [repaired] = await shop.models(scene_id);
  const imported = await shop.newScene();
  await shop.importOne(imported, file, { repair_behavior: "REPAIR" });
  assert.equal((await shop.models(imported))[0].raw_mesh_hash, repaired.raw_mesh_hash);
});

test("bodies that stand apart stay two, and a cavity stays hollow", async () => {
  const hollow = combine([uvSphere(10), insideOut(uvSphere(6)), moved(CUBE, [30, 0, 0])]);
  const [scene_id] = await sceneWith(hollow);
  assert.deepEqual(await repair(scene_id), { modified_model_ids: [], unrepaired_model_ids: [], warnings: [] });
});

test("it runs as an operation, and its progress reaches the end", async () => {
  const [scene_id, id] = await sceneWith(OPEN);
  const begun = await shop.printwright.post("/v1/scene/model/repair/?async=true", { scene_id });
  const { status, progress, result } = await endOf(shop.printwright, begun);
  assert.deepEqual([status, progress], ["SUCCEEDED", 1]);
  assert.deepEqual(result.modified_model_ids, [id]);
});

test("what cannot be done is refused, and nothing is changed", async () => {
  const [scene_id, id] = await sceneWith(OPEN);
  const before = await shop.models(scene_id);
  const refused = async (body: object, code: string, message: RegExp): Promise<void> =>
    assertRefused(await shop.ask("repair", body), code, message);
  await refused({}, "JSON_SCHEMA_MATCH_ERROR", /scene_id/);
  await refused({ scene_id, tolerance_mm: 1 }, "JSON_SCHEMA_MATCH_ERROR", /tolerance_mm/);
  await refused({ scene_id, model_ids: id }, "JSON_SCHEMA_MATCH_ERROR", /model_ids/);
  await refused({ scene_id: UNKNOWN_ID }, "INPUT_ERROR", new RegExp(UNKNOWN_ID));
  await refused({ scene_id, model_ids: [id, UNKNOWN_ID] }, "NOT_FOUND", new RegExp(UNKNOWN_ID));
  assert.deepEqual(await shop.models(scene_id), before);
});
