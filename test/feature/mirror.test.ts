import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress } from "../../src/core/progress.ts";
import { boxCentre } from "../../src/geometry/box.ts";
import { rotateVector, rotationMatrix } from "../../src/geometry/pose.ts";
import type { Axis, Vec3 } from "../../src/geometry/vector.ts";
import { MIRRORED_X, mirroredModel } from "../../src/feature/mirror/mirrored-model.ts";
import { stretchMesh } from "../../src/mesh/stretch-mesh.ts";
import type { Mesh } from "../../src/mesh/mesh.ts";
import type { PlacedBody } from "../../src/scene/project.ts";
import { HOLLOWED, SUPPORTS } from "../fixture/form-project.ts";
import type { SupportPlan } from "../../src/support/plan/support-plan.ts";
import { inProcess } from "../fixture/in-process.ts";
import { longTest } from "../fixture/long.ts";
import { fc } from "../fixture/property.ts";
import { sceneModel, withSupports } from "../fixture/some-scene.ts";
import { POWDER, UNKNOWN_ID } from "../fixture/test-server.ts";
import type { Shape } from "../fixture/shapes.ts";

// Design of the page, section 11: scene/model/mirror.

const PATH = "/v1/scene/model/mirror/";
const AXES = ["X", "Y", "Z"] as const;
const { ask, newScene, importShape, models, scene, refused } = inProcess();

/** A wedge that no mirror plane or rotation brings to itself. */
const WEDGE: Shape = {
  vertices: Float64Array.from([1, 2, 3, 19, 2, 3, 1, 12, 3, 1, 2, 9]),
  triangles: Uint32Array.of(0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3),
  volume: 180,
  shapeName: "wedge",
};

/** A point of a raw mesh in the scene, from the formula of the supplement, section 4. */
function inScene({ mesh, pose }: PlacedBody, point: readonly number[]): number[] {
  const centre = boxCentre(mesh.box);
  const scaled = point.map((value, axis) => pose.scale * (value - centre[axis])) as unknown as Vec3;
  return rotateVector(rotationMatrix(pose.orientation), scaled).map((value, axis) => value + pose.position[axis]);
}

function assertMirrored(before: PlacedBody, after: PlacedBody, axis: number, atMm: number): void {
  for (let at = 0; at < before.mesh.vertices.length; at += 3) {
    const [x, y, z] = before.mesh.vertices.subarray(at, at + 3);
    const expected = inScene(before, [x, y, z]);
    expected[axis] = 2 * atMm - expected[axis];
    const found = inScene(after, [-x, y, z]);
    found.forEach((value, i) => assert.ok(Math.abs(value - expected[i]) < 1e-4, `${found} is not ${expected}`));
  }
}

const PLAN: SupportPlan = {
  settings: SUPPORTS.settings,
  points: [
    { position: [1, 2, 3], normal: [0.6, 0, -0.8], sizeMm: 0.5, cause: "MANUAL", origin: "MANUAL", locked: true },
  ],
  areas: [{ mode: "NEVER", shape: { kind: "BALL", centre: [4, 5, 6], normal: [1, 0, 0], radius: 7 } }],
};

const angle = fc.double({ min: -180, max: 180, noNaN: true });
const orientation = fc.record({
  x: fc.oneof(fc.double({ min: -90, max: 90, noNaN: true }), fc.constantFrom(0, 90, -90)),
  y: fc.oneof(angle, fc.constantFrom(0, 90, 180)),
  z: fc.oneof(angle, fc.constantFrom(0, 90, 180)),
});
const coordinate = fc.double({ min: -100, max: 100, noNaN: true });

const imageOf = (mesh: Mesh): Mesh => stretchMesh(mesh, MIRRORED_X, noProgress);

