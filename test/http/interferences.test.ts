import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Surface, concatenateSurfaces } from "../../src/mesh/mesh.ts";
import { type Reply, awaitOperation } from "../fixture/client.ts";
import { box, uvSphere } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { insideOut } from "../fixture/surface-edits.ts";
import {
  POWDER,
  RESIN,
  type TestServer,
  UNKNOWN_ID,
  assertRefused,
  bodyOf,
  openTestServer,
} from "../fixture/test-server.ts";
import { longTest } from "../fixture/long.ts";

// Interface, "Other endpoints"; supplement, sections 6 and 7: "validate/interferences".

let server: TestServer;
let cube: string;
let ball: string;
before(async () => {
  server = await openTestServer();
  cube = file("cube.stl", box([10, 10, 10]));
  ball = file("ball.stl", uvSphere(5, 96, 48));
});
after(() => server.close());

const file = (name: string, ...surfaces: Surface[]): string =>
  server.file(name, binaryStl(concatenateSurfaces(surfaces)));
const ask = (body: object): Promise<Reply> => server.ask("validate/interferences", body);

async function pairs(body: object): Promise<string[][]> {
  const reply = bodyOf(await ask(body));
  assert.deepEqual(Object.keys(reply), ["interferences"]);
  return reply.interferences;
}

/** A scene of models at given places. */
async function sceneOf(
  models: readonly (readonly [file: string, x: number, y: number, z: number])[],
  combination: object = POWDER,
): Promise<[scene_id: string, ...ids: string[]]> {
  const scene_id = await server.newScene(combination);
  const ids: string[] = [];
  for (const [path, x, y, z] of models) {
    const id = await server.importOne(scene_id, path);
    bodyOf(await server.ask("translate", { scene_id, model_ids: [id], position: { x, y, z } }));
    ids.push(id);
  }
  return [scene_id, ...ids];
}

test("there are no pairs without models, with one model, and with models that are apart", async () => {
  assert.deepEqual(await pairs({ scene_id: await server.newScene() }), []);
  const [scene_id] = await sceneOf([[cube, 0, 0, 50]]);
  assert.deepEqual(await pairs({ scene_id }), []);
  const [apart] = await sceneOf([
    [cube, 0, 0, 50],
    [cube, 30, 0, 50],
  ]);
  assert.deepEqual(await pairs({ scene_id: apart }), []);
  assert.deepEqual(await pairs({ scene_id: apart, collision_offset_mm: 19.9 }), []);
  assert.equal((await pairs({ scene_id: apart, collision_offset_mm: 20.1 })).length, 1);
});

test("models that touch do not interfere, overlapping ones do, in the order of the scene; each pair has a named model", async () => {
  const [scene_id, a, b, c, d] = await sceneOf([
    [cube, 0, 0, 50],
    [cube, 10, 0, 50],
    [cube, 10, 9.9, 50],
    [cube, 0, -10, 50],
  ]);
  assert.deepEqual(await pairs({ scene_id }), [[b, c]]);
  assert.deepEqual(await pairs({ scene_id, model_ids: [] }), [[b, c]]);
  assert.deepEqual(await pairs({ scene_id, model_ids: [c, b] }), [[b, c]]);
  assert.deepEqual(await pairs({ scene_id, model_ids: [c] }), [[b, c]]);
  assert.deepEqual(await pairs({ scene_id, model_ids: [a, d] }), []);
  const near = [
    [a, b],
    [a, c],
    [a, d],
    [b, c],
    [b, d],
  ];
  assert.deepEqual(await pairs({ scene_id, collision_offset_mm: 0.1 }), near);
  assert.deepEqual(await pairs({ scene_id, collision_offset_mm: 0.1, model_ids: [d, c, a] }), near);
  assert.deepEqual(await pairs({ scene_id, collision_offset_mm: 0.1, model_ids: [c] }), [
    [a, c],
    [b, c],
  ]);
});

test("balls interfere by their distance, whatever their boxes do", async () => {
  // Pole above pole at a distance of 1; askew at √3 · 6 − 10 = 0.392, a little more for the inscribed balls.
  const [above, a, b] = await sceneOf([
    [ball, 0, 0, 50],
    [ball, 0, 0, 61],
  ]);
  const [askew, c, d] = await sceneOf([
    [ball, 0, 0, 50],
    [ball, 6, 6, 56],
  ]);
  for (const [offset, expected] of [
    [0, []],
    [0.99, []],
    [1.01, [[a, b]]],
  ] as const) {
    assert.deepEqual(await pairs({ scene_id: above, collision_offset_mm: offset }), expected, `${offset}`);
  }
  assert.deepEqual(await pairs({ scene_id: askew }), []);
  assert.deepEqual(await pairs({ scene_id: askew, collision_offset_mm: 0.38 }), []);
  assert.deepEqual(await pairs({ scene_id: askew, collision_offset_mm: 0.42 }), [[c, d]]);
});

