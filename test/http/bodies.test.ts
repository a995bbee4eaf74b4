import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { type Surface, concatenateSurfaces } from "../../src/mesh/mesh.ts";
import { type Reply, awaitOperation } from "../fixture/client.ts";
import { longTest } from "../fixture/long.ts";
import { box, uvSphere } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { insideOut, moved } from "../fixture/surface-edits.ts";
import {
  POWDER,
  type TestServer,
  UNKNOWN_ID,
  UUID,
  assertNear,
  assertRefused,
  bodyOf,
  openTestServer,
} from "../fixture/test-server.ts";

// Interface, "Other endpoints"; supplement, sections 4 and 6: "body-count", "split-bodies", "validate/manifoldness".

const ENDPOINTS = ["body-count", "split-bodies", "validate/manifoldness"];

let server: TestServer;
let one: string;
let three: string;
before(async () => {
  server = await openTestServer();
  one = file("one.stl", box([10, 10, 10]));
  three = file(
    "three.stl",
    box([10, 10, 10]),
    insideOut(moved(box([4, 4, 4]), [2, 1, 0])),
    moved(box([6, 6, 6]), [20, 0, 8]),
    moved(uvSphere(3), [0, 30, 4]),
  );
});
after(() => server.close());

const file = (name: string, ...surfaces: Surface[]): string =>
  server.file(name, binaryStl(concatenateSurfaces(surfaces)));
const corpus = (name: string): string => fileURLToPath(new URL(`../fixture/corpus/${name}`, import.meta.url));

async function resultsOf(action: string, body: object): Promise<Reply["body"]> {
  const reply = bodyOf(await server.ask(action, body));
  assert.deepEqual(Object.keys(reply), ["per_model_results"]);
  return reply.per_model_results;
}

test("body-count counts bodies with their cavities", async () => {
  const scene_id = await server.newScene();
  assert.deepEqual(await resultsOf("body-count", { scene_id }), {});
  const a = await server.importOne(scene_id, one);
  const b = await server.importOne(scene_id, three);
  assert.deepEqual(await resultsOf("body-count", { scene_id }), { [a]: { body_count: 1 }, [b]: { body_count: 3 } });
  assert.deepEqual(await resultsOf("body-count", { scene_id, model_ids: [b] }), { [b]: { body_count: 3 } });
});

const SOUND = {
  is_manifold: true,
  open_edge_count: 0,
  non_manifold_edge_count: 0,
  degenerate_face_count: 0,
  inverted_body_count: 0,
  self_intersecting: false,
};

longTest("manifoldness reports the defects of each model", async () => {
  const scene_id = await server.newScene();
  assert.deepEqual(await resultsOf("validate/manifoldness", { scene_id }), {});
  const sound = await server.importOne(scene_id, three);
  const holed = await server.importOne(scene_id, corpus("gen-65004-holes12.stl"), { repair_behavior: "IGNORE" });
  const bad = await server.importOne(scene_id, corpus("mf-Offset1-x0.04.stl"), { repair_behavior: "IGNORE" });
  const inverted = await server.importOne(scene_id, file("inverted.stl", insideOut(box([4, 4, 4]))), {
    repair_behavior: "IGNORE",
  });
  const crossing = await server.importOne(scene_id, file("crossing.stl", uvSphere(4), moved(uvSphere(4), [3, 1, 0])));
  const broken = { ...SOUND, is_manifold: false };
  const expected = {
    [sound]: SOUND,
    [holed]: { ...broken, open_edge_count: 36 },
    [bad]: { ...broken, non_manifold_edge_count: 28, degenerate_face_count: 44, self_intersecting: true },
    [inverted]: { ...broken, inverted_body_count: 1 },
    [crossing]: { ...SOUND, self_intersecting: true },
  };
  assert.deepEqual(await resultsOf("validate/manifoldness", { scene_id }), expected);
  assert.deepEqual(await resultsOf("validate/manifoldness", { scene_id, model_ids: [bad, bad] }), {
    [bad]: expected[bad],
  });
});

