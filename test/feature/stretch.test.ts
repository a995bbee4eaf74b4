import assert from "node:assert/strict";
import { test } from "node:test";
import { inProcess } from "../fixture/in-process.ts";
import { box, tetrahedron } from "../fixture/shapes.ts";
import { POWDER, UNKNOWN_ID } from "../fixture/test-server.ts";

// Design of the page, section 11: scene/model/stretch.

const PATH = "/v1/scene/model/stretch/";
const { ask, newScene, importShape, models, scene, refused, post } = inProcess();

const sizeOf = ({ bounding_box: { min_corner: min, max_corner: max } }: { bounding_box: Record<string, never> }) =>
  ["x", "y", "z"].map((axis) => Math.round(1e4 * (max[axis] - min[axis])) / 1e4);

test("factors are those of the axes of the file, whatever its turn and scale; the centre stays", async () => {
  const scene_id = await newScene(POWDER);
  await importShape(scene_id, box([10, 20, 30]));
  await ask("scale", { scene_id, scale: 2 });
  await ask("orient", { scene_id, orientation: { x: 0, y: 0, z: 90 } });
  await ask("translate", { scene_id, position: { x: 3, y: 4, z: 90 } });
  const [before] = await models(scene_id);
  const { modified_model_ids } = await ask("stretch", { scene_id, factors: { x: 1.5, y: 0.5, z: 2 } });
  assert.deepEqual(modified_model_ids, [before.id]);
  const [after] = await models(scene_id);
  assert.deepEqual(sizeOf(after), [20, 30, 120]);
  for (const key of ["position", "orientation", "scale", "name", "units"]) assert.deepEqual(after[key], before[key]);
  assert.notEqual(after.raw_mesh_hash, before.raw_mesh_hash);
  await ask("stretch", { scene_id, factors: { x: 1 / 1.5, y: 2, z: 0.5 } });
  assert.deepEqual(sizeOf((await models(scene_id))[0]), sizeOf(before));
});

test("a resin model stays on the platform, and its volume grows by the product of the factors", async () => {
  const scene_id = await newScene();
  const id = await importShape(scene_id, tetrahedron(9));
  const volume = async () => (await post("/v1/scene/metadata/", { scene_id })).models[0].volume_ml;
  const before = await volume();
  await ask("stretch", { scene_id, model_ids: [id], factors: { x: 100, y: 0.01, z: 4 } });
  assert.ok(Math.abs((await volume()) - 4 * before) < 1e-5);
  assert.equal((await models(scene_id))[0].bounding_box.min_corner.z, 0);
});

test("supports are removed with a warning, unless nothing changes; the hollow is forgotten", async () => {
  const scene_id = await newScene();
  await importShape(scene_id, tetrahedron(12), { name: "held" });
  await ask("orient", { scene_id, orientation: { x: 20, y: 30, z: 10 } });
  await ask("auto-support", { scene_id, only_minima: true });
  const { models: before } = scene(scene_id);
  assert.deepEqual(Object.keys(await ask("stretch", { scene_id, factors: { x: 1, y: 1, z: 1 } })), [
    "modified_model_ids",
  ]);
  assert.deepEqual(scene(scene_id).models, before);
  const { warnings } = await ask("stretch", { scene_id, factors: { x: 1, y: 1, z: 1.25 } });
  assert.equal(warnings.length, 1);
  assert.match(warnings[0], /supports of "held" were removed, because its mesh changed/);
  assert.equal(scene(scene_id).models[0].supports, undefined);
});

test("factors out of range, a missing one, an unknown model and a size out of range are refused", async () => {
  const scene_id = await newScene();
  await importShape(scene_id, box([3e4, 10, 10]));
  const factors = { x: 2, y: 2, z: 2 };
  for (const wrong of [{ x: 0.0099 }, { y: 100.1 }, { z: -1 }, { z: undefined }, { w: 1 }])
    await refused(PATH, { scene_id, factors: { ...factors, ...wrong } }, "JSON_SCHEMA_MATCH_ERROR", /factors/);
  await refused(PATH, { scene_id }, "JSON_SCHEMA_MATCH_ERROR", /factors/);
  await refused(PATH, { scene_id, factors, model_ids: [UNKNOWN_ID] }, "NOT_FOUND");
  await refused(
    PATH,
    { scene_id, factors: { x: 100, y: 1, z: 1 } },
    "INPUT_ERROR",
    /largest possible coordinate|reach beyond/,
  );
});

test("a support plan keeps its points and areas at their places of the surface", async () => {
  const scene_id = await newScene();
  const id = await importShape(scene_id, box([10, 20, 30]));
  const request = { scene_id, model_id: id };
  await ask("supports/set", {
    ...request,
    points: [{ position: { x: 2, y: 4, z: 0 }, size_mm: 0.4 }],
    areas: [{ mode: "NEVER", shape: { kind: "BALL", centre: { x: 5, y: 0, z: 20 }, radius_mm: 1 } }],
  });
  const { supportPlan: before } = scene(scene_id).models[0];
  await ask("stretch", { scene_id, factors: { x: 3, y: 1, z: 1.5 } });
  const { supportPlan: after } = scene(scene_id).models[0];
  assert.ok(before && after);
  const scaled = ([x, y, z]: readonly number[]): number[] =>
    [3 * x, y, 1.5 * z].map((mm) => Math.round(1e6 * mm) / 1e6);
  assert.equal(before.points.length, after.points.length);
  before.points.forEach(({ position }, i) =>
    assert.deepEqual(
      after.points[i].position.map((mm) => Math.round(1e6 * mm) / 1e6),
      scaled(position),
    ),
  );
  const [was, is] = [before.areas[0].shape, after.areas[0].shape];
  assert.ok(was.kind === "BALL" && is.kind === "BALL");
  assert.deepEqual(
    is.centre.map((mm) => Math.round(1e6 * mm) / 1e6),
    scaled(was.centre),
  );
  assert.ok(Math.abs(is.radius - Math.cbrt(4.5) * was.radius) < 1e-9);
});
