import assert from "node:assert/strict";
import { test } from "node:test";
import { inProcess } from "../fixture/in-process.ts";
import { tetrahedron } from "../fixture/shapes.ts";
import { POWDER, RESIN, UNKNOWN_ID } from "../fixture/test-server.ts";
import { longTest } from "../fixture/long.ts";

// Design of the page, section 11: scene/rename, scene/model/move-to-scene, warnings of orient and scale.

const { post, ask, newScene, importShape, models, scene, refused, file } = inProcess({ maxScenes: 20 });
const MOVE = "/v1/scene/model/move-to-scene/";
const idsIn = async (scene_id: string): Promise<string[]> => (await models(scene_id)).map(({ id }) => id);

test("a scene takes a name, which scene/get and list tell and scene/save keeps", async () => {
  const scene_id = await newScene();
  assert.ok(!("name" in (await post("/v1/scene/get/", { scene_id }))));
  for (const name of ["x", "Gear case — süß", "n".repeat(120)]) {
    assert.deepEqual(await post("/v1/scene/rename/", { scene_id, name }), { name });
    assert.equal((await post("/v1/scene/get/", { scene_id })).name, name);
    const { scenes } = await post("/v1/scene/list/", {});
    assert.equal(scenes.find(({ id }: { id: string }) => id === scene_id).name, name);
  }
  const saved = file("named.form", "");
  await post("/v1/scene/save/", { scene_ids: [scene_id], file: saved });
  const [opened] = (await post("/v1/scene/open/", { file: saved })).scenes;
  assert.equal(opened.scene_name, "n".repeat(120));
  assert.equal((await post("/v1/scene/get/", { scene_id: opened.scene_id })).name, "n".repeat(120));
});

test("names that are empty or longer than 120 characters are refused", async () => {
  const scene_id = await newScene();
  for (const name of ["", "n".repeat(121), 3, null, undefined])
    await refused("/v1/scene/rename/", { scene_id, name }, "JSON_SCHEMA_MATCH_ERROR", /name/);
  await refused("/v1/scene/rename/", { scene_id: UNKNOWN_ID, name: "a" }, "INPUT_ERROR");
});

longTest("orient and scale warn once for each model that loses its supports", async () => {
  const scene_id = await newScene();
  const turned = await importShape(scene_id, tetrahedron(12), { name: "held" });
  await ask("orient", { scene_id, orientation: { x: 20, y: 30, z: 0 } });
  await ask("auto-support", { scene_id });
  const [
    {
      new_model_ids: [scaled],
    },
  ] = (await ask("duplicate", { scene_id, count: 1 })).results;
  const bare = await importShape(scene_id, tetrahedron(12), { name: "bare" });
  for (const [action, id, body, cause] of [
    ["orient", turned, { orientation: { x: 40, y: 0, z: 0 } }, /was turned/],
    ["scale", scaled, { scale: 0.8 }, /scale changed/],
  ] as const) {
    const request = { scene_id, model_ids: [id, bare], ...body };
    const { warnings } = await ask(action, request);
    assert.equal(warnings.length, 1);
    assert.match(warnings[0], /"held"/);
    assert.match(warnings[0], cause);
    assert.ok(!("warnings" in (await ask(action, request))));
  }
});

test("models go to a new scene of the same setting, with ids, poses, names and supports", async () => {
  const scene_id = await newScene({ ...RESIN, material_code: "FLGPBK05" });
  const moved = await importShape(scene_id, tetrahedron(12), { name: "held" });
  const stays = await importShape(scene_id);
  await ask("orient", { scene_id, model_ids: [moved], orientation: { x: 20, y: 30, z: 10 } });
  await ask("translate", { scene_id, model_ids: [moved], position: { x: 30, y: -20, z: 0 } });
  await ask("auto-support", { scene_id, model_ids: [moved] });
  const before = scene(scene_id).models[0];
  const answer = await ask("move-to-scene", { scene_id, model_ids: [moved] });
  assert.deepEqual(Object.keys(answer).sort(), ["moved_model_ids", "target_scene_id"]);
  assert.deepEqual(answer.moved_model_ids, [moved]);
  assert.deepEqual(await idsIn(scene_id), [stays]);
  const target = scene(answer.target_scene_id);
  assert.deepEqual(target.models, [before]);
  assert.equal(target.setting, scene(scene_id).setting);
});