/** The middle and the size of a model's box. */
function boxOf({ bounding_box: { min_corner, max_corner } }: Reply["body"]): [middle: object, size: object] {
  const each = (of: (low: number, high: number) => number): object =>
    Object.fromEntries(["x", "y", "z"].map((axis) => [axis, of(min_corner[axis], max_corner[axis])]));
  return [each((low, high) => (low + high) / 2), each((low, high) => high - low)];
}

async function split(scene_id: string, model_ids?: readonly string[]): Promise<Reply["body"][]> {
  const reply = bodyOf(await server.ask("split-bodies", { scene_id, model_ids }));
  const { results, warnings = [], ...others } = reply;
  assert.deepEqual(others, {});
  for (const warning of warnings) assert.match(warning, /^The supports of ".*" were removed, because its mesh changed/);
  return results;
}

test("split-bodies leaves the pieces where they were, in place of the old model", async () => {
  const scene_id = await server.newScene(POWDER);
  const first = await server.importOne(scene_id, one);
  const source = await server.importOne(scene_id, three, { name: "part", lock: "LOCKED_XY_FLIP_ENABLED" });
  const last = await server.importOne(scene_id, one);
  bodyOf(await server.ask("scale", { scene_id, model_ids: [source], scale: 2 }));
  bodyOf(await server.ask("orient", { scene_id, model_ids: [source], orientation: { x: 0, y: 0, z: 90 } }));
  bodyOf(await server.ask("translate", { scene_id, model_ids: [source], position: { x: 5, y: -8, z: 60 } }));
  bodyOf(await server.ask("update", { scene_id, model_ids: [source], visible: false }));
  const before = await server.models(scene_id);
  const results = await split(scene_id);
  assert.equal(results.length, 1);
  assert.equal(results[0].source_model_id, source);
  assert.equal(results[0].new_model_ids.length, 3);
  for (const id of results[0].new_model_ids) assert.match(id, UUID);
  const models = await server.models(scene_id);
  assert.deepEqual(
    models.map(({ id }) => id),
    [first, ...results[0].new_model_ids, last],
  );
  assert.deepEqual([models[0], models[4]], [before[0], before[2]]);
  for (const [i, piece] of models.slice(1, 4).entries()) {
    assert.equal(piece.name, `part ${i + 1}`);
    assert.notEqual(piece.raw_mesh_hash, before[1].raw_mesh_hash);
    for (const field of ["orientation", "scale", "units", "original_file", "visible", "lock", "in_bounds"]) {
      assert.deepEqual(piece[field], before[1][field], field);
    }
  }
  // Turned by 90° and doubled about the middle of a box from (−5, −5, −5) to (23, 33, 11).
  const middles = [
    [0, 0, 0],
    [0, 30, 4],
    [20, 0, 8],
  ].map(([x, y, z]) => ({
    x: 5 - 2 * (y - 14),
    y: -8 + 2 * (x - 9),
    z: 60 + 2 * (z - 3),
  }));
  const sizes = [20, 12, 12];
  const found = models.slice(1, 4).map(boxOf);
  for (const [i, [middle, size]] of found.entries()) {
    assertNear(middle, middles[i], 1e-3);
    assertNear(size, { x: sizes[i], y: sizes[i], z: sizes[i] }, 0.1);
  }
});

test("in resin scenes the bodies are placed on the platform, without supports", async () => {
  const scene_id = await server.newScene();
  const source = await server.importOne(scene_id, three);
  const [before] = await server.models(scene_id);
  bodyOf(await server.ask("auto-support", { scene_id, raft_label_enabled: false, only_minima: true }));
  assert.equal((await server.models(scene_id))[0].has_supports, true);
  const [{ new_model_ids }] = await split(scene_id, [source]);
  const pieces = await server.models(scene_id);
  assert.deepEqual(
    pieces.map(({ id }) => id),
    new_model_ids,
  );
  for (const { has_supports, bounding_box } of pieces) {
    assert.equal(has_supports, false);
    assertNear(bounding_box.min_corner.z, 0, 1e-6);
  }
  const leastX = pieces.map(({ bounding_box }) => bounding_box.min_corner.x - before.bounding_box.min_corner.x);
  for (const [i, x] of [0, 2, 22].entries()) assertNear(leastX[i], x, 0.01);
  const { layer_count } = await server.scene(scene_id);
  assert.equal(layer_count, 100);
  bodyOf(await server.printwright.post("/v1/scene/calculate-print-time/", { scene_id }));
});