test("every point of a model, of its supports and of its hollow goes to its mirror image, and twice gives the same model", () => {
  fc.assert(
    fc.property(
      orientation,
      fc.tuple(coordinate, coordinate, coordinate),
      fc.double({ min: 0.1, max: 5, noNaN: true }),
      fc.constantFrom<Axis>(0, 1, 2),
      coordinate,
      (turn, position, scale, axis, atMm) => {
        const pose = { position, orientation: turn, scale };
        const model = withSupports(sceneModel({ pose, hollowed: HOLLOWED, supportPlan: PLAN }));
        const plane = { axis, atMm };
        const image = mirroredModel(model, plane, imageOf);
        assertMirrored(model, image, axis, atMm);
        assert.deepEqual(
          image.hollowed?.holes.map(({ position: [x, y, z] }) => [0 - x, y, z]),
          HOLLOWED.holes.map(({ position: place }) => [...place]),
        );
        const [point] = PLAN.points;
        assert.deepEqual(image.supportPlan?.points, [{ ...point, position: [-1, 2, 3], normal: [-0.6, 0, -0.8] }]);
        assert.deepEqual(image.supportPlan?.areas, [
          { mode: "NEVER", shape: { kind: "BALL", centre: [-4, 5, 6], normal: [-1, 0, 0], radius: 7 } },
        ]);
        assert.equal(image.lostSupports, axis === 2 ? "TURNED" : undefined);
        if (axis === 2) assert.equal(image.supports, undefined);
        else {
          assert.ok(model.supports && image.supports);
          assertMirrored(model.supports, image.supports, axis, atMm);
          assert.deepEqual([image.supports.pose.orientation.x, image.supports.pose.orientation.y], [0, 0]);
          image.supports.touchpoints.forEach((touchpoint, i) => {
            const source = model.supports!.touchpoints[i];
            for (const key of ["position", "normal"] as const) {
              const [x, y, z] = source[key];
              assert.deepEqual(
                touchpoint[key].map((value) => value + 0),
                [0 - x, y, z],
              );
            }
          });
        }
        const twice = mirroredModel(image, plane, imageOf);
        assert.equal(twice.mesh.hash, model.mesh.hash);
        twice.pose.position.forEach((value, i) => assert.ok(Math.abs(value - position[i]) < 1e-9));
        assert.equal(twice.pose.scale, scale);
      },
    ),
    { numRuns: 60 },
  );
});

const boxesOf = async (scene_id: string) => (await models(scene_id)).map(({ bounding_box }) => bounding_box);
const rounded = (mm: number): number => Math.round(1e3 * mm) / 1e3;

test("about SELECTION the models change sides, about EACH they stay, about a number they go across it", async () => {
  const scene_id = await newScene(POWDER);
  for (const x of [-30, 10]) {
    const id = await importShape(scene_id, WEDGE);
    await ask("translate", { scene_id, model_ids: [id], position: { x, y: 0, z: 60 } });
  }
  const [a, b] = (await boxesOf(scene_id)).map(({ min_corner, max_corner }) => [min_corner.x, max_corner.x]);
  const expected = { SELECTION: [b, a], EACH: [a, b], 5: [a, b].map(([low, high]) => [10 - high, 10 - low]) };
  for (const about of ["SELECTION", "EACH", 5] as const) {
    for (const times of [1, 2]) {
      await ask("mirror", { scene_id, axis: "X", about });
      const found = (await boxesOf(scene_id)).map(({ min_corner, max_corner }) => [min_corner.x, max_corner.x]);
      assert.deepEqual(
        found.map((range) => range.map(rounded)),
        times === 1 ? expected[about] : [a, b],
        `${about}`,
      );
    }
  }
});

test("mirrored twice across any axis, models have the same hash and place to 1 µm; the first time they have another shape", async () => {
  for (const combination of [undefined, POWDER]) {
    const scene_id = await newScene(combination);
    await importShape(scene_id, WEDGE);
    await ask("orient", { scene_id, orientation: { x: 31, y: -17, z: 71 } });
    await ask("translate", { scene_id, position: { x: 7.123456, y: -3.3, z: 50 } });
    const [before] = await models(scene_id);
    for (const axis of AXES) {
      assert.deepEqual((await ask("mirror", { scene_id, axis })).modified_model_ids, [before.id]);
      const [once] = await models(scene_id);
      assert.notEqual(once.raw_mesh_hash, before.raw_mesh_hash);
      if (combination === undefined) assert.equal(once.bounding_box.min_corner.z, 0);
      await ask("mirror", { scene_id, model_ids: [before.id], axis });
      const [twice] = await models(scene_id);
      assert.equal(twice.raw_mesh_hash, before.raw_mesh_hash);
      for (const key of ["x", "y", "z"])
        assert.ok(Math.abs(twice.position[key] - before.position[key]) <= 1e-3, `${axis} ${key}`);
    }
  }
});

