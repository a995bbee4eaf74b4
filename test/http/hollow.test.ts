import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Reply, awaitOperation } from "../fixture/client.ts";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import {
  POWDER,
  type TestServer,
  UNKNOWN_ID,
  assertNear,
  assertRefused,
  bodyOf,
  openTestServer,
} from "../fixture/test-server.ts";
import { longTest } from "../fixture/long.ts";

// Interface, "hollow" and "Limits".

let server: TestServer;
let block: string;
let plate: string;
let open: string;
before(async () => {
  server = await openTestServer();
  block = server.file("block.stl", binaryStl(box([20, 24, 16])));
  plate = server.file("plate.stl", binaryStl(box([20, 20, 2])));
  const { vertices, triangles } = box([20, 20, 20]);
  open = server.file("open.stl", binaryStl({ vertices, triangles: triangles.subarray(3) }));
});
after(() => server.close());

type Body = Reply["body"];

/** The volume of a hollow of the block with sharp edges; the real one has round edges. */
const hollowMl = (wall: number, scale = 1): number =>
  ((20 * scale - 2 * wall) * (24 * scale - 2 * wall) * (16 * scale - 2 * wall)) / 1000;
const solidMl = (scale = 1): number => (20 * 24 * 16 * scale ** 3) / 1000;

const volumeMl = async (scene_id: string): Promise<number> => (await server.scene(scene_id)).material_usage.volume_ml;

/** Asserts how much material the models of a scene have lost since they had `before` ml. */
async function assertLost(scene_id: string, before: number, lost: number): Promise<void> {
  assertNear(before - (await volumeMl(scene_id)), lost, 0.02 * lost);
}

const sole = async (scene_id: string): Promise<Body> => (await server.models(scene_id))[0];

test("a hollowed model has walls of the thickness and keeps its place and fields", async () => {
  const scene_id = await server.newScene();
  const id = await server.importOne(scene_id, block);
  const placed = { scene_id, model_ids: [id] };
  bodyOf(await server.ask("orient", { ...placed, orientation: { x: 30, y: 20, z: 10 } }));
  bodyOf(await server.ask("translate", { ...placed, position: { x: 12, y: -7, z: 0 }, mode: "ABSOLUTE" }));
  bodyOf(await server.ask("update", { ...placed, name: "a block", lock: "LOCKED_ROTATION_FREE_TRANSLATION" }));
  const was = await sole(scene_id);
  const answer = bodyOf(await server.ask("hollow", { ...placed, wall_thickness_mm: 2 }));
  assert.deepEqual(answer, { hollowed_model_ids: [id], unhollowed_model_ids: [], warnings: [], infos: [] });
  const { raw_mesh_hash, canonical_model_hash, ...is } = await sole(scene_id);
  assert.notEqual(raw_mesh_hash, was.raw_mesh_hash);
  assert.notEqual(canonical_model_hash, was.canonical_model_hash);
  const { raw_mesh_hash: _, canonical_model_hash: __, ...stays } = was;
  assert.deepEqual(is, stays);
  await assertLost(scene_id, solidMl(), hollowMl(2));
});

test("defaults are features of 1 mm and accuracy 0.5; larger features count as 1 mm", async () => {
  const scene_id = await server.newScene();
  await server.importOne(scene_id, block);
  const hashes: string[] = [];
  for (const options of [
    {},
    { feature_size_mm: 1, accuracy: 0.5 },
    { feature_size_mm: 40 },
    { feature_size_mm: 0.2 },
    { accuracy: 0 },
  ]) {
    bodyOf(await server.ask("hollow", { scene_id, wall_thickness_mm: 2, ...options }));
    hashes.push((await sole(scene_id)).raw_mesh_hash);
  }
  const [plain, ...others] = hashes;
  assert.deepEqual(
    others.map((hash) => hash === plain),
    [true, true, false, false],
  );
});

