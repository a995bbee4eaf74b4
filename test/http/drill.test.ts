import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { unzipSync, zipSync } from "fflate";
import { concatenateSurfaces } from "../../src/mesh/mesh.ts";
import { type Reply, awaitOperation } from "../fixture/client.ts";
import { box, uvSphere } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { insideOut, moved } from "../fixture/surface-edits.ts";
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

// Interface, "drill"; supplement, section 6.

let server: TestServer;
let block: string;
let ball: string;
before(async () => {
  server = await openTestServer();
  block = server.file("block.stl", binaryStl(box([30, 20, 10])));
  ball = server.file("ball.stl", binaryStl(concatenateSurfaces([uvSphere(6), insideOut(uvSphere(5))])));
});
after(() => server.close());

type Body = Reply["body"];

/** A hole from the top of the block downward. */
const someHole = (changes: object = {}): object => ({
  orientation: { x: 0, y: 0, z: 0 },
  position: { x: 3, y: 2, z: 10 },
  diameter_mm: 4,
  depth_mm: "AUTO",
  ...changes,
});
const drill = (scene_id: string, holes: readonly object[], more: object = {}): Promise<Reply> =>
  server.ask("drill", { scene_id, drain_holes: holes.map(someHole), ...more });

async function sceneWith(
  file: string,
  options: object = {},
  combination?: object,
): Promise<[scene: string, id: string]> {
  const scene_id = await server.newScene(combination);
  return [scene_id, await server.importOne(scene_id, file, options)];
}

/** Volumes of the models of a scene, mm³. */
async function volumes(scene_id: string): Promise<number[]> {
  const { models } = bodyOf(await server.printwright.post("/v1/scene/metadata/", { scene_id }));
  return models.map(({ volume_ml }: Body) => 1000 * volume_ml);
}

const HOLE_MM3 = Math.PI * 4 * 10;
const assertShare = (actual: number, expected: number, share = 0.01): void =>
  assert.ok(Math.abs(actual - expected) <= share * expected, `${actual} for ${expected}`);

test("a hole is drilled at its place in the scene, and nothing else of the model changes", async () => {
  const [scene_id, id] = await sceneWith(block, { name: "a block", lock: "LOCKED_ROTATION_FREE_TRANSLATION" });
  const [before] = await server.models(scene_id);
  const [volume] = await volumes(scene_id);
  const answer = bodyOf(await drill(scene_id, [{}]));
  assert.deepEqual(Object.keys(answer).sort(), ["infos", "plugs", "warnings"]);
  assert.deepEqual([answer.plugs, answer.warnings], [[], []]);
  assert.equal(answer.infos.length, 1);
  assert.match(answer.infos[0], /Hole 1 in "a block" is 10\.00 mm deep/);
  const [drilled] = await server.models(scene_id);
  const { raw_mesh_hash: _, canonical_model_hash: __, ...kept } = before;
  const { raw_mesh_hash, canonical_model_hash: ___, ...now } = drilled;
  assert.deepEqual(now, kept);
  assert.notEqual(raw_mesh_hash, before.raw_mesh_hash);
  assert.equal(drilled.id, id);
  assertShare(volume! - (await volumes(scene_id))[0], HOLE_MM3);
  const { total_print_time_s } = bodyOf(await server.printwright.post("/v1/scene/calculate-print-time/", { scene_id }));
  assert.ok(total_print_time_s > 0);
});

test("holes follow the pose: turned, moved and scaled models are drilled in scene coordinates", async () => {
  const [scene_id] = await sceneWith(block);
  bodyOf(await server.ask("scale", { scene_id, scale: 2 }));
  bodyOf(await server.ask("orient", { scene_id, orientation: { x: 0, y: 90, z: 0 } }));
  bodyOf(await server.ask("translate", { scene_id, position: { x: 15, y: -8, z: 0 } }));
  const [before] = await server.models(scene_id);
  const [volume] = await volumes(scene_id);
  // The block is 60 mm high and 20 mm thick along x; the hole enters from the left side.
  assertNear(before.bounding_box.min_corner, { x: 5, y: -28, z: 0 }, 1e-3);
  const side = { orientation: { x: 0, y: -90, z: 0 }, position: { x: 5, y: -3, z: 41 } };
  bodyOf(await drill(scene_id, [{ ...side, depth_mm: 6.5 }]));
  assertShare(volume! - (await volumes(scene_id))[0], Math.PI * 4 * 6.5);
  const [drilled] = await server.models(scene_id);
  assertNear(drilled.bounding_box, before.bounding_box, 1e-3);
  assertNear(drilled.position, before.position, 1e-3);
  // The hole exists now: another one at the same place removes only what is deeper.
  const [left] = await volumes(scene_id);
  bodyOf(await drill(scene_id, [{ ...side, depth_mm: 7 }]));
  assertShare(left! - (await volumes(scene_id))[0], Math.PI * 4 * 0.5, 0.05);
});

