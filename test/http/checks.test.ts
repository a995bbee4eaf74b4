import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { type Reply, awaitOperation } from "../fixture/client.ts";
import { box, lathe } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { POWDER, type TestServer, UNKNOWN_ID, assertRefused, bodyOf, openTestServer } from "../fixture/test-server.ts";
import { longTest } from "../fixture/long.ts";

// Interface, "Printability checks"; supplement, section 7. Every check of a whole scene, and the results that it may give.
const CHECKS = [
  ["cups", "cup_count"],
  ["minima", "minima_count"],
] as const;
type Check = (typeof CHECKS)[number][0];

const corpus = (name: string): string => fileURLToPath(new URL(`../fixture/corpus/${name}`, import.meta.url));
const FUNCTIONAL_PART = fileURLToPath(new URL("../../assets/demo/functional-part.stl", import.meta.url));
const UPSIDE_DOWN = { x: 180, y: 0, z: 0 };

let server: TestServer;
let mug: string;
let cube: string;
before(async () => {
  server = await openTestServer();
  mug = server.file(
    "mug.stl",
    binaryStl(
      lathe(
        [
          [0, 0],
          [6, 0],
          [6, 10],
          [5, 10],
          [5, 1],
          [0, 1],
        ],
        48,
        false,
      ),
    ),
  );
  cube = server.file("cube.stl", binaryStl(box([10, 10, 10])));
});
after(() => server.close());

const ask = (check: Check, body: object, query = ""): Promise<Reply> =>
  server.printwright.post(`/v1/scene/model/validate/${check}/${query}`, body);

/** The results of a check for each model of a scene, in the order of the models. */
async function counts(check: Check, scene_id: string): Promise<number[]> {
  const body = bodyOf(await ask(check, { scene_id }));
  assert.deepEqual(Object.keys(body), ["per_model_results"]);
  const models = await server.models(scene_id);
  assert.deepEqual(Object.keys(body.per_model_results).sort(), models.map(({ id }) => id).sort());
  const field = Object.fromEntries(CHECKS)[check];
  return models.map(({ id }) => {
    assert.deepEqual(Object.keys(body.per_model_results[id]), [field]);
    return body.per_model_results[id][field];
  });
}

longTest("a mug is one cup upright and upside down, none on its side; a cube has none", async () => {
  const scene_id = await server.newScene();
  const id = await server.importOne(scene_id, mug);
  assert.deepEqual(await counts("cups", scene_id), [1]);
  bodyOf(await server.ask("orient", { scene_id, model_ids: [id], orientation: UPSIDE_DOWN }));
  assert.deepEqual(await counts("cups", scene_id), [1]);
  bodyOf(await server.ask("orient", { scene_id, model_ids: [id], orientation: { x: 90, y: 0, z: 0 } }));
  assert.deepEqual(await counts("cups", scene_id), [0]);
  await server.importOne(scene_id, cube);
  assert.deepEqual(await counts("cups", scene_id), [0, 0]);
});

test("a part on the platform has no minimum, except at tips that hang down elsewhere", async () => {
  const scene_id = await server.newScene();
  // Both feet of a gate are on the platform until it is tilted.
  const feet = [-8, 8].map((x) => ({ size: [4, 4, 10] as const, x }));
  const parts = [box([20, 4, 4]), ...feet.map(({ size }) => box(size))];
  const shifts = [[0, 0, 5], ...feet.map(({ x }) => [x, 0, 0])];
  const vertices = parts.flatMap((part, i) => Array.from(part.vertices, (value, at) => value + shifts[i][at % 3]));
  const triangles = parts.flatMap((part, i) => Array.from(part.triangles, (corner) => corner + 8 * i));
  const gate = server.file(
    "gate.stl",
    binaryStl({ vertices: Float64Array.from(vertices), triangles: Uint32Array.from(triangles) }),
  );
  const id = await server.importOne(scene_id, gate, { repair_behavior: "IGNORE" });
  assert.deepEqual(await counts("minima", scene_id), [0]);
  bodyOf(await server.ask("orient", { scene_id, model_ids: [id], orientation: { x: 0, y: 12, z: 0 } }));
  assert.deepEqual(await counts("minima", scene_id), [1]);
  bodyOf(await server.ask("orient", { scene_id, model_ids: [id], orientation: UPSIDE_DOWN }));
  assert.deepEqual(await counts("minima", scene_id), [0]);
});