longTest("a hollowed model is hollowed again from its solid, and its holes are drilled again", async () => {
  const scene_id = await server.newScene();
  const id = await server.importOne(scene_id, block);
  bodyOf(await server.ask("hollow", { scene_id, wall_thickness_mm: 3 }));
  const { raw_mesh_hash } = await sole(scene_id);
  const again = bodyOf(await server.ask("hollow", { scene_id, wall_thickness_mm: 1.5 }));
  assert.deepEqual(again.infos, ['"block" was hollow already: it was hollowed again from its solid.']);
  await assertLost(scene_id, solidMl(), hollowMl(1.5));
  bodyOf(await server.ask("hollow", { scene_id, wall_thickness_mm: 3 }));
  assert.equal((await sole(scene_id)).raw_mesh_hash, raw_mesh_hash);

  const top = (await sole(scene_id)).bounding_box.max_corner.z;
  const hole = {
    orientation: { x: 0, y: 0, z: 0 },
    position: { x: 0, y: 0, z: top },
    diameter_mm: 4,
    depth_mm: "AUTO",
  };
  bodyOf(await server.ask("drill", { scene_id, drain_holes: [hole] }));
  const { infos } = bodyOf(await server.ask("hollow", { scene_id, model_ids: [id], wall_thickness_mm: 2 }));
  assert.match(infos.join(" "), /The holes of "block" were drilled again: 1\./);
  await assertLost(scene_id, solidMl(), hollowMl(2) + (Math.PI * 2 ** 2 * 2) / 1000);
});

test("walls are in mm of the scene for scaled models too, and copies get the same mesh", async () => {
  const scene_id = await server.newScene();
  await server.importOne(scene_id, block);
  bodyOf(await server.ask("duplicate", { scene_id, count: 2 }));
  bodyOf(await server.ask("scale", { scene_id, scale: 1.5 }));
  const answer = bodyOf(await server.ask("hollow", { scene_id, wall_thickness_mm: 2 }));
  const models = await server.models(scene_id);
  assert.deepEqual(answer.hollowed_model_ids.toSorted(), models.map(({ id }) => id).sort());
  assert.equal(new Set(models.map(({ raw_mesh_hash }) => raw_mesh_hash)).size, 1);
  // Copies are at the place of the first, and overlapping volume counts once.
  await assertLost(scene_id, solidMl(1.5), hollowMl(2, 1.5));
});

longTest("models that cannot be hollowed are unchanged and listed in warnings", async () => {
  const scene_id = await server.newScene();
  const good = await server.importOne(scene_id, block);
  const thin = await server.importOne(scene_id, plate);
  const broken = await server.importOne(scene_id, open, { repair_behavior: "IGNORE" });
  const was = await server.models(scene_id, [thin, broken]);
  const answer = bodyOf(
    await server.ask("hollow", { scene_id, model_ids: [thin, good, broken], wall_thickness_mm: 2 }),
  );
  assert.deepEqual(answer.hollowed_model_ids, [good]);
  assert.deepEqual(answer.unhollowed_model_ids, [thin, broken]);
  assert.equal(answer.warnings.length, 3);
  assert.match(answer.warnings[0], /^"plate" was not hollowed: it is nowhere thick enough/);
  assert.match(answer.warnings[1], /^"open" was not hollowed: it is no closed manifold, it has 3 open edges/);
  assert.match(answer.warnings[2], /validate\/manifoldness/);
  assert.deepEqual(await server.models(scene_id, [thin, broken]), was);

  const before = await server.scene(scene_id);
  const refused = await server.ask("hollow", { scene_id, model_ids: [thin, broken], wall_thickness_mm: 2 });
  assertRefused(refused, "OPERATION_FAILED", /"plate" was not hollowed: .*"open" was not hollowed: .*manifoldness/);
  assertRefused(await server.ask("hollow", { scene_id, wall_thickness_mm: 50 }), "OPERATION_FAILED", /"block" was not/);
  assert.deepEqual(await server.scene(scene_id), before);
});

test("requests that the interface rejects change nothing", async () => {
  const scene_id = await server.newScene();
  const id = await server.importOne(scene_id, block);
  const before = await server.scene(scene_id);
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
    assertRefused(await server.ask("hollow", { scene_id, ...body }), code);
  }
  assertRefused(await server.ask("hollow", { scene_id: UNKNOWN_ID, ...wall }), "INPUT_ERROR");
  assertRefused(
    await server.ask("hollow", { scene_id: await server.newScene(), ...wall }),
    "OPERATION_FAILED",
    /no model/,
  );
  assert.deepEqual(await server.scene(scene_id), before);
});

