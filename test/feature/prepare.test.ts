import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { Stage } from "../../src/api/running-work.ts";
import { ApiError } from "../../src/core/api-error.ts";
import { replaceScene } from "../../src/scene/edit.ts";
import type { Scene } from "../../src/scene/project.ts";
import type { Reply } from "../fixture/client.ts";
import { inProcess } from "../fixture/in-process.ts";
import { longTest, slowCases, slowSample } from "../fixture/long.ts";
import { box, tetrahedron } from "../fixture/shapes.ts";
import { POWDER, UNKNOWN_ID } from "../fixture/test-server.ts";

// POST /v1/scene/prepare/: the steps of a preparation as one change.

const MAX_SCENES = 30;
const { runner, post, start, ask, newScene, importShape, models, scene, refused } = inProcess({
  maxScenes: MAX_SCENES,
});
const PREPARE = "/v1/scene/prepare/";

/** What a preparation decides about the models of a scene, without their ids. */
const prepared = ({ models }: Scene): unknown[] =>
  models.map(({ mesh, pose, supports }) => [
    mesh.hash,
    pose,
    supports && [supports.mesh.hash, supports.pose, supports.settings],
  ]);

/** A scene of two parts that need supports. */
async function twoParts(): Promise<{ scene_id: string; ids: string[] }> {
  const scene_id = await newScene();
  const ids = [await importShape(scene_id, tetrahedron(9)), await importShape(scene_id, tetrahedron(7))];
  return { scene_id, ids };
}

/** The stages that a request enters until its end. */
async function stagesOf({ stage, answer }: ReturnType<typeof start>): Promise<(Stage | undefined)[]> {
  const seen = new Set<Stage | undefined>();
  const looking = setInterval(() => seen.add(stage()), 1);
  await answer.finally(() => clearInterval(looking));
  return [...seen].filter((one) => one !== undefined);
}

test("a preparation gives what its steps give one after the other, in one change, and tells its stages", async () => {
  const [{ scene_id, ids }, other] = [await twoParts(), await twoParts()];
  let changes = 0;
  runner.server.store.subscribe(() => changes++);
  const options = { support: { density: 0.4, raft_type: "MINI_RAFT" }, layout: { model_spacing_mm: 4 } };
  const running = start(PREPARE, { scene_id, ...options });
  const before = scene(scene_id);
  const stages = await stagesOf(running);
  assert.equal(changes, 1);
  const { status, findings, ...answer } = (await running.answer) as Reply["body"];
  assert.deepEqual(answer, { modified_model_ids: ids, unplaced_model_ids: [], new_scene_id: null, warnings: [] });
  assert.deepEqual(stages, [
    { title: "Orienting", index: 1, count: 4 },
    { title: "Supporting", index: 2, count: 4 },
    { title: "Laying out", index: 3, count: 4 },
    { title: "Checking", index: 4, count: 4 },
  ]);
  assert.deepEqual({ status, findings }, await post("/v1/scene/check/", { scene_id }));
  await ask("auto-orient", { scene_id: other.scene_id });
  await ask("auto-support", { scene_id: other.scene_id, ...options.support });
  await ask("auto-layout", { scene_id: other.scene_id, ...options.layout });
  assert.notDeepEqual(prepared(scene(scene_id)), prepared(before));
  assert.deepEqual(prepared(scene(scene_id)), prepared(scene(other.scene_id)));
});

test("a preparation that is cancelled in any stage changes nothing", async () => {
  const { scene_id } = await twoParts();
  const before = scene(scene_id);
  for (const index of slowSample([1, 2, 3, 4], 3)) {
    const running = start(PREPARE, { scene_id });
    while (running.stage()?.index !== index) await sleep(1);
    running.cancel(new ApiError("OPERATION_CANCELLED", "The test cancels it."));
    await assert.rejects(running.answer, { code: "OPERATION_CANCELLED" });
    // A request that waits for its turn in the scene runs after the cancelled one has ended.
    await ask("update", { scene_id, visible: true });
    assert.deepEqual(prepared(scene(scene_id)), prepared(before));
  }
});

