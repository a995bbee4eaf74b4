import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Reply } from "../fixture/client.ts";
import { endOf } from "../fixture/operation.ts";
import { assertRefused } from "../fixture/refusal.ts";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { assertNear, bodyOf, openWorkshop, POWDER, UNKNOWN_ID, type Workshop } from "../fixture/workshop.ts";

// Interface, "hollow" and "Limits".

let shop: Workshop;
let block: string;
let plate: string;
let open: string;
before(async () => {
  shop = await openWorkshop();
  block = shop.file("block.stl", binaryStl(box([20, 24, 16])));
  plate = shop.file("plate.stl", binaryStl(box([20, 20, 2])));
  const { vertices, triangles } = box([20, 20, 20]);
  open = shop.file("open.stl", binaryStl({ vertices, triangles: triangles.subarray(3) }));
});
after(() => shop.close());

type Body = Reply["body"];

/** What a sharp-edged hollow of the block would take; balls round its edges. */
const hollowMl = (wall: number, scale = 1): number =>
  ((20 * scale - 2 * wall) * (24 * scale - 2 * wall) * (16 * scale - 2 * wall)) / 1000;
const solidMl = (scale = 1): number => (20 * 24 * 16 * scale ** 3) / 1000;

const volumeMl = async (scene_id: string): Promise<number> => (await shop.scene(scene_id)).material_usage.volume_ml;

/** How much material a scene's models have lost since they took `before` ml. */
async function assertLost(scene_id: string, before: number, lost: number): Promise<void> {
  assertNear(before - (await volumeMl(scene_id)), lost, 0.02 * lost);
}

const sole = async (scene_id: string): Promise<Body> => (await shop.models(scene_id))[0];

test("a model is hollowed to its walls and stays what and where it was", async () => {
  const scene_id = await shop.newScene();
  const id = await shop.importOne(scene_id, block);
  const placed = { scene_id, model_ids: [id] };
  bodyOf(await shop.ask("orient", { ...placed, orientation: { x: 30, y: 20, z: 10 } }));
  bodyOf(await shop.ask("translate", { ...placed, position: { x: 12, y: -7, z: 0 }, mode: "ABSOLUTE" }));
  bodyOf(await shop.ask("update", { ...placed, name: "a block", lock: "LOCKED_ROTATION_FREE_TRANSLATION" }));
  const was = await sole(scene_id);
  const answer = bodyOf(await shop.ask("hollow", { ...placed, wall_thickness_mm: 2 }));
  assert.deepEqual(answer, { hollowed_model_ids: [id], unhollowed_model_ids: [], warnings: [], infos: [] });
  const { raw_mesh_hash, canonical_model_hash, ...is } = await sole(scene_id);
  assert.notEqual(raw_mesh_hash, was.raw_mesh_hash);
  assert.notEqual(canonical_model_hash, was.canonical_model_hash);
  const { raw_mesh_hash: _, canonical_model_hash: __, ...stays } = was;
  assert.deepEqual(is, stays);
  await assertLost(scene_id, solidMl(), hollowMl(2));
});

test("defaults are features of 1 mm and accuracy 0.5; larger features count as 1 mm", async () => {
  const scene_id = await shop.newScene();
  await shop.importOne(scene_id, block);
  const hashes: string[] = [];
  for (const options of [
    {},
    { feature_size_mm: 1, accuracy: 0.5 },
    { feature_size_mm: 40 },
    { feature_size_mm: 0.2 },
    { accuracy: 0 },
  ]) {
    bodyOf(await shop.ask("hollow", { scene_id, wall_thickness_mm: 2, ...options }));
    hashes.push((await sole(scene_id)).raw_mesh_hash);
  }
  const [plain, ...others] = hashes;
  assert.deepEqual(
    others.map((hash) => hash === plain),
    [true, true, false, false],
  );
});