test("supports are removed; in powder scenes the model keeps its place", async () => {
  const scene_id = await server.newScene();
  await server.importOne(scene_id, block);
  bodyOf(await server.ask("auto-support", { scene_id, raft_type: "MINI_RAFT", only_minima: true }));
  assert.equal((await sole(scene_id)).has_supports, true);
  bodyOf(await server.ask("hollow", { scene_id, wall_thickness_mm: 2, accuracy: 0 }));
  assert.equal((await sole(scene_id)).has_supports, false);
  assertNear((await sole(scene_id)).bounding_box.min_corner.z, 0, 1e-6);

  const powder = await server.newScene(POWDER);
  await server.importOne(powder, block);
  bodyOf(await server.ask("translate", { scene_id: powder, position: { x: 0, y: 0, z: 50 }, mode: "ABSOLUTE" }));
  const was = await sole(powder);
  bodyOf(await server.ask("hollow", { scene_id: powder, wall_thickness_mm: 2, accuracy: 0 }));
  const is = await sole(powder);
  assertNear(is.position, was.position, 1e-6);
  assertNear(is.bounding_box, was.bounding_box, 1e-6);
});

/** Infill of a kind that fills a share of a cavity. */
async function assertStays(kind: string, share: number): Promise<void> {
  const scene_id = await server.newScene();
  const id = await server.importOne(scene_id, block);
  const placed = { scene_id, model_ids: [id] };
  bodyOf(await server.ask("hollow", { ...placed, wall_thickness_mm: 2 }));
  const { raw_mesh_hash: bare } = await sole(scene_id);
  const bareMl = await volumeMl(scene_id);
  const infill = { kind };
  const answer = bodyOf(await server.ask("hollow", { ...placed, wall_thickness_mm: 2, infill }));
  assert.deepEqual(answer.warnings, []);
  const { raw_mesh_hash: filled } = await sole(scene_id);
  assert.notEqual(filled, bare);
  assertNear((await volumeMl(scene_id)) - bareMl, share * hollowMl(2), 0.02 * hollowMl(2));
  bodyOf(await server.ask("duplicate", { scene_id, count: 1 }));
  assert.deepEqual(
    (await server.models(scene_id)).map(({ raw_mesh_hash }) => raw_mesh_hash),
    [filled, filled],
  );
  for (const axis of ["X", "X"]) bodyOf(await server.ask("mirror", { ...placed, axis }));
  bodyOf(await server.ask("orient", { ...placed, orientation: { x: 30, y: 20, z: 10 } }));
  bodyOf(await server.ask("scale", { ...placed, scale: 1.5 }));
  assert.equal((await server.models(scene_id, [id]))[0].raw_mesh_hash, filled);
  const file = `${server.folder}/filled.form`;
  bodyOf(await server.printwright.post("/v1/scene/save/", { scene_ids: [scene_id], file }));
  bodyOf(await server.printwright.post("/v1/scene/open/", { file }));
  const { scenes } = bodyOf(await server.printwright.call("GET", "/v1/scene/list/"));
  const opened = scenes.at(-1).id;
  assert.deepEqual(
    (await server.models(opened)).map(({ raw_mesh_hash }) => raw_mesh_hash),
    [filled, filled],
  );
  bodyOf(await server.ask("hollow", { scene_id: opened, wall_thickness_mm: 2 }));
  assert.ok((await server.models(opened)).some(({ raw_mesh_hash }) => raw_mesh_hash === bare));
}

test("infill stays with a model in its scene and in a project, and goes with the next hollow without it", () =>
  // 3.09 · 0.6 ÷ 6 of the cavity.
  assertStays("GYROID", 0.309));

// 4√3·π·0.05², less what four struts share at the nodes.
longTest("struts stay with a model, too", () => assertStays("STRUTS", 0.0495));

