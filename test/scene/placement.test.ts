import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "../../src/core/api-error.ts";
import { type EulerDeg, type Pose, rotateVector, rotationMatrix } from "../../src/geometry/pose.ts";
import type { Vec3 } from "../../src/geometry/vector.ts";
import {
  isInBounds,
  placeModel,
  placeNewModel,
  requireCoordinateRange,
  sceneBox,
  snapsToPlatform,
} from "../../src/scene/placement.ts";
import type { Model } from "../../src/scene/project.ts";
import { fc } from "../fixture/property.ts";
import { POWDER_SETTING, RESIN_SETTING, sceneModel } from "../fixture/some-scene.ts";

// Interface supplement, section 4. The models' mesh is a box of 10 × 20 × 30 mm.

const HALF: Vec3 = [5, 10, 15];
const UP: EulerDeg = { x: 0, y: 0, z: 0 };
const at = (position: Vec3, changes: Partial<Pose> = {}): Model =>
  sceneModel({ pose: { position, orientation: UP, scale: 1, ...changes } });

const angle = fc.double({ min: -180, max: 180, noNaN: true });
const place = fc.double({ min: -400, max: 400, noNaN: true });
const somePose = fc.record({
  position: fc.tuple(place, place, place),
  orientation: fc.record({ x: angle, y: angle, z: angle }),
  scale: fc.double({ min: 0.1, max: 2, noNaN: true }),
});
const someModel = somePose.map((pose) => sceneModel({ pose: { ...pose } }));

test("a model's box is that of its turned, scaled and placed corners", () => {
  fc.assert(
    fc.property(someModel, (model) => {
      const { position, orientation, scale } = model.pose;
      const corners = Array.from({ length: 8 }, (_, i): Vec3 =>
        rotateVector(rotationMatrix(orientation), [
          (i & 1 ? 1 : -1) * HALF[0],
          (i & 2 ? 1 : -1) * HALF[1],
          (i & 4 ? 1 : -1) * HALF[2],
        ]),
      );
      const { min, max } = sceneBox(model);
      for (const axis of [0, 1, 2]) {
        const places = corners.map((corner) => position[axis] + scale * corner[axis]);
        assert.ok(Math.abs(min[axis] - Math.min(...places)) < 1e-9);
        assert.ok(Math.abs(max[axis] - Math.max(...places)) < 1e-9);
      }
    }),
  );
});

test("resin models snap to the platform, powder models do not", () => {
  assert.deepEqual([snapsToPlatform(RESIN_SETTING), snapsToPlatform(POWDER_SETTING)], [true, false]);
});

test("in a resin scene the lowest point is at z = 0 exactly; x, y and everything else are kept", () => {
  fc.assert(
    fc.property(someModel, (model) => {
      const standing = placeModel(model, RESIN_SETTING);
      assert.equal(sceneBox(standing).min[2] + 0, 0);
      assert.deepEqual(standing.pose.position.slice(0, 2), model.pose.position.slice(0, 2));
      assert.deepEqual({ ...standing, pose: { ...standing.pose, position: model.pose.position } }, model);
    }),
  );
});

test("in a powder scene a model keeps its place", () => {
  fc.assert(fc.property(someModel, (model) => assert.deepEqual(placeModel(model, POWDER_SETTING), model)));
});

test("a model may reach 1,000,000 mm and not beyond: INPUT_ERROR", () => {
  const isTooFar = (thrown: unknown): boolean => thrown instanceof ApiError && thrown.code === "INPUT_ERROR";
  for (const axis of [0, 1, 2]) {
    for (const sign of [1, -1]) {
      const reaching = (distance: number): Model =>
        at([0, 1, 2].map((one) => (one === axis ? sign * (distance - HALF[axis]) : 0)) as unknown as Vec3);
      requireCoordinateRange(reaching(1e6));
      assert.throws(() => requireCoordinateRange(reaching(1e6 + 0.001)), isTooFar);
      assert.throws(() => placeModel(reaching(1e6 + 0.001), POWDER_SETTING), isTooFar);
    }
  }
  assert.throws(() => placeModel(at([0, 0, 0], { scale: 40_000 }), RESIN_SETTING), isTooFar);
  assert.throws(() => requireCoordinateRange(at([Number.NaN, 0, 0])), isTooFar);
});

test("a model inside the volume keeps its place in a resin scene, except for its height", () => {
  const { position } = placeNewModel(at([12, -7, 500]), RESIN_SETTING).pose;
  assert.deepEqual(position, [12, -7, HALF[2]]);
});

test("a model inside the volume keeps its place in a powder scene", () => {
  const model = at([12, -7, 50]);
  assert.deepEqual(placeNewModel(model, POWDER_SETTING), model);
});

test("a model outside the volume is moved inside, at any pose, if it fits", () => {
  for (const setting of [RESIN_SETTING, POWDER_SETTING]) {
    fc.assert(
      fc.property(someModel, (model) => {
        const entered = placeNewModel(model, setting);
        assert.ok(isInBounds(entered, setting), JSON.stringify(entered.pose));
        if (isInBounds(placeModel(model, setting), setting)) assert.deepEqual(entered, placeModel(model, setting));
      }),
    );
  }
});

test("the move is the smallest: along one axis a model stops at the wall", () => {
  const [width] = POWDER_SETTING.printerType.volume.dimensionsMm;
  const { position } = placeNewModel(at([1000, 0, 50]), POWDER_SETTING).pose;
  assert.ok(Math.abs(position[0] + HALF[0] - width / 2) < 0.002, `${position}`);
  assert.deepEqual(position.slice(1), [0, 50]);
  assert.equal(placeNewModel(at([0, 0, -100]), POWDER_SETTING).pose.position[2], HALF[2]);
});

test("a model that does not fit at all is centred and out of bounds", () => {
  for (const setting of [RESIN_SETTING, POWDER_SETTING]) {
    const entered = placeNewModel(at([3, 4, 5], { scale: 50 }), setting);
    assert.deepEqual(
      entered.pose.position.slice(0, 2).map((coordinate) => coordinate + 0),
      [0, 0],
    );
    assert.equal(isInBounds(entered, setting), false);
  }
});