test("models go to a scene that exists, and lose supports with a warning where its setting supports otherwise", async () => {
  const scene_id = await newScene();
  const target_scene_id = await newScene(POWDER);
  const there = await importShape(target_scene_id);
  const moved = await importShape(scene_id, tetrahedron(12), { name: "held" });
  await ask("orient", { scene_id, model_ids: [moved], orientation: { x: 20, y: 30, z: 10 } });
  await ask("auto-support", { scene_id });
  const { warnings } = await ask("move-to-scene", {
    scene_id,
    model_ids: [`{${moved.toUpperCase()}}`],
    target_scene_id,
  });
  assert.equal(warnings.length, 1);
  assert.match(warnings[0], /supports of "held" were removed/);
  assert.deepEqual(await idsIn(scene_id), []);
  const [, last] = await models(target_scene_id);
  assert.deepEqual(await idsIn(target_scene_id), [there, moved]);
  assert.equal(last.has_supports, false);
  // Back in a resin scene it stands on the platform.
  await ask("move-to-scene", { scene_id: target_scene_id, model_ids: [moved], target_scene_id: scene_id });
  assert.equal((await models(scene_id))[0].bounding_box.min_corner.z, 0);
});

longTest("a cage moves as one between powder scenes, and not to a resin scene; its parts move without it", async () => {
  const scene_id = await newScene(POWDER);
  const parts = [await importShape(scene_id, tetrahedron(8)), await importShape(scene_id, tetrahedron(9))];
  await ask("cage", { scene_id });
  const cage = (await models(scene_id)).find(({ is_cage }) => is_cage);
  const resin = await newScene();
  const request = { scene_id, model_ids: [cage.id], target_scene_id: resin };
  await refused(MOVE, request, "INPUT_ERROR", /Cages are for powder/);
  await ask("move-to-scene", { scene_id, model_ids: [parts[0]], target_scene_id: resin });
  assert.deepEqual(await idsIn(resin), [parts[0]]);
  const { target_scene_id, moved_model_ids } = await ask("move-to-scene", { scene_id, model_ids: [cage.id] });
  assert.deepEqual(moved_model_ids.sort(), (await idsIn(target_scene_id)).sort());
  assert.equal(moved_model_ids.length, 3);
  assert.deepEqual(scene(target_scene_id).cages[0].partIds, [parts[1]]);
  assert.deepEqual(await idsIn(scene_id), []);
});

test("an unknown model, a scene that is the same or unknown, and one scene too many are refused", async () => {
  const scene_id = await newScene();
  const id = await importShape(scene_id);
  await refused(MOVE, { scene_id }, "JSON_SCHEMA_MATCH_ERROR", /model_ids/);
  await refused(MOVE, { scene_id, model_ids: [] }, "JSON_SCHEMA_MATCH_ERROR", /model_ids/);
  await refused(MOVE, { scene_id, model_ids: [id, UNKNOWN_ID] }, "NOT_FOUND");
  const same = { scene_id, model_ids: [id], target_scene_id: `{${scene_id}}` };
  await refused(MOVE, same, "INPUT_ERROR", /in that scene already/);
  await refused(MOVE, { ...same, target_scene_id: UNKNOWN_ID }, "INPUT_ERROR", /No scene/);
  for (let count = (await post("/v1/scene/list/", {})).scenes.length; count < 20; count++) await newScene();
  await refused(MOVE, { scene_id, model_ids: [id] }, "BUILD_VOLUME_LIMIT_EXCEEDED", /at most 20/);
});