longTest("a part with infill drains by as many holes as one without, which the proof on its layers shows", async () => {
  const scene_id = await server.newScene();
  const id = await server.importOne(scene_id, block);
  const placed = { scene_id, model_ids: [id] };
  bodyOf(await server.ask("translate", { ...placed, position: { x: 0, y: 0, z: 12 }, mode: "ABSOLUTE" }));
  const drained = async (infill: object): Promise<Body> => {
    bodyOf(await server.ask("hollow", { ...placed, wall_thickness_mm: 2, ...infill }));
    return bodyOf(await server.ask("auto-drain", { ...placed, dry_run: true }));
  };
  const bare = await drained({});
  const { holes, proof } = await drained({ infill: { kind: "GYROID" } });
  const struts = await drained({ infill: { kind: "STRUTS" } });
  for (const one of [{ holes, proof }, struts]) {
    assert.equal(one.holes.length, bare.holes.length);
    assert.deepEqual([one.proof.cup_count, one.proof.pool_count], [0, 0]);
  }
  const closed = await drained({ infill: { kind: "GYROID", clearance_mm: 0 } });
  assert.ok(closed.proof.sealed_before > proof.sealed_before);
});

test("infill refuses walls that it would pierce or fill", async () => {
  const scene_id = await server.newScene();
  await server.importOne(scene_id, block);
  const refused = async (wall_thickness_mm: number, infill: object): Promise<Reply> =>
    server.ask("hollow", { scene_id, wall_thickness_mm, infill });
  assertRefused(await refused(0.4, { kind: "GYROID" }), "INPUT_ERROR", /Walls of 0.4 mm are too thin for infill/);
  const coarse = await refused(2, { kind: "SCHWARZ_P", cell_size_mm: 3 });
  assertRefused(coarse, "INPUT_ERROR", /cells of 3 mm has too little room for walls of 0.6 mm/);
  const thick = await refused(2, { kind: "STRUTS", wall_thickness_mm: 2 });
  assertRefused(thick, "INPUT_ERROR", /cells of 6 mm has too little room for struts of 2 mm/);
  assertRefused(await refused(2, { kind: "BEAMS" }), "JSON_SCHEMA_MATCH_ERROR", /"SCHWARZ_D" or "STRUTS"/);
  const narrow = bodyOf(await refused(2, { kind: "SCHWARZ_P", cell_size_mm: 3, wall_thickness_mm: 0.4 }));
  assert.match(narrow.warnings.join(" "), /Resin leaves cells of 3 mm slowly/);
});

test("a hollowed model is watertight, and is still a hollow after it is opened from a project", async () => {
  const scene_id = await server.newScene();
  const id = await server.importOne(scene_id, block);
  bodyOf(await server.ask("hollow", { scene_id, wall_thickness_mm: 2 }));
  const { per_model_results } = bodyOf(await server.ask("validate/manifoldness", { scene_id }));
  assert.equal(per_model_results[id].is_manifold, true);
  assert.equal(per_model_results[id].self_intersecting, false);
  assert.equal(per_model_results[id].open_edge_count, 0);
  const file = `${server.folder}/hollow.form`;
  bodyOf(await server.printwright.post("/v1/scene/save/", { scene_ids: [scene_id], file }));
  bodyOf(await server.printwright.post("/v1/scene/open/", { file }));
  const { scenes } = bodyOf(await server.printwright.call("GET", "/v1/scene/list/"));
  const opened = scenes.at(-1).id;
  const { infos } = bodyOf(await server.ask("hollow", { scene_id: opened, wall_thickness_mm: 3 }));
  assert.match(infos[0], /hollow already/);
  await assertLost(opened, solidMl(), hollowMl(3));
});

longTest("hollowing runs as an operation, too", async () => {
  const scene_id = await server.newScene();
  const id = await server.importOne(scene_id, block);
  const begun = await server.printwright.post("/v1/scene/model/hollow/?async=true", { scene_id, wall_thickness_mm: 2 });
  const operation = await awaitOperation(server.printwright, begun);
  assert.equal(operation.status, "SUCCEEDED");
  assert.equal(operation.progress, 1);
  assert.deepEqual(operation.result.hollowed_model_ids, [id]);
});
