import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { combine } from "../../src/mesh/combine.ts";
import { moved } from "../fixture/altered.ts";
import { assertRefused } from "../fixture/refusal.ts";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { bodyOf, openWorkshop, POWDER, type Workshop } from "../fixture/workshop.ts";

// Interface, "Printability checks"; supplement, section 7, "supportedness".

let shop: Workshop;
let board: string;
let cube: string;
before(async () => {
  shop = await openWorkshop();
  // A wall of 2 mm, from whose top a board reaches out by 10 mm.
  const wall = moved(box([2, 10, 20]), [-1, 0, 10]);
  board = shop.file("board.stl", binaryStl(combine([wall, moved(box([11.5, 9, 2]), [4.25, 0, 18])])));
  cube = shop.file("cube.stl", binaryStl(box([10, 10, 10])));
});
after(() => shop.close());

async function percents(scene_id: string): Promise<number[]> {
  const { per_model_results } = bodyOf(await shop.ask("validate/supportedness", { scene_id }));
  const models = await shop.models(scene_id);
  assert.deepEqual(Object.keys(per_model_results).sort(), models.map(({ id }) => id).sort());
  return models.map(({ id }) => {
    assert.deepEqual(Object.keys(per_model_results[id]), ["percent_unsupported"]);
    return per_model_results[id].percent_unsupported;
  });
}

test("each model is told how much of its overhangs nothing holds, until supports do", async () => {
  const scene_id = await shop.newScene();
  assert.deepEqual(await percents(scene_id), []);
  const id = await shop.importOne(scene_id, board);
  await shop.importOne(scene_id, cube);
  bodyOf(await shop.ask("translate", { scene_id, model_ids: [id], position: { x: 40, y: 0, z: 0 } }));
  const [bare, standing] = await percents(scene_id);
  assert.ok(Math.abs(bare - 50) <= 1.1, `${bare}`);
  assert.equal(standing, 0);
  bodyOf(await shop.ask("auto-support", { scene_id, raft_label_enabled: false }));
  for (const percent of await percents(scene_id)) assert.ok(percent < 1, `${percent}`);
});

test("powder holds everything", async () => {
  const scene_id = await shop.newScene(POWDER);
  await shop.importOne(scene_id, board);
  assert.deepEqual(await percents(scene_id), [0]);
});

test("a body without scene_id, or with more, is refused", async () => {
  const ask = (body: object) => shop.printwright.post("/v1/scene/model/validate/supportedness/", body);
  const { status, body } = await ask({});
  assert.deepEqual([status, body.error.code], [400, "MISSING_PARAMETER"]);
  assertRefused(await ask({ scene_id: await shop.newScene(), model_ids: [] }), "JSON_SCHEMA_MATCH_ERROR");
});