test("every selected model that a hole meets is drilled, others are unchanged", async () => {
  const scene_id = await server.newScene(POWDER);
  const ids: string[] = [];
  for (const [x, z] of [
    [0, 5],
    [0, 25],
    [60, 5],
  ] as const) {
    const id = await server.importOne(scene_id, block);
    bodyOf(await server.ask("translate", { scene_id, model_ids: [id], position: { x, y: 0, z } }));
    ids.push(id);
  }
  const hashes = async (): Promise<string[]> =>
    (await server.models(scene_id)).map(({ raw_mesh_hash }) => raw_mesh_hash);
  const was = await hashes();
  // AUTO drills only the model at which the hole begins.
  bodyOf(await drill(scene_id, [{ position: { x: 3, y: 2, z: 30 } }]));
  const first = await hashes();
  assert.deepEqual(
    first.map((hash, i) => hash === was[i]),
    [true, false, true],
  );
  bodyOf(await drill(scene_id, [{ position: { x: -5, y: 2, z: 30 }, depth_mm: 40 }]));
  const second = await hashes();
  assert.deepEqual(
    second.map((hash, i) => hash === first[i]),
    [false, false, true],
  );
  bodyOf(await drill(scene_id, [{ position: { x: -9, y: 2, z: 30 }, depth_mm: 40 }], { model_ids: [ids[0]] }));
  assert.deepEqual(
    (await hashes()).map((hash, i) => hash === second[i]),
    [false, true, true],
  );
});

test("a hole that meets no model is a warning; if no hole meets a model the request fails", async () => {
  const [scene_id] = await sceneWith(block);
  const beside = { position: { x: 40, y: 1.5, z: 10 } };
  const { warnings, infos } = bodyOf(await drill(scene_id, [beside, {}]));
  assert.equal(warnings.length, 1);
  assert.match(warnings[0], /^Hole 1 at \(40\.00, 1\.50, 10\.00\) mm meets no model/);
  assert.match(infos.join(), /^Hole 2 /);
  const before = await server.models(scene_id);
  assertRefused(await drill(scene_id, [beside]), "OPERATION_FAILED", /No hole meets a model/);
  assertRefused(await drill(scene_id, [{ depth_mm: 5, position: { x: 3, y: 2, z: 16 } }]), "OPERATION_FAILED");
  assert.deepEqual(await server.models(scene_id), before);
  assertRefused(await drill(await server.newScene(), [{}]), "OPERATION_FAILED", /No hole meets/);
});

test("a position off the surface is snapped within the search distance", async () => {
  const [scene_id] = await sceneWith(block);
  const high = { position: { x: 3, y: 2, z: 18 } };
  assertRefused(await drill(scene_id, [high]), "OPERATION_FAILED", /max_search_distance_mm/);
  assertRefused(await drill(scene_id, [{ ...high, max_search_distance_mm: 7.9 }]), "OPERATION_FAILED");
  const [volume] = await volumes(scene_id);
  bodyOf(await drill(scene_id, [{ ...high, max_search_distance_mm: 8.1 }]));
  assertShare(volume! - (await volumes(scene_id))[0], HOLE_MM3);
});

test("a plug is a new model of the same kind as the drilled one, on the platform in resin and in its hole in powder", async () => {
  for (const combination of [undefined, POWDER]) {
    const [scene_id, id] = await sceneWith(
      block,
      { name: "a block", units: "INCHES", lock: "FULLY_LOCKED" },
      combination,
    );
    const [{ bounding_box }] = await server.models(scene_id);
    const { x, y } = { x: 7, y: -5 };
    const top = bounding_box.max_corner.z;
    const hole = { position: { x, y, z: top }, diameter_mm: 10, depth_mm: 5, create_plug: true };
    const { plugs } = bodyOf(await drill(scene_id, [hole, { ...hole, position: { x: x + 40, y, z: top } }]));
    assert.equal(plugs.length, 2);
    assert.deepEqual(
      plugs.map(({ drilled_model_id }: Body) => drilled_model_id),
      [id, id],
    );
    const models = await server.models(scene_id);
    assert.deepEqual(
      models.slice(1).map(({ id }) => id),
      plugs.map(({ plug_model_id }: Body) => plug_model_id),
    );
    const [source, first, second] = models;
    assert.deepEqual([first.name, second.name], ["a block plug 1", "a block plug 2"]);
    for (const plug of [first, second]) {
      assert.equal(plug.lock, "FREE");
      assert.equal(plug.units, "INCHES");
      assert.equal(plug.original_file, source.original_file);
      assert.equal(plug.has_supports, false);
    }
    const { min_corner, max_corner } = first.bounding_box;
    assertNear({ x: (min_corner.x + max_corner.x) / 2, y: (min_corner.y + max_corner.y) / 2 }, { x, y }, 1e-3);
    assertNear(max_corner.z - min_corner.z, 4.9, 1e-3);
    assertNear(combination ? max_corner.z : min_corner.z, combination ? top : 0, 1e-3);
    assertShare((await volumes(scene_id))[1], Math.PI * 4.9 ** 2 * 4.9);
  }
});

