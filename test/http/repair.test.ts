import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Surface, concatenateSurfaces } from "../../src/mesh/mesh.ts";
import { type Reply, awaitOperation } from "../fixture/client.ts";
import { box, uvSphere } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { facetsOf, insideOut, moved, withFacets } from "../fixture/surface-edits.ts";
import {
  type TestServer,
  UNKNOWN_ID,
  assertNear,
  assertRefused,
  bodyOf,
  openTestServer,
} from "../fixture/test-server.ts";

// Interface, "POST /v1/scene/model/repair/" and "repair_behavior"; supplement, section 6.

let server: TestServer;
before(async () => {
  server = await openTestServer();
});
after(() => server.close());

type Body = Reply["body"];

const CUBE = box([10, 10, 10]);
const OPEN = withFacets(CUBE, facetsOf(CUBE).slice(1));
const OVERLAPPING = concatenateSurfaces([CUBE, moved(CUBE, [4, 3, 2])]);
/** Three facets that bound nothing. */
const DEBRIS: Surface = {
  vertices: Float64Array.of(0, 0, 0, 9, 0, 0, 0, 9, 0, 20, 0, 0, 29, 0, 5, 20, 9, 0, 0, 20, 0, 9, 20, 0, 0, 29, 7),
  triangles: Uint32Array.of(0, 1, 2, 3, 4, 5, 6, 7, 8),
};

const stl = (name: string, surface: Surface): string => server.file(`${name}.stl`, binaryStl(surface));

async function sceneWith(...surfaces: Surface[]): Promise<[scene: string, ...ids: string[]]> {
  const scene_id = await server.newScene();
  const ids: string[] = [];
  for (const [i, surface] of surfaces.entries()) {
    ids.push(await server.importOne(scene_id, stl(`part-${i}`, surface), { repair_behavior: "IGNORE" }));
  }
  return [scene_id, ...ids];
}

const repair = async (scene_id: string, options: object = {}): Promise<Body> =>
  bodyOf(await server.ask("repair", { scene_id, ...options }));
const volumeMl = async (scene_id: string): Promise<number> => (await server.scene(scene_id)).material_usage.volume_ml;

test("each model is in the list for its outcome, and a model without defects is in no list", async () => {
  const [scene_id, sound, open, debris] = await sceneWith(CUBE, OPEN, DEBRIS);
  const before = await server.models(scene_id);
  const answer = await repair(scene_id);
  assert.deepEqual([answer.modified_model_ids, answer.unrepaired_model_ids], [[open], [debris]]);
  assert.equal(answer.warnings.length, 1);
  assert.match(answer.warnings[0], /"part-2" could not be repaired and stays as it was\. It has 9 open edges\./);
  const models = await server.models(scene_id);
  const byId = (list: Body[], id: string | undefined): Body => list.find((model) => model.id === id);
  for (const id of [sound, debris]) assert.deepEqual(byId(models, id), byId(before, id));
  assert.equal(byId(models, open).raw_mesh_hash, byId(models, sound).raw_mesh_hash);
  assert.deepEqual(await repair(scene_id), { ...answer, modified_model_ids: [] });
});

test("only the named models are repaired, and copies get the same mesh", async () => {
  const [scene_id, first, second] = await sceneWith(OPEN, OPEN);
  assert.deepEqual((await repair(scene_id, { model_ids: [second] })).modified_model_ids, [second]);
  assert.deepEqual((await repair(scene_id)).modified_model_ids, [first]);
  const [one, other] = await server.models(scene_id);
  assert.equal(one.raw_mesh_hash, other.raw_mesh_hash);
});

test("a repaired model keeps its place, name and lock, loses its supports, and can be sliced", async () => {
  // The repair removes a part of the mesh, so that the centre of the box changes.
  const speck: Surface = {
    vertices: Float64Array.of(30, 0, 0, 31, 0, 0, 30, 1, 0),
    triangles: Uint32Array.of(0, 1, 2),
  };
  const [scene_id, id] = await sceneWith(concatenateSurfaces([OPEN, speck]));
  bodyOf(await server.ask("scale", { scene_id, scale: 2 }));
  bodyOf(await server.ask("orient", { scene_id, orientation: { x: 0, y: 0, z: 90 } }));
  bodyOf(await server.ask("translate", { scene_id, position: { x: 10, y: 20, z: 30 } }));
  bodyOf(await server.ask("update", { scene_id, model_ids: [id], name: "a part", lock: "FULLY_LOCKED" }));
  const [before] = await server.models(scene_id);
  bodyOf(await server.ask("auto-support", { scene_id, raft_label_enabled: false, only_minima: true }));
  assert.equal((await server.models(scene_id))[0].has_supports, true);
  assert.deepEqual((await repair(scene_id)).modified_model_ids, [id]);
  const [after] = await server.models(scene_id);
  assert.deepEqual([after.name, after.lock, after.scale, after.has_supports], ["a part", "FULLY_LOCKED", 2, false]);
  // The cube is the left part of the mesh; after a rotation by 90° it is at the lower y.
  const { min_corner, max_corner } = after.bounding_box;
  assertNear(min_corner.y, before.bounding_box.min_corner.y, 1e-4);
  assertNear(max_corner.y - min_corner.y, 20, 1e-4);
  assertNear(min_corner.z, 0, 1e-4);
  assertNear(await volumeMl(scene_id), 8, 1e-3);
  const { total_print_time_s } = bodyOf(await server.printwright.post("/v1/scene/calculate-print-time/", { scene_id }));
  assert.ok(total_print_time_s > 0);
});