test("hidden models count too, and copies have the same count", async () => {
  const scene_id = await server.newScene();
  const id = await server.importOne(scene_id, mug);
  bodyOf(await server.ask("translate", { scene_id, model_ids: [id], position: { x: -40, y: 0, z: 0 } }));
  const { results } = bodyOf(await server.ask("duplicate", { scene_id, model_ids: [id], count: 4 }));
  const copies: string[] = results[0].new_model_ids;
  for (const [i, copy] of copies.entries()) {
    const position = { x: 15 * i - 20, y: 7, z: 0 };
    bodyOf(await server.ask("translate", { scene_id, model_ids: [copy], position }));
  }
  bodyOf(await server.ask("update", { scene_id, model_ids: [copies[1]], visible: false }));
  assert.deepEqual(await counts("cups", scene_id), [1, 1, 1, 1, 1]);
  assert.deepEqual(await counts("minima", scene_id), [0, 0, 0, 0, 0]);
});

longTest("a scene stays unchanged whatever the checks find, and real parts give the same counts again", async () => {
  const scene_id = await server.newScene();
  for (const [i, file] of [corpus("thingi-65004.stl"), FUNCTIONAL_PART].entries()) {
    const id = await server.importOne(scene_id, file);
    bodyOf(await server.ask("translate", { scene_id, model_ids: [id], position: { x: 60 * i - 30, y: 0, z: 0 } }));
  }
  bodyOf(await server.ask("orient", { scene_id, orientation: { x: 35, y: 20, z: 0 } }));
  bodyOf(await server.ask("scale", { scene_id, scale: 0.4 }));
  const scene = await server.scene(scene_id);
  for (const [check] of CHECKS) {
    const first = await counts(check, scene_id);
    assert.ok(first.every((count) => Number.isInteger(count) && count >= 0));
    assert.deepEqual(await counts(check, scene_id), first);
  }
  assert.deepEqual(await counts("minima", scene_id), [0, 2]);
  assert.deepEqual(await server.scene(scene_id), scene);
});

test("checks of one scene share their results, and cancelling one of them does not affect the other", async () => {
  const scene_id = await server.newScene();
  await server.importOne(scene_id, FUNCTIONAL_PART);
  bodyOf(await server.ask("scale", { scene_id, scale: 0.5 }));
  const first = (await ask("cups", { scene_id }, "?async=true")).body.operation_id;
  const second = await ask("minima", { scene_id }, "?async=true");
  bodyOf(await server.printwright.post("/v1/operation/cancel/", { operations: [first] }));
  const cancelled = bodyOf(await server.printwright.call("GET", `/v1/operation/get/?operation_id=${first}`));
  assert.deepEqual([cancelled.status, cancelled.result.error.code], ["FAILED", "OPERATION_CANCELLED"]);
  const { status, result } = await awaitOperation(server.printwright, second);
  assert.equal(status, "SUCCEEDED");
  assert.deepEqual(result, bodyOf(await ask("minima", { scene_id })));
});

for (const [check, field] of CHECKS) {
  test(`${check}: an empty scene has no results, a powder scene 0 for each model`, async () => {
    assert.deepEqual(bodyOf(await ask(check, { scene_id: await server.newScene() })), { per_model_results: {} });
    const scene_id = await server.newScene(POWDER);
    const id = await server.importOne(scene_id, mug);
    bodyOf(await server.ask("translate", { scene_id, position: { x: 0, y: 0, z: 30 } }));
    const expected = { per_model_results: { [id]: { [field]: 0 } } };
    assert.deepEqual(bodyOf(await ask(check, { scene_id })), expected);
  });

  test(`${check}: without a scene_id the request is MISSING_PARAMETER, other errors of the body have their own codes`, async () => {
    assertRefused(await ask(check, {}), "MISSING_PARAMETER", /scene_id/);
    assertRefused(await ask(check, {}, "?async=true"), "MISSING_PARAMETER", /scene_id/);
    assertRefused(await ask(check, { model_ids: [], no_such_field: 1 }), "MISSING_PARAMETER", /scene_id/);
    assertRefused(await ask(check, {}, "?async=soon"), "INVALID_QUERY_PARAMETER");
    assertRefused(await ask(check, { scene_id: 3 }), "JSON_SCHEMA_MATCH_ERROR", /"\/scene_id"/);
    assertRefused(
      await ask(check, { scene_id: UNKNOWN_ID, model_ids: [] }),
      "JSON_SCHEMA_MATCH_ERROR",
      /"\/model_ids"/,
    );
    assertRefused(await ask(check, { scene_id: UNKNOWN_ID }), "INPUT_ERROR", new RegExp(UNKNOWN_ID));
    assertRefused(await ask(check, { scene_id: "no-uuid" }), "INPUT_ERROR", /no-uuid/);
  });

  test(`${check}: an operation gives the same answer`, async () => {
    const scene_id = await server.newScene();
    await server.importOne(scene_id, mug);
    const operation = await awaitOperation(server.printwright, await ask(check, { scene_id }, "?async=true"));
    assert.deepEqual([operation.status, operation.progress], ["SUCCEEDED", 1]);
    assert.deepEqual(operation.result, bodyOf(await ask(check, { scene_id })));
  });
}