test("a hole that is too narrow for a plug is drilled, with a warning", async () => {
  const [scene_id] = await sceneWith(block, { name: "a block" });
  const { plugs, warnings } = bodyOf(await drill(scene_id, [{ diameter_mm: 0.2, create_plug: true }]));
  assert.deepEqual(plugs, []);
  assert.match(warnings.join(), /Hole 1 in "a block" has no plug/);
});

longTest("drilling removes supports, and a hollow ball with a vent at the platform is no cup", async () => {
  const [scene_id] = await sceneWith(ball);
  bodyOf(await server.ask("auto-support", { scene_id, raft_label_enabled: false, only_minima: true }));
  const cups = async (): Promise<number[]> =>
    Object.values<Body>(bodyOf(await server.ask("validate/cups", { scene_id })).per_model_results).map(
      ({ cup_count }) => cup_count,
    );
  assert.deepEqual(await cups(), [1]);
  const [{ position }] = await server.models(scene_id);
  const lowest = { x: position.x, y: position.y, z: position.z - 6 };
  bodyOf(await drill(scene_id, [{ position: lowest, orientation: { x: 180, y: 0, z: 0 }, diameter_mm: 2 }]));
  assert.equal((await server.models(scene_id))[0].has_supports, false);
  bodyOf(await server.ask("auto-support", { scene_id, raft_label_enabled: false, only_minima: true }));
  assert.deepEqual(await cups(), [0]);
});

test("copies get the same mesh, copies in another pose get their own", async () => {
  const [scene_id, id] = await sceneWith(block);
  const { results } = bodyOf(await server.ask("duplicate", { scene_id, count: 2 }));
  bodyOf(
    await server.ask("translate", {
      scene_id,
      model_ids: [results[0].new_model_ids[1]],
      position: { x: 2, y: 0, z: 5 },
    }),
  );
  bodyOf(await drill(scene_id, [{}]));
  const [first, second, aside] = await server.models(scene_id, [id, ...results[0].new_model_ids]);
  assert.equal(first.raw_mesh_hash, second.raw_mesh_hash);
  assert.notEqual(aside.raw_mesh_hash, first.raw_mesh_hash);
});

test("a hollowed model remembers later drilled holes, in raw coordinates", async () => {
  const [scene_id] = await sceneWith(block);
  bodyOf(await server.ask("scale", { scene_id, scale: 2 }));
  const file = join(server.folder, "plain.form");
  bodyOf(await server.printwright.post("/v1/scene/save/", { scene_ids: [scene_id], file }));
  const entries = unzipSync(readFileSync(file));
  const manifest = JSON.parse(new TextDecoder().decode(entries["manifest.json"]));
  const [model] = manifest.scenes[0].models;
  model.hollowed = { solid: model.mesh, holes: [] };
  const hollowed = server.file(
    "hollowed.form",
    zipSync({ ...entries, "manifest.json": new TextEncoder().encode(JSON.stringify(manifest)) }, { level: 0 }),
  );
  const { scenes } = bodyOf(await server.printwright.post("/v1/scene/open/", { file: hollowed }));
  const opened = scenes[0].scene_id;
  const missed = { position: { x: 90, y: 0, z: 0 } };
  bodyOf(await drill(opened, [missed, { position: { x: 4, y: 2, z: 20 } }]));
  bodyOf(await drill(opened, [{ position: { x: -8, y: 2, z: 20 }, depth_mm: 8 }]));
  bodyOf(await server.printwright.post("/v1/scene/save/", { scene_ids: [opened], file }));
  const saved = JSON.parse(new TextDecoder().decode(unzipSync(readFileSync(file))["manifest.json"]));
  const { solid, holes } = saved.scenes[0].models[0].hollowed;
  assert.equal(solid, model.mesh);
  assert.equal(holes.length, 2);
  assertNear(holes[0].position, { x: 2, y: 1, z: 5 }, 1e-4);
  assertNear(holes[0].direction, { x: 0, y: 0, z: -1 }, 1e-9);
  assert.equal(holes[0].depth_mm, "AUTO");
  assertNear([holes[0].diameter_mm, holes[0].outset_mm], [2, 0.5], 1e-9);
  assertNear(holes[1].position, { x: -4, y: 1, z: 5 }, 1e-4);
  assert.equal(holes[1].depth_mm, 4);
});

