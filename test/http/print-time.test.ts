import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { type Reply, awaitOperation } from "../fixture/client.ts";
import { box } from "../fixture/shapes.ts";
import { slowCases } from "../fixture/long.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import {
  POWDER,
  RESIN,
  type TestServer,
  UNKNOWN_ID,
  assertRefused,
  bodyOf,
  openTestServer,
} from "../fixture/test-server.ts";

// Supplement, section 5: "scene/estimate-print-time" and "scene/calculate-print-time".

const BLACK = { ...RESIN, material_code: "FLGPBK05" };
const LASER = { machine_type: "FORM-3-1", material_code: "FLGPGR04", layer_thickness_mm: 0.1 };

let server: TestServer;
let cube: string;
before(async () => {
  server = await openTestServer();
  cube = server.file("cube.stl", binaryStl(box([20, 20, 20])));
});
after(() => server.close());

const ask = (body: object, query = ""): Promise<Reply> =>
  server.printwright.post(`/v1/scene/estimate-print-time/${query}`, body);

async function estimate(scene_id: string): Promise<number> {
  const body = bodyOf(await ask({ scene_id }));
  assert.deepEqual(Object.keys(body), ["total_print_time_s"]);
  return body.total_print_time_s;
}

async function calculate(scene_id: string): Promise<Record<string, number>> {
  return bodyOf(await server.printwright.post("/v1/scene/calculate-print-time/", { scene_id }));
}

async function withCube(combination: object): Promise<string> {
  const scene_id = await server.newScene(combination);
  await server.importOne(scene_id, cube);
  return scene_id;
}

test("a 20 mm cube on a Form 4 in Black V5 at 0.1 mm takes about the 2766 s of the maker's own tool", async () => {
  const seconds = await estimate(await withCube(BLACK));
  assert.ok(Math.abs(seconds / 2766 - 1) < 0.15, `${seconds} s`);
});

test("thinner layers and taller parts take longer", async () => {
  const scene_id = await withCube(BLACK);
  const plain = await estimate(scene_id);
  assert.ok((await estimate(await withCube({ ...BLACK, layer_thickness_mm: 0.05 }))) > 1.3 * plain);
  bodyOf(await server.ask("scale", { scene_id, scale: 2 }));
  assert.ok((await estimate(scene_id)) > 1.3 * plain);
});

test("copies take longer with a laser, and hardly longer with a panel", async () => {
  for (const [combination, least, most] of [
    [LASER, 1.2, 2],
    [BLACK, 1, 1.1],
  ] as const) {
    const scene_id = await withCube(combination);
    const one = await estimate(scene_id);
    bodyOf(await server.ask("duplicate", { scene_id, count: 4 }));
    assert.equal(await estimate(scene_id), one, "copies in one place are printed once");
    bodyOf(await server.ask("auto-layout", { scene_id }));
    const share = (await estimate(scene_id)) / one;
    assert.ok(share > least && share < most, `${combination.machine_type}: ${share}`);
  }
});

test("volume that bodies at different places have in common is estimated once", async () => {
  for (const combination of [LASER, POWDER]) {
    const scene_id = await withCube(combination);
    await server.importOne(scene_id, cube);
    const [, { id }] = await server.models(scene_id);
    bodyOf(await server.ask("translate", { scene_id, model_ids: [id], position: { x: 4, y: 2, z: 10 } }));
    const { total_print_time_s } = await calculate(scene_id);
    const share = (await estimate(scene_id)) / total_print_time_s;
    assert.ok(Math.abs(share - 1) < 0.02, `${combination.machine_type}: ${share}`);
  }
});

test("the estimate of a cube in powder is some hours, and ADAPTIVE is estimated, too", async () => {
  const powder = await estimate(await withCube(POWDER));
  assert.ok(powder > 3600 && powder < 8 * 3600, `${powder} s`);
  const adaptive = await estimate(await withCube({ ...LASER, layer_thickness_mm: "ADAPTIVE" }));
  const [thick, thin] = [
    await estimate(await withCube(LASER)),
    await estimate(await withCube({ ...LASER, layer_thickness_mm: 0.025 })),
  ];
  assert.ok(adaptive >= thick * 0.99 && adaptive < thin, `${adaptive} s`);
});