test("steps that are false are left out, and locked and unnamed models stay", async () => {
  const { scene_id, ids } = await twoParts();
  const third = await importShape(scene_id);
  await ask("update", { scene_id, model_ids: [ids[1]], lock: "FULLY_LOCKED" });
  const before = await models(scene_id);
  const none = await post(PREPARE, { scene_id, orient: false, support: false, layout: false, check: "NONE" });
  assert.deepEqual([none.modified_model_ids, none.status, none.findings], [[], null, []]);
  assert.deepEqual(await models(scene_id), before);
  const locked = await post(PREPARE, { scene_id, model_ids: [ids[1]], check: "NONE" });
  assert.deepEqual([locked.modified_model_ids, await models(scene_id)], [[], before]);
  const { modified_model_ids } = await post(PREPARE, {
    scene_id,
    model_ids: ids,
    orient: false,
    support: false,
    check: "NONE",
  });
  assert.deepEqual(modified_model_ids, [ids[0]]);
  const [moved, ...others] = await models(scene_id);
  assert.deepEqual(others, before.slice(1));
  assert.deepEqual([moved.has_supports, others.at(-1)?.id], [false, third]);
  assert.notDeepEqual(moved.position, before[0].position);
});

test("supports with points that a person set or locked are kept unless the request says otherwise", async () => {
  const { scene_id, ids } = await twoParts();
  const body = { scene_id, orient: false, layout: false, check: "NONE" };
  await post(PREPARE, body);
  const [first, second] = scene(scene_id).models;
  const [point, ...others] = first.supports!.touchpoints;
  for (const changes of slowCases([{ origin: "MANUAL" as const }, { locked: true }])) {
    const edited = { ...first, supports: { ...first.supports!, touchpoints: [{ ...point, ...changes }, ...others] } };
    const withEdited = { ...scene(scene_id), models: [edited, second] };
    runner.server.store.commit((project) => replaceScene(project, withEdited));
    assert.deepEqual((await post(PREPARE, body)).modified_model_ids, [ids[1]]);
    assert.equal(scene(scene_id).models[0], edited);
    const { modified_model_ids } = await post(PREPARE, { ...body, keep_hand_supports: false });
    assert.deepEqual(modified_model_ids, ids);
    assert.notEqual(scene(scene_id).models[0], edited);
  }
});

test("what does not fit fails, stands beside the platform, or comes to a new scene", async () => {
  const scene_id = await newScene();
  const [width, depth] = scene(scene_id).setting.printerType.volume.dimensionsMm;
  const ids = [await importShape(scene_id, box([0.8 * width, 0.8 * depth, 3]))];
  ids.push(await importShape(scene_id, box([0.8 * width, 0.8 * depth, 4])));
  const body = { scene_id, orient: false, support: false, layout: { lock_rotation: true }, check: "NONE" };
  await refused(PREPARE, body, "OPERATION_FAILED", /Of 2 models 1 fit/);
  await refused(PREPARE, { ...body, overflow: "FAIL" }, "OPERATION_FAILED");
  const beside = await post(PREPARE, { ...body, overflow: "BESIDE" });
  assert.equal(beside.unplaced_model_ids.length, 1);
  assert.equal(beside.new_scene_id, null);
  assert.deepEqual(beside.modified_model_ids, ids);
  const outside = (await models(scene_id)).filter(({ in_bounds }) => !in_bounds);
  assert.deepEqual(
    outside.map(({ id }) => id),
    beside.unplaced_model_ids,
  );
  const moved = await post(PREPARE, { ...body, overflow: "NEW_SCENE" });
  assert.deepEqual(moved.unplaced_model_ids, []);
  const all = [...(await models(scene_id)), ...(await models(moved.new_scene_id))];
  assert.deepEqual(all.map(({ id }) => id).toSorted(), ids.toSorted());
  assert.ok(all.every(({ in_bounds }) => in_bounds));
  assert.equal((await models(moved.new_scene_id)).length, 1);
  assert.equal(scene(moved.new_scene_id).setting, scene(scene_id).setting);
  // All fit now, so that no further scene is made.
  assert.equal((await post(PREPARE, { ...body, overflow: "NEW_SCENE" })).new_scene_id, null);
});

test("a new scene above the limit of the server is refused, and nothing changes", async () => {
  const scene_id = await newScene();
  const [width] = scene(scene_id).setting.printerType.volume.dimensionsMm;
  await importShape(scene_id, box([1.5 * width, 5, 5]));
  const { scenes } = await post("/v1/scene/list/", {});
  for (let count = scenes.length; count < MAX_SCENES; count++) await newScene();
  const body = { scene_id, orient: false, support: false, overflow: "NEW_SCENE" };
  await refused(PREPARE, body, "BUILD_VOLUME_LIMIT_EXCEEDED");
  for (const { id } of (await post("/v1/scene/list/", {})).scenes.slice(scenes.length))
    await post("/v1/scene/delete/", { scene_id: id });
});

