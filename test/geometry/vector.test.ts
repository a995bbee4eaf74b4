import assert from "node:assert/strict";
import { test } from "node:test";
import { fc } from "../fixture/property.ts";
import { type Box, boxCentre, boxSize, placeBox } from "../../src/geometry/box.ts";
import {
  type Vec3,
  add,
  cross,
  dot,
  length,
  mapMat3,
  mapVec3,
  subtract,
  times,
  withCoordinate,
} from "../../src/geometry/vector.ts";

const small = fc.integer({ min: -1000, max: 1000 });
const vector: fc.Arbitrary<Vec3> = fc.tuple(small, small, small);
const someBox: fc.Arbitrary<Box> = fc.tuple(vector, vector).map(([a, b]) => ({
  min: [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.min(a[2], b[2])],
  max: [Math.max(a[0], b[0]), Math.max(a[1], b[1]), Math.max(a[2], b[2])],
}));

/** Values without −0, which `deepEqual` distinguishes from 0. */
const plain = (v: Vec3): number[] => v.map((value) => value + 0);

test("vectors add, subtract and scale by their coordinates", () => {
  fc.assert(
    fc.property(vector, vector, small, (a, b, s) => {
      assert.deepEqual(
        plain(add(a, b)),
        [a[0] + b[0], a[1] + b[1], a[2] + b[2]].map((value) => value + 0),
      );
      assert.deepEqual(plain(subtract(add(a, b), b)), plain(a));
      assert.deepEqual(
        plain(times(a, s)),
        [s * a[0], s * a[1], s * a[2]].map((value) => value + 0),
      );
    }),
  );
});

test("the cross product is perpendicular to both, right-handed, and as long as the area of the parallelogram", () => {
  assert.deepEqual(plain(cross([1, 0, 0], [0, 1, 0])), [0, 0, 1]);
  assert.deepEqual(plain(cross([0, 1, 0], [0, 0, 1])), [1, 0, 0]);
  assert.deepEqual(plain(cross([0, 0, 1], [1, 0, 0])), [0, 1, 0]);
  fc.assert(
    fc.property(vector, vector, (a, b) => {
      const c = cross(a, b);
      assert.deepEqual([dot(a, c) + 0, dot(b, c) + 0], [0, 0]);
      assert.equal(dot(c, c), dot(a, a) * dot(b, b) - dot(a, b) ** 2);
    }),
  );
});

test("the length does not overflow or underflow if its square would", () => {
  assert.equal(length([3, -4, 12]), 13);
  for (const unit of [1e200, 1e-200]) {
    const relative = length([0, 3 * unit, -4 * unit]) / (5 * unit);
    assert.ok(Math.abs(relative - 1) < 1e-14, `${relative}`);
  }
});

test("a box spans its size about its centre", () => {
  fc.assert(
    fc.property(someBox, (box) => {
      const half = times(boxSize(box), 0.5);
      assert.deepEqual(plain(subtract(boxCentre(box), half)), plain(box.min));
      assert.deepEqual(plain(add(boxCentre(box), half)), plain(box.max));
    }),
  );
});

test("a box is placed by scaling about the origin, then moving", () => {
  const placed = placeBox({ min: [-1, 0, 2], max: [1, 4, 3] }, 2, [10, 20, 30]);
  assert.deepEqual(placed, { min: [8, 20, 34], max: [12, 28, 36] });
});

test("maps of vectors and matrices keep order and length", () => {
  assert.deepEqual(
    mapVec3([1, 2, 3], (value, axis) => 10 * value + axis),
    [10, 21, 32],
  );
  assert.deepEqual(
    mapMat3([1, 2, 3, 4, 5, 6, 7, 8, 9], (value) => -value),
    [-1, -2, -3, -4, -5, -6, -7, -8, -9],
  );
  assert.deepEqual(
    [0, 1, 2].map((axis) => withCoordinate([1, 2, 3], axis, 0)),
    [
      [0, 2, 3],
      [1, 0, 3],
      [1, 2, 0],
    ],
  );
});