test("an empty scene has print time 0", async () => {
  for (const combination of [BLACK, POWDER]) assert.equal(await estimate(await server.newScene(combination)), 0);
});

test("the estimate runs as an operation, too", async () => {
  const scene_id = await withCube(BLACK);
  const operation = await awaitOperation(server.printwright, await ask({ scene_id }, "?async=true"));
  assert.equal(operation.status, "SUCCEEDED");
  assert.deepEqual(operation.result, { total_print_time_s: await estimate(scene_id) });
});

test("unknown scenes and other fields are refused", async () => {
  assertRefused(await ask({ scene_id: UNKNOWN_ID }), "INPUT_ERROR");
  assertRefused(
    await ask({ scene_id: await server.newScene(), model_ids: [] }),
    "JSON_SCHEMA_MATCH_ERROR",
    /model_ids/,
  );
  assertRefused(await ask({}), "JSON_SCHEMA_MATCH_ERROR", /scene_id/);
});

test("the time of the cube's slices is similar, and the total is the time before the print plus the printing", async () => {
  const time = await calculate(await withCube(BLACK));
  assert.deepEqual(Object.keys(time), ["total_print_time_s", "preprint_time_s", "printing_time_s"]);
  assert.ok(Math.abs(time.total_print_time_s / 2766 - 1) < 0.15, `${time.total_print_time_s} s`);
  assert.ok(Math.abs(time.preprint_time_s + time.printing_time_s - time.total_print_time_s) < 1e-6);
});

test("powder scenes also have cooling times", async () => {
  const time = await calculate(await withCube(POWDER));
  const cooling = ["cool_to_removal_time_s", "additional_cool_to_room_temp_time_s"];
  assert.deepEqual(Object.keys(time), ["total_print_time_s", "preprint_time_s", "printing_time_s", ...cooling]);
  for (const field of cooling) assert.ok(time[field] > 0, field);
});

test("a repeated request gives the same time of slices, and after a change that of the changed scene", async () => {
  const scene_id = await withCube(BLACK);
  const first = await calculate(scene_id);
  assert.deepEqual(await calculate(scene_id), first);
  bodyOf(await server.ask("scale", { scene_id, scale: 2 }));
  assert.ok((await calculate(scene_id)).printing_time_s > 1.5 * first.printing_time_s);
});

test("slices of an empty scene take no time", async () => {
  for (const combination of [BLACK, POWDER]) {
    const time = await calculate(await server.newScene(combination));
    assert.ok(Object.values(time).every((seconds) => seconds === 0));
  }
});

const corpus = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
/** The estimate has its largest error for the first part; the second part has several bodies. */
const PARTS = [
  "../fixture/corpus/thingi-472042.stl",
  "../fixture/corpus/3mf-heartgears.3mf",
  "../fixture/corpus/thingi-65004.stl",
  "../fixture/corpus/thingi-520644.stl",
  "../fixture/corpus/mf-hull-body-x0.35.stl",
  "../../assets/demo/functional-part.stl",
].map(corpus);

for (const [combination, parts] of [
  [BLACK, PARTS],
  [LASER, PARTS.slice(0, 2)],
  [POWDER, PARTS.slice(0, 2)],
] as const) {
  test(`on a ${combination.machine_type}, the estimate is within 25 % of the slices' time`, async () => {
    for (const part of slowCases(parts)) {
      const scene_id = await server.newScene(combination);
      bodyOf(await server.import(scene_id, part));
      const { total_print_time_s } = await calculate(scene_id);
      const share = (await estimate(scene_id)) / total_print_time_s;
      assert.ok(share > 0.75 && share < 1.25, `${part}: ${share}`);
    }
  });
}
