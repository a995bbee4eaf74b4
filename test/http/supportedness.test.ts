import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { longTest } from "../fixture/long.ts";
import { concatenateSurfaces } from "../../src/mesh/mesh.ts";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { moved } from "../fixture/surface-edits.ts";
import { POWDER, type TestServer, assertRefused, bodyOf, openTestServer } from "../fixture/test-server.ts";

// Interface, "Printability checks"; supplement, section 7, "supportedness".

let server: TestServer;
let board: string;
let cube: string;
before(async () => {
  server = await openTestServer();
  // A wall of 2 mm with a board that extends 10 mm from its top.
  const wall = moved(box([2, 10, 20]), [-1, 0, 10]);
  board = server.file("board.stl", binaryStl(concatenateSurfaces([wall, moved(box([11.5, 9, 2]), [4.25, 0, 18])])));
  cube = server.file("cube.stl", binaryStl(box([10, 10, 10])));
});
after(() => server.close());

async function percents(scene_id: string): Promise<number[]> {
  const { per_model_results } = bodyOf(await server.ask("validate/supportedness", { scene_id }));
  const models = await server.models(scene_id);
  assert.deepEqual(Object.keys(per_model_results).sort(), models.map(({ id }) => id).sort());
  return models.map(({ id }) => {
    assert.deepEqual(Object.keys(per_model_results[id]), ["percent_unsupported"]);
    return per_model_results[id].percent_unsupported;
  });
}

longTest("each model has the percentage of its unsupported overhangs, 0 with supports", async () => {
  const scene_id = await server.newScene();
  assert.deepEqual(await percents(scene_id), []);
  const id = await server.importOne(scene_id, board);
  await server.importOne(scene_id, cube);
  bodyOf(await server.ask("translate", { scene_id, model_ids: [id], position: { x: 40, y: 0, z: 0 } }));
  const [bare, standing] = await percents(scene_id);
  assert.ok(Math.abs(bare - 50) <= 1.1, `${bare}`);
  assert.equal(standing, 0);
  bodyOf(await server.ask("auto-support", { scene_id, raft_label_enabled: false, density: 0.25 }));
  for (const percent of await percents(scene_id)) assert.ok(percent < 1, `${percent}`);
});

test("in powder everything is supported", async () => {
  const scene_id = await server.newScene(POWDER);
  await server.importOne(scene_id, board);
  assert.deepEqual(await percents(scene_id), [0]);
});

test("a body without scene_id, or with other fields, is refused", async () => {
  const ask = (body: object) => server.printwright.post("/v1/scene/model/validate/supportedness/", body);
  const { status, body } = await ask({});
  assert.deepEqual([status, body.error.code], [400, "MISSING_PARAMETER"]);
  assertRefused(await ask({ scene_id: await server.newScene(), model_ids: [] }), "JSON_SCHEMA_MATCH_ERROR");
});