test("the error for a model that is not a solid names it and the way out, and nothing is drilled", async () => {
  const scene_id = await server.newScene();
  await server.importOne(scene_id, block);
  const cube = moved(box([30, 20, 10]), [0, 0, 0]);
  const open = server.file("open.stl", binaryStl({ ...cube, triangles: cube.triangles.slice(3) }));
  await server.importOne(scene_id, open, { repair_behavior: "IGNORE", name: "a leaky box" });
  const before = await server.models(scene_id);
  assertRefused(await drill(scene_id, [{}]), "OPERATION_FAILED", /"a leaky box".*\/v1\/scene\/model\/repair\//);
  assertRefused(
    await drill(scene_id, [{ diameter_mm: 200 }], { model_ids: [before[0].id] }),
    "OPERATION_FAILED",
    /"block".*leave nothing/,
  );
  assert.deepEqual(await server.models(scene_id), before);
});

test("the rules of the body are enforced", async () => {
  const [scene_id, id] = await sceneWith(block);
  const before = await server.models(scene_id);
  const refused = async (hole: object, pointer: RegExp): Promise<void> =>
    assertRefused(await drill(scene_id, [{}, hole]), "JSON_SCHEMA_MATCH_ERROR", pointer);
  for (const field of ["orientation", "position", "diameter_mm", "depth_mm"]) {
    await refused({ [field]: undefined }, new RegExp(`"/drain_holes/1/${field}"`));
  }
  await refused({ orientation: { x: 0, y: 0 } }, /"\/drain_holes\/1\/orientation\/z"/);
  await refused({ orientation: { x: 0, y: 0, z: 0, w: 0 } }, /"\/drain_holes\/1\/orientation\/w"/);
  await refused({ orientation: { x: 0, y: "0", z: 0 } }, /"\/drain_holes\/1\/orientation\/y"/);
  await refused({ position: { x: 0, y: 0, z: 0, w: 0 } }, /"\/drain_holes\/1\/position\/w"/);
  await refused({ position: { x: 0, y: 1_000_001, z: 0 } }, /"\/drain_holes\/1\/position\/y"/);
  for (const diameter_mm of [0, -1, 1_000_001, "3", null])
    await refused({ diameter_mm }, /"\/drain_holes\/1\/diameter_mm"/);
  for (const depth_mm of [0, -1, 1_000_001, "auto", "", null, true])
    await refused({ depth_mm }, /"\/drain_holes\/1\/depth_mm"/);
  for (const outset_mm of [-0.1, 1_000_001, "1", null]) await refused({ outset_mm }, /"\/drain_holes\/1\/outset_mm"/);
  for (const create_plug of [1, "true", null]) await refused({ create_plug }, /"\/drain_holes\/1\/create_plug"/);
  for (const max_search_distance_mm of [0, -1, 1_000_001, "1", null]) {
    await refused({ max_search_distance_mm }, /"\/drain_holes\/1\/max_search_distance_mm"/);
  }
  await refused({ depth_mm: 3, max_search_distance_mm: 3 }, /"\/drain_holes\/1\/max_search_distance_mm": .*AUTO/);
  await refused({ depth: 3 }, /"\/drain_holes\/1\/depth"/);
  assertRefused(await drill(scene_id, []), "JSON_SCHEMA_MATCH_ERROR", /"\/drain_holes"/);
  assertRefused(await server.ask("drill", { scene_id }), "JSON_SCHEMA_MATCH_ERROR", /"\/drain_holes"/);
  assertRefused(await drill(scene_id, [{}], { model_ids: [id, UNKNOWN_ID] }), "NOT_FOUND", new RegExp(UNKNOWN_ID));
  assert.deepEqual(await server.models(scene_id), before);
});

test("an outset of 0, and depths and diameters at their bounds, are accepted", async () => {
  const [scene_id] = await sceneWith(block);
  const [volume] = await volumes(scene_id);
  bodyOf(await drill(scene_id, [{ outset_mm: 0, depth_mm: 1_000_000 }]));
  assertShare(volume! - (await volumes(scene_id))[0], HOLE_MM3);
});

test("drilling runs as an operation", async () => {
  const [scene_id] = await sceneWith(block);
  const body = { scene_id, drain_holes: [someHole()] };
  const begun = await server.printwright.post("/v1/scene/model/drill/?async=true", body);
  const { status, result } = await awaitOperation(server.printwright, begun);
  assert.equal(status, "SUCCEEDED");
  assert.deepEqual(Object.keys(result).sort(), ["infos", "plugs", "warnings"]);
});