test("X and Y keep supports, which are mirrored along; Z removes them with a warning", async () => {
  const scene_id = await newScene();
  await importShape(scene_id, WEDGE);
  await ask("orient", { scene_id, orientation: { x: 20, y: 30, z: 10 } });
  await ask("auto-support", { scene_id, raft_label_enabled: false, only_minima: true });
  const [before] = scene(scene_id).models;
  for (const axis of ["X", "Y"] as const) {
    const [model] = scene(scene_id).models;
    assert.deepEqual(Object.keys(await ask("mirror", { scene_id, axis })), ["modified_model_ids"]);
    const [image] = scene(scene_id).models;
    assert.ok(model.supports && image.supports);
    const { min, max } = model.outline.box;
    const atMm = model.pose.position[AXES.indexOf(axis)] + (min[AXES.indexOf(axis)] + max[AXES.indexOf(axis)]) / 2;
    assertMirrored(model.supports, image.supports, AXES.indexOf(axis), atMm);
    await ask("mirror", { scene_id, axis });
    const [twice] = scene(scene_id).models;
    assert.equal(twice.supports?.mesh.hash, before.supports?.mesh.hash);
  }
  const { warnings } = await ask("mirror", { scene_id, axis: "Z" });
  assert.equal(warnings.length, 1);
  assert.match(warnings[0], /^The supports of .* were removed/);
  assert.equal((await models(scene_id))[0].has_supports, false);
  assert.equal((await models(scene_id))[0].bounding_box.min_corner.z, 0);
});

longTest("supports whose raft has a label are built anew from the mirrored touchpoints", async () => {
  const scene_id = await newScene();
  await importShape(scene_id, WEDGE, { name: "F" });
  await ask("orient", { scene_id, orientation: { x: 20, y: 30, z: 10 } });
  await ask("auto-support", { scene_id, raft_label_enabled: true, raft_type: "FULL_RAFT" });
  const [before] = scene(scene_id).models;
  await ask("mirror", { scene_id, axis: "X" });
  const [after] = scene(scene_id).models;
  assert.ok(before.supports && after.supports);
  assert.notEqual(after.supports.mesh.hash, imageOf(before.supports.mesh).hash);
  assert.deepEqual(
    after.supports.touchpoints.map(({ position: [x, y, z] }) => [-x, y, z].map(rounded)),
    before.supports.touchpoints.map(({ position }) => position.map(rounded)),
  );
});

longTest("a cage is mirrored as one, also about EACH", async () => {
  const scene_id = await newScene(POWDER);
  await importShape(scene_id, WEDGE);
  await ask("cage", { scene_id });
  const before = scene(scene_id);
  await ask("mirror", { scene_id, model_ids: [before.cages[0].id], axis: "Y", about: "EACH" });
  const after = scene(scene_id);
  const lattice = before.models.find(({ id }) => id === before.cages[0].latticeId)!;
  const atMm = lattice.pose.position[1] + (lattice.outline.box.min[1] + lattice.outline.box.max[1]) / 2;
  for (const model of before.models) {
    assertMirrored(
      model,
      after.models.find(({ id }) => id === model.id)!,
      1,
      atMm,
    );
  }
  assert.deepEqual(after.cages, before.cages);
});

test("an axis that is none, a plane that is none, a model that is none and a place out of range are refused", async () => {
  const scene_id = await newScene();
  await importShape(scene_id, WEDGE);
  for (const wrong of [{}, { axis: "x" }, { axis: 0 }, { axis: "X", about: "ALL" }, { axis: "X", about: 2e6 }])
    await refused(PATH, { scene_id, ...wrong }, "JSON_SCHEMA_MATCH_ERROR", /axis|about/);
  await refused(PATH, { scene_id, axis: "X", model_ids: [UNKNOWN_ID] }, "NOT_FOUND");
  await refused(PATH, { scene_id, axis: "X", about: 9e5 }, "INPUT_ERROR", /would reach beyond/);
  assert.deepEqual(await ask("mirror", { scene_id: await newScene(), axis: "X" }), { modified_model_ids: [] });
});