test("steps of the other family of printers, wrong options and unknown models are refused", async () => {
  const [resin, powder] = [await newScene(), await newScene(POWDER)];
  for (const step of [true, false, {}])
    await refused(PREPARE, { scene_id: resin, pack: step }, "UNSUPPORTED_SCENE", /pack is for powder/);
  for (const step of ["orient", "support", "layout"])
    await refused(PREPARE, { scene_id: powder, [step]: true }, "UNSUPPORTED_SCENE", new RegExp(`${step} is for resin`));
  const wrong = [
    { layout: { model_ids: [] } },
    { layout: { overflow: "FAIL" } },
    { support: { scene_id: resin } },
    { orient: { tilt: 5 } },
    { orient: 1 },
    { overflow: "DROP" },
    { check: "SOME" },
  ];
  for (const body of wrong) await refused(PREPARE, { scene_id: resin, ...body }, "JSON_SCHEMA_MATCH_ERROR");
  const custom_bounds = { x_min_mm: 5, x_max_mm: 5 };
  await refused(PREPARE, { scene_id: resin, layout: { custom_bounds } }, "INPUT_ERROR", /custom_bounds are empty/);
  for (const scene_id of [resin, powder])
    await refused(PREPARE, { scene_id, model_ids: [UNKNOWN_ID] }, "NOT_FOUND", new RegExp(UNKNOWN_ID));
  for (const scene_id of [resin, powder]) assert.deepEqual((await post(PREPARE, { scene_id })).modified_model_ids, []);
});

longTest("a powder scene is packed as auto-pack does it", async () => {
  const scenes = [await newScene(POWDER), await newScene(POWDER)];
  for (const scene_id of scenes) for (const size of [12, 14]) await importShape(scene_id, box([size, 8, 5]));
  const running = start(PREPARE, { scene_id: scenes[0], pack: { packing_mode: "HEIGHT" } });
  const stages = await stagesOf(running);
  assert.deepEqual(stages, [
    { title: "Packing", index: 1, count: 2 },
    { title: "Checking", index: 2, count: 2 },
  ]);
  await ask("auto-pack", { scene_id: scenes[1], packing_mode: "HEIGHT" });
  assert.deepEqual(prepared(scene(scenes[0])), prepared(scene(scenes[1])));
});

longTest("parts of a chamber that do not fit come to a new scene with their cage", async () => {
  const scene_id = await newScene(POWDER);
  const half: [number, number, number] = [145, 145, 160];
  const ids = new Set([await importShape(scene_id, box(half)), await importShape(scene_id, box(half))]);
  const caged = await importShape(scene_id, box([20, 20, 20]));
  await ask("cage", { scene_id, model_ids: [caged] });
  const { new_scene_id, unplaced_model_ids } = await post(PREPARE, { scene_id, overflow: "NEW_SCENE" });
  assert.deepEqual(unplaced_model_ids, []);
  const both = [scene(scene_id), scene(new_scene_id)];
  assert.deepEqual(both.flatMap((one) => one.models).length, 4);
  assert.ok(both.every((one) => one.models.some(({ id }) => ids.has(id))));
  assert.equal(both.flatMap(({ cages }) => cages).length, 1);
});

longTest(
  "the check in the end finds what stands beside the platform, and thin walls if all kinds are asked for",
  async () => {
    const scene_id = await newScene();
    const ids = [await importShape(scene_id, box([300, 20, 3])), await importShape(scene_id, box([20, 20, 0.3]))];
    const body = { scene_id, orient: false, support: false, overflow: "BESIDE", check: "ALL" };
    const { status, findings } = await post(PREPARE, body);
    assert.equal(status, "ERROR");
    const found = findings.map(({ kind, model_ids }: Reply["body"]) => [kind, model_ids]);
    assert.deepEqual(found[0], ["IN_BOUNDS", [ids[0]]]);
    assert.ok(found.some(([kind, [id]]: Reply["body"]) => kind === "THIN_FEATURES" && id === ids[1]));
  },
);
