import assert from "node:assert/strict";
import { test } from "node:test";
import { shortestRotation, rotateVector } from "../../src/geometry/pose.ts";
import { type Vec3, cross, dot, matrixRow, unit } from "../../src/geometry/vector.ts";
import { toSceneSpace } from "../../src/geometry/pose.ts";
import { triangleCount, facetNormal, cornersOf } from "../../src/mesh/mesh.ts";
import { inProcess } from "../fixture/in-process.ts";
import { fc } from "../fixture/property.ts";
import { box, tetrahedron } from "../fixture/shapes.ts";
import { POWDER, UNKNOWN_ID } from "../fixture/test-server.ts";
import { insideOut } from "../fixture/surface-edits.ts";
import type { Shape } from "../fixture/shapes.ts";

// Design of the page, section 11: scene/model/cut.

const PATH = "/v1/scene/model/cut/";
const { ask, newScene, importShape, models, scene, refused } = inProcess();

const point = (x: number, y: number, z: number) => ({ x, y, z });
const LEVEL = { point: point(0, 0, 10), normal: point(0, 0, 1) };
const peg = { position: point(0, 0, 10), size_mm: 4, depth_mm: 5 };

async function sceneWithBlock(combination?: object): Promise<{ scene_id: string; id: string }> {
  const scene_id = await newScene(combination);
  return { scene_id, id: await importShape(scene_id, box([10, 20, 30]), { name: "block" }) };
}

const heightsOf = async (scene_id: string): Promise<number[][]> =>
  (await models(scene_id)).map(({ bounding_box: { min_corner: min, max_corner: max } }) => [min.z, max.z]);

test("parts replace the model in its place, above and below, and stand on the platform of a resin printer", async () => {
  const { scene_id, id } = await sceneWithBlock();
  const other = await importShape(scene_id, tetrahedron(5));
  const { results, warnings } = await ask("cut", { scene_id, model_ids: [id], plane: LEVEL });
  assert.deepEqual(warnings, []);
  assert.equal(results.length, 1);
  const [{ source_model_id, new_model_ids, side, dowel_model_ids }] = results;
  assert.equal(source_model_id, id);
  assert.deepEqual(side, ["ABOVE", "BELOW"]);
  assert.deepEqual(dowel_model_ids, []);
  const found = await models(scene_id);
  assert.deepEqual(
    found.map((model) => model.id),
    [...new_model_ids, other],
  );
  assert.deepEqual(
    found.slice(0, 2).map(({ name }) => name),
    ["block above", "block below"],
  );
  assert.deepEqual((await heightsOf(scene_id)).slice(0, 2), [
    [0, 20],
    [0, 10],
  ]);
});

test("in powder the parts keep their places, and keep chooses among them", async () => {
  for (const [keep, expected] of [
    [
      "BOTH",
      [
        [70, 80],
        [50, 70],
      ],
    ],
    ["ABOVE", [[70, 80]]],
    ["BELOW", [[50, 70]]],
  ] as const) {
    const { scene_id } = await sceneWithBlock(POWDER);
    await ask("translate", { scene_id, position: point(3, 4, 65) });
    const { results } = await ask("cut", { scene_id, plane: { point: point(0, 0, 70), normal: point(0, 0, 5) }, keep });
    assert.deepEqual(results[0].side, keep === "BOTH" ? ["ABOVE", "BELOW"] : [keep]);
    assert.deepEqual(
      await heightsOf(scene_id),
      expected.map((range) => [...range]),
    );
    for (const { position } of await models(scene_id)) assert.deepEqual([position.x, position.y], [3, 4]);
  }
});

test("a plane counts in the scene, whatever the turn and the scale of the model", async () => {
  const { scene_id } = await sceneWithBlock(POWDER);
  await ask("scale", { scene_id, scale: 2 });
  await ask("orient", { scene_id, orientation: { x: 90, y: 0, z: 0 } });
  await ask("translate", { scene_id, position: point(0, 0, 100) });
  await ask("cut", {
    scene_id,
    plane: { point: point(0, 0, 105), normal: point(0, 0, -1) },
    keys: "AUTO",
    keep: "BELOW",
  });
  // The upper side of a plane that faces down is below: ABOVE has the hole, BELOW the pegs, which point down.
  const [[low, high]] = await heightsOf(scene_id);
  assert.ok(Math.abs(high - 120) < 1e-3 && low < 103 && low > 97, `${low} to ${high}`);
});

