import assert from "node:assert/strict";
import { test } from "node:test";
import { boxCentre } from "../../src/geometry/box.ts";
import { type Pose, eulerAngles, rotateVector, rotationMatrix } from "../../src/geometry/pose.ts";
import type { Vec3 } from "../../src/geometry/vector.ts";
import { placeModel, sceneBox } from "../../src/scene/placement.ts";
import { withPose } from "../../src/scene/pose.ts";
import type { Model, PlacedBody } from "../../src/scene/project.ts";
import { SUPPORTS } from "../fixture/form-project.ts";
import { fc } from "../fixture/property.ts";
import { RESIN_SETTING, sceneModel, withSupports } from "../fixture/some-scene.ts";

const angle = fc.double({ min: -180, max: 180, noNaN: true });
const orientation = fc.record({ x: fc.double({ min: -89, max: 89, noNaN: true }), y: angle, z: angle });
const coordinate = fc.double({ min: -300, max: 300, noNaN: true });
const place: fc.Arbitrary<Vec3> = fc.tuple(coordinate, coordinate, coordinate);

const worldPoint = ({ mesh, pose }: PlacedBody, [x, y, z]: Vec3): Vec3 => {
  const [ox, oy, oz] = boxCentre(mesh.box);
  const turned = rotateVector(rotationMatrix(pose.orientation), [x - ox, y - oy, z - oz]);
  return turned.map((coordinate, axis) => coordinate * pose.scale + pose.position[axis]) as unknown as Vec3;
};

const distance = (a: Vec3, b: Vec3): number => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

/** Distances between some points of a model and some of its supports, which stay the same if both move together. */
const spread = (model: Model): number[] =>
  (
    [
      [0, 0, 0],
      [9, 0, 0],
      [0, 8, 0],
      [0, 0, 7],
    ] as Vec3[]
  ).flatMap((p) =>
    (
      [
        [1, 1, 0],
        [5, 0, 5],
      ] as Vec3[]
    ).map((q) => distance(worldPoint(model, p), worldPoint(model.supports!, q))),
  );

test("the supports follow moves and turns about z as one body", () => {
  fc.assert(
    fc.property(orientation, place, place, angle, (tilt, from, to, degrees) => {
      const model = withSupports(sceneModel({ pose: { position: from, orientation: tilt, scale: 1.5 } }));
      const [sin, cos] = [Math.sin((degrees * Math.PI) / 180), Math.cos((degrees * Math.PI) / 180)];
      const [a, b, c, d, e, f, ...up] = rotationMatrix(tilt);
      const turned = eulerAngles([
        cos * a - sin * d,
        cos * b - sin * e,
        cos * c - sin * f,
        sin * a + cos * d,
        sin * b + cos * e,
        sin * c + cos * f,
        ...up,
      ]);
      const next = withPose(model, { position: to, orientation: turned, scale: 1.5 });
      assert.ok(next.supports, "kept");
      for (const [i, kept] of spread(next).entries()) assert.ok(Math.abs(kept - spread(model)[i]) < 1e-6);
    }),
  );
});

test("a translation keeps the exact orientation of the supports", () => {
  const model = withSupports(sceneModel());
  const next = withPose(model, { ...model.pose, position: [1, 2, 3] });
  assert.deepEqual(next.supports?.pose.orientation, model.supports!.pose.orientation);
});

test("scaling and any other turn remove the supports", () => {
  const model = withSupports(sceneModel());
  const { pose } = model;
  const others: Pose[] = [
    { ...pose, scale: 2 },
    { ...pose, orientation: { ...pose.orientation, x: pose.orientation.x + 0.1 } },
    { ...pose, orientation: { x: 0, y: 180, z: 0 } },
  ];
  for (const other of others) assert.equal(withPose(model, other).supports, undefined);
});

test("a model remembers what removed its supports first", () => {
  const model = withSupports(sceneModel());
  const { pose } = model;
  const turned = withPose(model, { ...pose, orientation: { x: 0, y: 180, z: 0 } });
  assert.equal(turned.lostSupports, "TURNED");
  assert.equal(withPose(turned, pose).lostSupports, "TURNED");
  assert.equal(withPose(turned, { ...pose, scale: 3 }).lostSupports, "TURNED");
  assert.equal(withPose(model, { ...pose, scale: 3 }).lostSupports, "SCALED");
  assert.equal(withPose(model, { ...pose, position: [1, 2, 3] }).lostSupports, undefined);
  assert.equal(withPose(sceneModel(), { ...pose, scale: 3 }).lostSupports, undefined, "it had none");
});

test("supports are on the platform and keep their model above it, and both count in the box of the model", () => {
  const model = withSupports(
    sceneModel({ pose: { position: [0, 0, 40], orientation: { x: 0, y: 0, z: 0 }, scale: 1 } }),
  );
  const standing = placeModel(model, RESIN_SETTING);
  const { min, max } = sceneBox(standing);
  assert.equal(min[2], 0);
  assert.ok(max[2] > sceneBox({ ...standing, supports: undefined }).max[2] - 1e-9);
  for (const [i, kept] of spread(standing).entries()) assert.ok(Math.abs(kept - spread(model)[i]) < 1e-9);
  assert.equal(SUPPORTS.mesh, standing.supports!.mesh);
});