test("a hollowed model is hollowed anew from its solid, and its holes are drilled again", async () => {
  const scene_id = await shop.newScene();
  const id = await shop.importOne(scene_id, block);
  bodyOf(await shop.ask("hollow", { scene_id, wall_thickness_mm: 3 }));
  const { raw_mesh_hash } = await sole(scene_id);
  const again = bodyOf(await shop.ask("hollow", { scene_id, wall_thickness_mm: 1.5 }));
  assert.deepEqual(again.infos, ['"block" was hollow already: it was hollowed anew from its solid.']);
  await assertLost(scene_id, solidMl(), hollowMl(1.5));
  bodyOf(await shop.ask("hollow", { scene_id, wall_thickness_mm: 3 }));
  assert.equal((await sole(scene_id)).raw_mesh_hash, raw_mesh_hash);

  const top = (await sole(scene_id)).bounding_box.max_corner.z;
  const hole = {
    orientation: { x: 0, y: 0, z: 0 },
    position: { x: 0, y: 0, z: top },
    diameter_mm: 4,
    depth_mm: "AUTO",
  };
  bodyOf(await shop.ask("drill", { scene_id, drain_holes: [hole] }));
  const { infos } = bodyOf(await shop.ask("hollow", { scene_id, model_ids: [id], wall_thickness_mm: 2 }));
  assert.match(infos.join(" "), /The holes of "block" were drilled again: 1\./);
  await assertLost(scene_id, solidMl(), hollowMl(2) + (Math.PI * 2 ** 2 * 2) / 1000);
});

test("walls are in mm of the scene, also where the model is scaled, and copies are hollowed alike", async () => {
  const scene_id = await shop.newScene();
  await shop.importOne(scene_id, block);
  bodyOf(await shop.ask("duplicate", { scene_id, count: 2 }));
  bodyOf(await shop.ask("scale", { scene_id, scale: 1.5 }));
  const answer = bodyOf(await shop.ask("hollow", { scene_id, wall_thickness_mm: 2 }));
  const models = await shop.models(scene_id);
  assert.deepEqual(answer.hollowed_model_ids.toSorted(), models.map(({ id }) => id).sort());
  assert.equal(new Set(models.map(({ raw_mesh_hash }) => raw_mesh_hash)).size, 1);
  await assertLost(scene_id, 3 * solidMl(1.5), 3 * hollowMl(2, 1.5));
});

test("those that can be hollowed are, the others stay and are told of", async () => {
  const scene_id = await shop.newScene();
  const good = await shop.importOne(scene_id, block);
  const thin = await shop.importOne(scene_id, plate);
  const broken = await shop.importOne(scene_id, open, { repair_behavior: "IGNORE" });
  const was = await shop.models(scene_id, [thin, broken]);
  const answer = bodyOf(await shop.ask("hollow", { scene_id, model_ids: [thin, good, broken], wall_thickness_mm: 2 }));
  assert.deepEqual(answer.hollowed_model_ids, [good]);
  assert.deepEqual(answer.unhollowed_model_ids, [thin, broken]);
  assert.equal(answer.warnings.length, 3);
  assert.match(answer.warnings[0], /^"plate" was not hollowed: it is nowhere thick enough/);
  assert.match(answer.warnings[1], /^"open" was not hollowed: it is no closed manifold, it has 3 open edges/);
  assert.match(answer.warnings[2], /validate\/manifoldness/);
  assert.deepEqual(await shop.models(scene_id, [thin, broken]), was);

  const before = await shop.scene(scene_id);
  const refused = await shop.ask("hollow", { scene_id, model_ids: [thin, broken], wall_thickness_mm: 2 });
  assertRefused(refused, "OPERATION_FAILED", /"plate" was not hollowed: .*"open" was not hollowed: .*manifoldness/);
  assertRefused(await shop.ask("hollow", { scene_id, wall_thickness_mm: 50 }), "OPERATION_FAILED", /"block" was not/);
  assert.deepEqual(await shop.scene(scene_id), before);
});