test("a model inside another interferes with it, one in its cavity does not", async () => {
  const solid = file("solid.stl", uvSphere(20));
  const shell = file("shell.stl", uvSphere(20), insideOut(uvSphere(18)));
  const [inside, a, b] = await sceneOf([
    [solid, 0, 0, 50],
    [ball, 0, 0, 50],
  ]);
  assert.deepEqual(await pairs({ scene_id: inside }), [[a, b]]);
  const [within, c, d] = await sceneOf([
    [ball, 0, 0, 50],
    [shell, 0, 0, 50],
  ]);
  assert.deepEqual(await pairs({ scene_id: within }), []);
  assert.deepEqual(await pairs({ scene_id: within, collision_offset_mm: 13.1 }), [[c, d]]);
});

test("copies interfere until they are laid out", async () => {
  const [scene_id, id] = await sceneOf([[cube, 0, 0, 0]], RESIN);
  const { results } = bodyOf(await server.ask("duplicate", { scene_id, count: 3 }));
  const ids = [id, ...results[0].new_model_ids];
  const every = ids.flatMap((a, i) => ids.slice(i + 1).map((b) => [a, b]));
  assert.deepEqual(await pairs({ scene_id }), every);
  bodyOf(await server.ask("auto-layout", { scene_id, model_spacing_mm: 3 }));
  assert.deepEqual(await pairs({ scene_id }), []);
  assert.deepEqual(await pairs({ scene_id, collision_offset_mm: 3 }), []);
  assert.ok((await pairs({ scene_id, collision_offset_mm: 3.5 })).length >= 2);
  bodyOf(await server.ask("auto-layout", { scene_id, model_spacing_mm: 0 }));
  assert.deepEqual(await pairs({ scene_id }), []);
});

test("rotated and scaled models are compared in their poses", async () => {
  const [scene_id, a, b] = await sceneOf([
    [cube, 0, 0, 60],
    [cube, 16, 0, 60],
  ]);
  assert.deepEqual(await pairs({ scene_id, collision_offset_mm: 5.9 }), []);
  bodyOf(await server.ask("orient", { scene_id, model_ids: [a], orientation: { x: 0, y: 0, z: 45 } }));
  // The corner is 5 · √2 = 7.07 from the axis.
  assert.deepEqual(await pairs({ scene_id, collision_offset_mm: 3.9 }), []);
  assert.deepEqual(await pairs({ scene_id, collision_offset_mm: 3.95 }), [[a, b]]);
  bodyOf(await server.ask("scale", { scene_id, model_ids: [b], scale: 2 }));
  assert.deepEqual(await pairs({ scene_id }), [[a, b]]);
});

longTest("supports interfere, too", async () => {
  const [scene_id, supported, low] = await sceneOf(
    [
      [cube, 0, 0, 0],
      [cube, 40, 0, 0],
    ],
    RESIN,
  );
  bodyOf(await server.ask("auto-support", { scene_id, model_ids: [supported], raft_type: "FULL_RAFT" }));
  const [{ bounding_box }] = await server.models(scene_id, [supported]);
  const reach = bounding_box.max_corner.x;
  assert.ok(reach > 5.1, "its raft reaches beyond it");
  for (const [gap, expected] of [
    [-0.05, [[supported, low]]],
    [0.05, []],
  ] as const) {
    bodyOf(await server.ask("translate", { scene_id, model_ids: [low], position: { x: reach + 5 + gap, y: 0, z: 0 } }));
    assert.deepEqual(await pairs({ scene_id }), expected);
  }
});

longTest("the check runs asynchronously", async () => {
  const [scene_id] = await sceneOf([
    [cube, 0, 0, 50],
    [cube, 5, 0, 50],
  ]);
  const begun = await server.printwright.post("/v1/scene/model/validate/interferences/?async=true", { scene_id });
  const operation = await awaitOperation(server.printwright, begun);
  assert.equal(operation.result.interferences.length, 1);
});

test("errors name their cause", async () => {
  const [scene_id, id] = await sceneOf([[cube, 0, 0, 50]]);
  const cases: [object, string, RegExp?][] = [
    [{ scene_id, model_ids: [id, UNKNOWN_ID] }, "NOT_FOUND"],
    [{ scene_id: UNKNOWN_ID }, "INPUT_ERROR"],
    [{ scene_id, collision_offset_mm: -0.1 }, "JSON_SCHEMA_MATCH_ERROR", /"\/collision_offset_mm"/],
    [{ scene_id, collision_offset_mm: "1" }, "JSON_SCHEMA_MATCH_ERROR", /"\/collision_offset_mm"/],
    [{ scene_id, collision_offset_mm: 2e6 }, "JSON_SCHEMA_MATCH_ERROR", /"\/collision_offset_mm"/],
    [{ scene_id, offset: 1 }, "JSON_SCHEMA_MATCH_ERROR", /"\/offset"/],
    [{ model_ids: [id] }, "JSON_SCHEMA_MATCH_ERROR", /"\/scene_id"/],
  ];
  for (const [body, code, message] of cases) assertRefused(await ask(body), code, message);
});

test("thousands of copies at one place are refused, with the way out", async () => {
  const [scene_id] = await sceneOf([[cube, 0, 0, 50]]);
  bodyOf(await server.ask("duplicate", { scene_id, count: 1500 }));
  assertRefused(await ask({ scene_id }), "OPERATION_FAILED", /lay the models out/);
});