test("place_on_cut lays cut faces down; a part with pegs stays, with a warning", async () => {
  const plane = { point: point(0, 0, 15), normal: point(0.3, -0.2, 1) };
  for (const keys of ["NONE", "AUTO"]) {
    const { scene_id } = await sceneWithBlock();
    await ask("orient", { scene_id, orientation: { x: 0, y: 0, z: 33 } });
    const { results, warnings } = await ask("cut", { scene_id, plane, place_on_cut: true, keys });
    const laid = keys === "NONE" ? ["ABOVE", "BELOW"] : ["ABOVE"];
    results[0].side.forEach((side: string, i: number) => {
      const model = scene(scene_id).models.find(({ id }) => id === results[0].new_model_ids[i])!;
      // Area on the platform: the cut face is leaning, and larger than the face of 200 mm² below.
      let down = 0;
      for (let facet = 0; facet < triangleCount(model.mesh); facet++) {
        const corners = cornersOf(model.mesh, facet).map((corner) => toSceneSpace(model, corner));
        if (corners.every(([, , z]) => Math.abs(z) < 1e-3)) down += Math.hypot(...facetNormal(model.mesh, facet)) / 2;
      }
      assert.equal(down > 205, laid.includes(side), `${keys} ${side}: ${down}`);
    });
    assert.equal(warnings.length, keys === "NONE" ? 0 : 1);
    for (const warning of warnings) assert.match(warning, /stand on its pegs/);
  }
});

test("dowels are new models beside the parts; supports go with a warning", async () => {
  const { scene_id, id } = await sceneWithBlock();
  await ask("orient", { scene_id, orientation: { x: 20, y: 30, z: 10 } });
  await ask("auto-support", { scene_id, only_minima: true, raft_label_enabled: false });
  const {
    bounding_box: { max_corner },
  } = (await models(scene_id))[0];
  const at = point(0, 0, max_corner.z / 2);
  const key = { position: at, kind: "DOWEL", shape: "HEXAGON", size_mm: 3, depth_mm: 2, turn_deg: 15 };
  const { results, warnings } = await ask("cut", {
    scene_id,
    model_ids: [id],
    plane: { point: at, normal: point(0, 0, 1) },
    keys: [key],
    play_mm: 0.05,
  });
  assert.equal(warnings.length, 1);
  assert.match(warnings[0], /supports of "block" were removed/);
  const dowel = (await models(scene_id)).find((model) => model.id === results[0].dowel_model_ids[0])!;
  assert.equal(dowel.name, "block dowel 1");
  const { min_corner: min, max_corner: max } = dowel.bounding_box;
  assert.ok(Math.abs(max.z - min.z - 4) < 1e-3 && min.z === 0);
});

test("each part gets the points of the support plan on its side", async () => {
  const { scene_id, id } = await sceneWithBlock();
  const heights = [0, 4, 20, 25];
  const points = heights.map((z) => ({
    position: point(z === 0 ? 0 : 5, 0, z),
    normal: z === 0 ? undefined : point(1, 0, 0),
  }));
  await ask("supports/set", { scene_id, model_id: id, points });
  const count = scene(scene_id).models[0].supportPlan?.points.length;
  assert.equal(count, 4);
  const lowest = scene(scene_id).models[0].pose.position[2] - 15;
  const plane = { point: point(0, 0, lowest + 10), normal: point(0, 0, 1) };
  const { results } = await ask("cut", { scene_id, plane, keys: [{ ...peg, kind: "DOWEL", position: plane.point }] });
  const planOf = (modelId: string) => scene(scene_id).models.find((model) => model.id === modelId)?.supportPlan;
  assert.deepEqual(
    results[0].new_model_ids.map((part: string) => planOf(part)?.points.length),
    [2, 2],
  );
  assert.equal(planOf(results[0].dowel_model_ids[0]), undefined);
});