test("what the contract refuses changes nothing", async () => {
  const scene_id = await shop.newScene();
  const id = await shop.importOne(scene_id, block);
  const before = await shop.scene(scene_id);
  const wall = { wall_thickness_mm: 2 };
  for (const [body, code] of [
    [{}, "JSON_SCHEMA_MATCH_ERROR"],
    [{ wall_thickness_mm: 0.09 }, "JSON_SCHEMA_MATCH_ERROR"],
    [{ wall_thickness_mm: "2" }, "JSON_SCHEMA_MATCH_ERROR"],
    [{ ...wall, feature_size_mm: 0.04 }, "JSON_SCHEMA_MATCH_ERROR"],
    [{ ...wall, accuracy: 1.01 }, "JSON_SCHEMA_MATCH_ERROR"],
    [{ ...wall, accuracy: -0.01 }, "JSON_SCHEMA_MATCH_ERROR"],
    [{ ...wall, voxel_mm: 1 }, "JSON_SCHEMA_MATCH_ERROR"],
    [{ ...wall, model_ids: [id, UNKNOWN_ID] }, "INPUT_ERROR"],
    [{ ...wall, model_ids: ["no-uuid"] }, "INPUT_ERROR"],
  ] as const) {
    assertRefused(await shop.ask("hollow", { scene_id, ...body }), code);
  }
  assertRefused(await shop.ask("hollow", { scene_id: UNKNOWN_ID, ...wall }), "INPUT_ERROR");
  assertRefused(await shop.ask("hollow", { scene_id: await shop.newScene(), ...wall }), "OPERATION_FAILED", /no model/);
  assert.deepEqual(await shop.scene(scene_id), before);
});

test("supports go with the solid they held, in powder the model stays where it floats", async () => {
  const scene_id = await shop.newScene();
  await shop.importOne(scene_id, block);
  bodyOf(await shop.ask("auto-support", { scene_id, raft_type: "MINI_RAFT" }));
  assert.equal((await sole(scene_id)).has_supports, true);
  bodyOf(await shop.ask("hollow", { scene_id, wall_thickness_mm: 2, accuracy: 0 }));
  assert.equal((await sole(scene_id)).has_supports, false);
  assertNear((await sole(scene_id)).bounding_box.min_corner.z, 0, 1e-6);

  const powder = await shop.newScene(POWDER);
  await shop.importOne(powder, block);
  bodyOf(await shop.ask("translate", { scene_id: powder, position: { x: 0, y: 0, z: 50 }, mode: "ABSOLUTE" }));
  const was = await sole(powder);
  bodyOf(await shop.ask("hollow", { scene_id: powder, wall_thickness_mm: 2, accuracy: 0 }));
  const is = await sole(powder);
  assertNear(is.position, was.position, 1e-6);
  assertNear(is.bounding_box, was.bounding_box, 1e-6);
});

test("a hollowed model is watertight, and is opened as hollow from a project", async () => {
  const scene_id = await shop.newScene();
  const id = await shop.importOne(scene_id, block);
  bodyOf(await shop.ask("hollow", { scene_id, wall_thickness_mm: 2 }));
  const { per_model_results } = bodyOf(await shop.ask("validate/manifoldness", { scene_id }));
  assert.equal(per_model_results[id].is_manifold, true);
  assert.equal(per_model_results[id].self_intersecting, false);
  assert.equal(per_model_results[id].open_edge_count, 0);
  const file = `${shop.folder}/hollow.form`;
  bodyOf(await shop.printwright.post("/v1/scene/save/", { scene_ids: [scene_id], file }));
  bodyOf(await shop.printwright.post("/v1/scene/open/", { file }));
  const { scenes } = bodyOf(await shop.printwright.call("GET", "/v1/scene/list/"));
  const opened = scenes.at(-1).id;
  const { infos } = bodyOf(await shop.ask("hollow", { scene_id: opened, wall_thickness_mm: 3 }));
  assert.match(infos[0], /hollow already/);
  await assertLost(opened, solidMl(), hollowMl(3));
});

test("hollowing runs as an operation, too", async () => {
  const scene_id = await shop.newScene();
  const id = await shop.importOne(scene_id, block);
  const begun = await shop.printwright.post("/v1/scene/model/hollow/?async=true", { scene_id, wall_thickness_mm: 2 });
  const operation = await endOf(shop.printwright, begun);
  assert.equal(operation.status, "SUCCEEDED");
  assert.equal(operation.progress, 1);
  assert.deepEqual(operation.result.hollowed_model_ids, [id]);
});
