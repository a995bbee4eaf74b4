import assert from "node:assert/strict";
import { test } from "node:test";
import { inProcess } from "../fixture/in-process.ts";
import { longTest } from "../fixture/long.ts";
import { type Shape, box, mug } from "../fixture/shapes.ts";
import { POWDER, UNKNOWN_ID } from "../fixture/test-server.ts";

// Design of the page, section 11: scene/model/vent.

const PATH = "/v1/scene/model/vent/";
const { ask, newScene, importShape, models, scene, refused } = inProcess();
const MUG = mug(6, 8, 24);
const cupsOf = async (scene_id: string): Promise<number[]> =>
  Object.values(
    (await ask("validate/cups", { scene_id })).per_model_results as Record<string, { cup_count: number }>,
  ).map(({ cup_count }) => cup_count);

longTest("holes vent the cups of all models; equal ones get equal holes, and a model without cups stays", async () => {
  const scene_id = await newScene();
  const id = await importShape(scene_id, MUG);
  await importShape(scene_id, box([5, 5, 5]));
  const before = await models(scene_id);
  const dry = await ask("vent", { scene_id, dry_run: true });
  assert.equal(dry.drain_holes.length, 1);
  assert.equal(dry.vented_cup_count, 1);
  assert.deepEqual(dry.modified_model_ids, []);
  assert.deepEqual(await models(scene_id), before);
  const answer = await ask("vent", { scene_id });
  assert.deepEqual(answer, { ...dry, modified_model_ids: [id] });
  assert.deepEqual(await cupsOf(scene_id), [0, 0]);
  const [hole] = answer.drain_holes;
  assert.deepEqual([hole.diameter_mm, hole.outset_mm, hole.create_plug], [2.5, 1, false]);
  assert.deepEqual(await ask("vent", { scene_id }), {
    drain_holes: [],
    vented_cup_count: 0,
    unvented: [],
    modified_model_ids: [],
  });
});

longTest("drill takes the holes of a dry run, and makes the same mesh", async () => {
  const scene_id = await newScene();
  await importShape(scene_id, MUG);
  await ask("orient", { scene_id, orientation: { x: 0, y: 0, z: 33 } });
  await ask("scale", { scene_id, scale: 1.5 });
  const { drain_holes } = await ask("vent", { scene_id, dry_run: true, diameter_mm: 2 });
  const other = await newScene();
  await importShape(other, MUG);
  await ask("orient", { scene_id: other, orientation: { x: 0, y: 0, z: 33 } });
  await ask("scale", { scene_id: other, scale: 1.5 });
  await ask("drill", { scene_id: other, drain_holes });
  assert.deepEqual(await cupsOf(other), [0]);
  await ask("vent", { scene_id, diameter_mm: 2 });
  const [vented, drilled] = [scene(scene_id).models[0].mesh, scene(other).models[0].mesh];
  assert.ok(Math.abs(vented.volumeMm3 - drilled.volumeMm3) < 1e-3);
});

longTest("supports stay where no tip is at a hole", async () => {
  const scene_id = await newScene();
  await importShape(scene_id, mug(12, 16, 32));
  await ask("orient", { scene_id, orientation: { x: 20, y: 0, z: 0 } });
  await ask("auto-support", { scene_id });
  const [{ supports }] = scene(scene_id).models;
  assert.ok(supports);
  const answer = await ask("vent", { scene_id, diameter_mm: 0.8 });
  assert.equal(answer.vented_cup_count, 1);
  const [after] = scene(scene_id).models;
  if (after.supports) assert.equal(after.supports.mesh.hash, supports.mesh.hash);
  else assert.match(answer.warnings[0], /were removed/);
  assert.deepEqual(await cupsOf(scene_id), [0]);
});

test("where no cup can be vented, the request is refused with the reason", async () => {
  const scene_id = await newScene();
  await importShape(scene_id, MUG);
  await refused(PATH, { scene_id, max_length_mm: 0.5 }, "OPERATION_FAILED", /No cup can be vented.*at most 0.5 mm/);
  await refused(PATH, { scene_id, max_length_mm: 0.5, dry_run: true }, "OPERATION_FAILED", /No cup can be vented/);
});

test("powder has no cups, and models that do not bound a solid, wrong fields and unknown models are refused", async () => {
  const powder = await newScene(POWDER);
  await importShape(powder, MUG);
  assert.equal((await ask("vent", { scene_id: powder })).vented_cup_count, 0);
  const scene_id = await newScene();
  assert.deepEqual((await ask("vent", { scene_id })).drain_holes, []);
  await importShape(scene_id, MUG);
  for (const wrong of [{ diameter_mm: 0 }, { diameter_mm: "2" }, { max_length_mm: 0 }, { dry_run: 1 }])
    await refused(PATH, { scene_id, ...wrong }, "JSON_SCHEMA_MATCH_ERROR", /diameter_mm|max_length_mm|dry_run/);
  await refused(PATH, { scene_id, model_ids: [UNKNOWN_ID] }, "NOT_FOUND");
  const open: Shape = { ...MUG, triangles: MUG.triangles.slice(3) };
  const id = await importShape(scene_id, open, { name: "open", repair_behavior: "IGNORE" });
  await refused(PATH, { scene_id, model_ids: [id] }, "OPERATION_FAILED", /"open" cannot be vented: .*gaps/);
});