test("a missed model stays with a warning; a key near the surface and a face without room for keys are told", async () => {
  const { scene_id, id } = await sceneWithBlock();
  const low = await importShape(scene_id, box([30, 30, 5]), { name: "low" });
  const first = await ask("cut", { scene_id, plane: LEVEL, keys: [{ ...peg, position: point(0, 7, 10) }] });
  assert.equal(first.results.length, 1);
  assert.match(first.warnings.join(" "), /does not cross "low".*Key 1 comes near the surface of "block"/);
  assert.ok(scene(scene_id).models.some((model) => model.id === low));
  assert.ok(!scene(scene_id).models.some((model) => model.id === id));
  const thin = await importShape(scene_id, box([2, 2, 40]), { name: "rod" });
  const { warnings } = await ask("cut", { scene_id, model_ids: [thin], plane: LEVEL, keys: "AUTO" });
  assert.match(warnings[0], /"rod" are too small/);
});

test("misses, open meshes, keys off the face, wrong fields and unknown models are refused, and nothing is changed", async () => {
  const { scene_id } = await sceneWithBlock();
  const request = { scene_id, plane: LEVEL };
  await refused(
    PATH,
    { ...request, plane: { ...LEVEL, point: point(0, 0, 31) } },
    "OPERATION_FAILED",
    /crosses no model/,
  );
  await refused(PATH, { ...request, scene_id: await newScene() }, "OPERATION_FAILED", /crosses no model/);
  const off = { ...peg, position: point(4, 0, 10) };
  await refused(PATH, { ...request, keys: [peg, off] }, "OPERATION_FAILED", /^Key 2 is not wholly on a cut face/);
  for (const wrong of [
    { plane: undefined },
    { plane: { ...LEVEL, normal: point(0, 0, 0) } },
    { keep: "NONE" },
    { keys: "SOME" },
    { keys: Array.from({ length: 101 }, () => peg) },
    { keys: [{ ...peg, size_mm: 0.9 }] },
    { keys: [{ ...peg, size_mm: 50.1 }] },
    { keys: [{ ...peg, depth_mm: 0.5 }] },
    { keys: [{ ...peg, depth_mm: 101 }] },
    { keys: [{ ...peg, kind: "GLUE" }] },
    { keys: [{ ...peg, shape: "STAR" }] },
    { play_mm: -0.1 },
    { play_mm: 1.1 },
    { place_on_cut: 1 },
  ]) {
    await refused(PATH, { ...request, ...wrong }, "JSON_SCHEMA_MATCH_ERROR", /plane|keep|keys|play_mm|place_on_cut/);
  }
  await refused(PATH, { ...request, model_ids: [UNKNOWN_ID] }, "NOT_FOUND");
  const inward = { ...box([10, 10, 30]), ...insideOut(box([10, 10, 30])) } as Shape;
  await importShape(scene_id, inward, { name: "inward", repair_behavior: "IGNORE" });
  await refused(PATH, request, "OPERATION_FAILED", /"inward" cannot be cut: .*repair/);
});

test("the shortest rotation turns one direction to another about an axis across both", () => {
  const direction = fc
    .tuple(fc.integer({ min: -5, max: 5 }), fc.integer({ min: -5, max: 5 }), fc.integer({ min: -5, max: 5 }))
    .filter(([x, y, z]) => x !== 0 || y !== 0 || z !== 0)
    .map((vector): Vec3 => unit(vector));
  fc.assert(
    fc.property(direction, direction, (from, to) => {
      const turn = shortestRotation(from, to);
      rotateVector(turn, from).forEach((value, i) => assert.ok(Math.abs(value - to[i]) < 1e-7));
      const rows = [0, 1, 2].map((i) => matrixRow(turn, i));
      assert.ok(Math.abs(dot(cross(rows[0], rows[1]), rows[2]) - 1) < 1e-9);
      const axis = cross(from, to);
      rotateVector(turn, axis).forEach((value, i) => assert.ok(Math.abs(value - axis[i]) < 1e-7));
    }),
  );
});