test("bodies that overlap are united, on import only with REPAIR", async () => {
  const both = 2 - 0.6 * 0.7 * 0.8;
  const file = stl("overlapping", OVERLAPPING);
  const scene_id = await server.newScene();
  await server.importOne(scene_id, file);
  const { modified_model_ids } = await repair(scene_id);
  assert.equal(modified_model_ids.length, 1);
  assertNear(await volumeMl(scene_id), both, 1e-4);
  const [repaired] = await server.models(scene_id);
  const imported = await server.newScene();
  await server.importOne(imported, file, { repair_behavior: "REPAIR" });
  assert.equal((await server.models(imported))[0].raw_mesh_hash, repaired.raw_mesh_hash);
});

test("separate bodies remain two, and a cavity remains hollow", async () => {
  const hollow = concatenateSurfaces([uvSphere(10), insideOut(uvSphere(6)), moved(CUBE, [30, 0, 0])]);
  const [scene_id] = await sceneWith(hollow);
  assert.deepEqual(await repair(scene_id), { modified_model_ids: [], unrepaired_model_ids: [], warnings: [] });
});

test("a repair runs as an operation, and its progress reaches the end", async () => {
  const [scene_id, id] = await sceneWith(OPEN);
  const begun = await server.printwright.post("/v1/scene/model/repair/?async=true", { scene_id });
  const { status, progress, result } = await awaitOperation(server.printwright, begun);
  assert.deepEqual([status, progress], ["SUCCEEDED", 1]);
  assert.deepEqual(result.modified_model_ids, [id]);
});

test("requests that cannot be fulfilled are rejected, and nothing changes", async () => {
  const [scene_id, id] = await sceneWith(OPEN);
  const before = await server.models(scene_id);
  const refused = async (body: object, code: string, message: RegExp): Promise<void> =>
    assertRefused(await server.ask("repair", body), code, message);
  await refused({}, "JSON_SCHEMA_MATCH_ERROR", /scene_id/);
  await refused({ scene_id, tolerance_mm: 1 }, "JSON_SCHEMA_MATCH_ERROR", /tolerance_mm/);
  await refused({ scene_id, model_ids: id }, "JSON_SCHEMA_MATCH_ERROR", /model_ids/);
  await refused({ scene_id: UNKNOWN_ID }, "INPUT_ERROR", new RegExp(UNKNOWN_ID));
  await refused({ scene_id, model_ids: [id, UNKNOWN_ID] }, "NOT_FOUND", new RegExp(UNKNOWN_ID));
  assert.deepEqual(await server.models(scene_id), before);
});

test("warnings of an import with REPAIR name the remaining defects and the treatment of faces that enclose nothing", async () => {
  const imported = async (surface: Surface): Promise<string[]> => {
    const scene_id = await server.newScene();
    const body = { scene_id, file: stl("warned", surface), repair_behavior: "REPAIR" };
    return bodyOf(await server.ask("import", body)).warnings ?? [];
  };
  const sheet = withFacets(CUBE, facetsOf(CUBE).slice(0, 2));
  const [left, ...more] = await imported(sheet);
  assert.match(left, /could not be repaired and stays as it was\. It has 4 open edges, no volume\./);
  assert.deepEqual(more, []);
  const facets = facetsOf(CUBE);
  const corner = withFacets(
    CUBE,
    [0, 1, 4, 5, 8, 9].map((facet) => facets[facet]),
  );
  const [closed, ...others] = await imported(corner);
  assert.match(closed, /enclosed nothing: its openings were closed, which makes it a solid of 833 mm³\./);
  assert.deepEqual(others, []);
  assert.deepEqual(await imported(CUBE), []);
  assert.deepEqual(await imported(OPEN), []);
});