longTest("a model with only one body, and its supports, stay unchanged", async () => {
  const scene_id = await server.newScene();
  await server.importOne(scene_id, one);
  await server.importOne(scene_id, file("hollow.stl", uvSphere(4), insideOut(uvSphere(3))));
  bodyOf(await server.ask("auto-support", { scene_id, raft_label_enabled: false, only_minima: true }));
  const before = await server.scene(scene_id);
  assert.deepEqual(await split(scene_id), []);
  assert.deepEqual(await server.scene(scene_id), before);
});

test("pieces of pieces and of copies are models like any others", async () => {
  const scene_id = await server.newScene();
  const source = await server.importOne(scene_id, three, { name: "x".repeat(1000) });
  bodyOf(await server.ask("duplicate", { scene_id, count: 2 }));
  const results = await split(scene_id);
  assert.equal(results.length, 3);
  assert.equal(results[0].source_model_id, source);
  const models = await server.models(scene_id);
  assert.deepEqual(
    models.map(({ id }) => id),
    results.flatMap(({ new_model_ids }) => new_model_ids),
  );
  assert.equal(new Set(models.map(({ raw_mesh_hash }) => raw_mesh_hash)).size, 3);
  assert.ok(models.every(({ name }) => name.length <= 1000 && / [123]$/.test(name)));
  assert.deepEqual(await split(scene_id), []);
  const counts = Object.values(await resultsOf("body-count", { scene_id }));
  assert.deepEqual(
    counts,
    models.map(() => ({ body_count: 1 })),
  );
});

test("a split into more models than a scene may have is refused, and nothing changes", async () => {
  const scene_id = await server.newScene(POWDER);
  await server.importOne(scene_id, three);
  bodyOf(await server.ask("duplicate", { scene_id, count: 4000 }));
  assertRefused(await server.ask("split-bodies", { scene_id }), "INPUT_ERROR", /10000 models.*4001.*12003 bodies/);
  const models = await server.models(scene_id);
  assert.equal(models.length, 4001);
  const some = models.slice(0, 2999).map(({ id }) => id);
  assert.equal((await split(scene_id, some)).length, 2999);
  assert.equal((await server.models(scene_id)).length, 9999);
});

longTest("requests on bodies run asynchronously", async () => {
  const scene_id = await server.newScene();
  await server.importOne(scene_id, three);
  for (const action of ENDPOINTS) {
    const begun = await server.printwright.post(`/v1/scene/model/${action}/?async=true`, { scene_id });
    const operation = await awaitOperation(server.printwright, begun);
    assert.equal(operation.status, "SUCCEEDED");
    assert.equal(operation.progress, 1);
  }
});

test("errors name their cause", async () => {
  const scene_id = await server.newScene();
  await server.importOne(scene_id, three);
  const before = await server.scene(scene_id);
  for (const action of ENDPOINTS) {
    const cases: [object, string][] = [
      [{ scene_id, model_ids: [UNKNOWN_ID] }, "NOT_FOUND"],
      [{ scene_id, model_ids: ["nobody"] }, "NOT_FOUND"],
      [{ scene_id: UNKNOWN_ID }, "INPUT_ERROR"],
      [{ scene_id, model_ids: "all" }, "JSON_SCHEMA_MATCH_ERROR"],
      [{ scene_id, deep: true }, "JSON_SCHEMA_MATCH_ERROR"],
      [{}, "JSON_SCHEMA_MATCH_ERROR"],
    ];
    for (const [body, code] of cases) assertRefused(await server.ask(action, body), code);
  }
  assert.deepEqual(await server.scene(scene_id), before);
});
