import assert from "node:assert/strict";
import { test } from "node:test";
import { fc } from "../fixture/property.ts";
import {
  type EulerDeg,
  IDENTITY_POSE,
  UPRIGHT,
  directionToModelSpace,
  eulerAngles,
  normaliseAngles,
  rotateVector,
  rotationMatrix,
  toModelSpace,
  toSceneSpace,
} from "../../src/geometry/pose.ts";
import { type Mat3, type Vec3, cross, dot, length, subtract } from "../../src/geometry/vector.ts";
import { rotated } from "../fixture/rotated.ts";

const angle = fc.double({ min: -720, max: 720, noNaN: true });
const anyEuler: fc.Arbitrary<EulerDeg> = fc.record({ x: angle, y: angle, z: angle });
const rightAngle = fc.integer({ min: -8, max: 8 }).map((quarter) => 90 * quarter);
const rightEuler: fc.Arbitrary<EulerDeg> = fc.record({ x: rightAngle, y: rightAngle, z: rightAngle });
/** So close to gimbal lock that y and z cannot be distinguished in double precision. */
const locked: fc.Arbitrary<EulerDeg> = fc.record({ x: fc.constantFrom(90, -90, 270, -450), y: angle, z: angle });
const coordinate = fc.double({ min: -10, max: 10, noNaN: true });
const point: fc.Arbitrary<Vec3> = fc.tuple(coordinate, coordinate, coordinate);

const rows = (m: Mat3): [Vec3, Vec3, Vec3] => [
  [m[0], m[1], m[2]],
  [m[3], m[4], m[5]],
  [m[6], m[7], m[8]],
];

function assertSame(actual: Mat3, expected: Mat3, tolerance: number): void {
  const off = Math.max(...actual.map((value, i) => Math.abs(value - expected[i])));
  assert.ok(off <= tolerance, `off by ${off}: ${actual} is not ${expected}`);
}

function assertInRange({ x, y, z }: EulerDeg): void {
  assert.ok(x >= -90 && x <= 90, `x ${x}`);
  assert.ok(y > -180 && y <= 180, `y ${y}`);
  assert.ok(z > -180 && z <= 180, `z ${z}`);
  for (const value of [x, y, z]) assert.ok(!Object.is(value, -0));
}

test("the identity pose is at the origin, upright, at scale 1", () => {
  assert.deepEqual(IDENTITY_POSE, { position: [0, 0, 0], orientation: { x: 0, y: 0, z: 0 }, scale: 1 });
  assert.deepEqual(rotateVector(rotationMatrix(UPRIGHT), [1, 2, 3]), [1, 2, 3]);
});

test("angles rotate about z first, then x, then y", () => {
  fc.assert(
    fc.property(anyEuler, point, (euler, p) => {
      const off = length(subtract(rotateVector(rotationMatrix(euler), p), rotated(p, euler)));
      assert.ok(off < 1e-12 * (1 + length(p)), `off by ${off}`);
    }),
  );
  assert.deepEqual(rotateVector(rotationMatrix({ x: 0, y: 0, z: 90 }), [1, 0, 0]), [0, 1, 0]);
  assert.deepEqual(rotateVector(rotationMatrix({ x: 90, y: 0, z: 0 }), [0, 1, 0]), [0, 0, 1]);
  assert.deepEqual(rotateVector(rotationMatrix({ x: 0, y: 90, z: 0 }), [0, 0, 1]), [1, 0, 0]);
  assert.deepEqual(rotateVector(rotationMatrix({ x: 90, y: 0, z: 90 }), [1, 0, 0]), [0, 0, 1]);
});

test("the matrix of angles is a rotation: orthonormal and right-handed", () => {
  fc.assert(
    fc.property(fc.oneof(anyEuler, rightEuler, locked), (euler) => {
      const [a, b, c] = rows(rotationMatrix(euler));
      for (const [p, q, expected] of [
        [a, a, 1],
        [b, b, 1],
        [c, c, 1],
        [a, b, 0],
        [b, c, 0],
        [c, a, 0],
      ] as const) {
        assert.ok(Math.abs(dot(p, q) - expected) < 1e-14);
      }
      assert.ok(Math.abs(dot(cross(a, b), c) - 1) < 1e-14);
    }),
  );
});

test("rotations by multiples of 90° are exact", () => {
  fc.assert(
    fc.property(rightEuler, point, (euler, p) => {
      const entries = rotationMatrix(euler);
      for (const entry of entries) assert.ok([-1, 0, 1].includes(entry), `${entry}`);
      const magnitudes = (v: Vec3): number[] => v.map(Math.abs).sort((a, b) => a - b);
      assert.deepEqual(magnitudes(rotateVector(entries, p)), magnitudes(p));
    }),
  );
});

test("multiples of 90° are recovered exactly", () => {
  fc.assert(
    fc.property(rightEuler, (euler) => {
      const back = eulerAngles(rotationMatrix(euler));
      for (const value of [back.x, back.y, back.z]) assert.equal((value % 90) + 0, 0, JSON.stringify(back));
      assertSame(rotationMatrix(back), rotationMatrix(euler), 0);
    }),
  );
});

test("the angles of a rotation matrix give the same rotation", () => {
  fc.assert(
    fc.property(fc.oneof(anyEuler, rightEuler), (euler) => {
      const matrix = rotationMatrix(euler);
      const back = eulerAngles(matrix);
      assertInRange(back);
      // Within 1e-12 of gimbal lock the angles are rounded to it, which moves points by up to √2e-12 of their distance.
      assertSame(rotationMatrix(back), matrix, 2e-6);
    }),
  );
});

test("angles within their ranges are recovered", () => {
  const tilt = fc.double({ min: -89.9, max: 89.9, noNaN: true });
  const half = fc.double({ min: -179.999, max: 180, noNaN: true });
  fc.assert(
    fc.property(fc.record({ x: tilt, y: half, z: half }), (euler) => {
      const back = eulerAngles(rotationMatrix(euler));
      for (const axis of ["x", "y", "z"] as const) {
        assert.ok(Math.abs(back[axis] - euler[axis]) < 1e-9, `${axis}: ${back[axis]} is not ${euler[axis]}`);
      }
    }),
  );
});

test("a half turn is +180, never −180", () => {
  for (const euler of [
    { x: 0, y: 180, z: 0 },
    { x: 0, y: -180, z: 0 },
  ]) {
    assert.deepEqual(eulerAngles(rotationMatrix(euler)), { x: 0, y: 180, z: 0 });
  }
  for (const z of [180, -180, 540])
    assert.deepEqual(eulerAngles(rotationMatrix({ x: 0, y: 0, z })), { x: 0, y: 0, z: 180 });
  assert.equal(eulerAngles([-1, -0, 0, -0, -1, 0, 0, 0, 1]).z, 180);
  assert.equal(eulerAngles([-1, 0, -0, 0, 1, 0, -0, 0, -1]).y, 180);
});

test("no angle is −0", () => {
  for (const zero of [0, -0]) {
    assertInRange(eulerAngles([1, zero, zero, zero, 1, zero, zero, zero, 1]));
  }
});

test("in gimbal lock y is 0, x is ±90 exactly, and the rotation is the same", () => {
  fc.assert(
    fc.property(locked, (euler) => {
      const back = eulerAngles(rotationMatrix(euler));
      assertInRange(back);
      assert.equal(back.y, 0);
      assert.equal(Math.abs(back.x), 90);
      assertSame(rotationMatrix(back), rotationMatrix(euler), 1e-14);
    }),
  );
});

test("a matrix that differs from a rotation by rounding errors has angles", () => {
  const back = eulerAngles([1, 0, 0, 0, 0, -(1 + 1e-15), 0, 1, 0]);
  assert.deepEqual(back, { x: 90, y: 0, z: 0 });
});

test("normalised angles are in their ranges and give the same rotation", () => {
  fc.assert(
    fc.property(fc.oneof(anyEuler, rightEuler, locked), (euler) => {
      const normal = normaliseAngles(euler);
      assertInRange(normal);
      if (Math.abs(normal.x) === 90) assert.equal(normal.y, 0);
      assertSame(rotationMatrix(normal), rotationMatrix(euler), 2e-6);
      assert.deepEqual(normaliseAngles(normal), normal);
    }),
  );
});

test("normalised angles are not changed, except −0 to 0", () => {
  const kept: EulerDeg[] = [
    { x: 0.1, y: 0.2, z: 0.3 },
    { x: 90, y: 0, z: 12.3 },
    { x: -90, y: 0, z: 180 },
    { x: 89.99999999999999, y: 179.99999999999997, z: -179.99999999999997 },
    { x: 5e-324, y: 180, z: 180 },
  ];
  for (const euler of kept) assert.deepEqual(normaliseAngles(euler), euler);
  assert.deepEqual(normaliseAngles({ x: -0, y: -0, z: -0 }), UPRIGHT);
});

test("angles outside of their ranges are normalised", () => {
  const cases: [EulerDeg, EulerDeg][] = [
    [{ x: 0, y: 0, z: 360 }, UPRIGHT],
    [
      { x: 0, y: 0, z: 450 },
      { x: 0, y: 0, z: 90 },
    ],
    [
      { x: 0, y: -180, z: 0 },
      { x: 0, y: 180, z: 0 },
    ],
    [
      { x: 180, y: 0, z: 0 },
      { x: 0, y: 180, z: 180 },
    ],
    [
      { x: 90, y: 90, z: 0 },
      { x: 90, y: 0, z: -90 },
    ],
    [
      { x: -90, y: 90, z: 0 },
      { x: -90, y: 0, z: 90 },
    ],
  ];
  for (const [euler, expected] of cases) assert.deepEqual(normaliseAngles(euler), expected, JSON.stringify(euler));
});

const close = (a: Vec3, b: Vec3, by: number): void => a.forEach((value, i) => assert.ok(Math.abs(value - b[i]) <= by));

test("scene coordinates are position + Ry·Rx·Rz·(scale · (point − origin))", () => {
  const mesh = { box: { min: [0, 0, 0], max: [2, 4, 6] } } as const;
  // z by 90° carries (1, 0, 0) to (0, 1, 0), then x by 90° to (0, 0, 1), then y by 90° to (1, 0, 0).
  const pose = { position: [10, 20, 30], orientation: { x: 90, y: 90, z: 90 }, scale: 2 } as const;
  close(toSceneSpace({ mesh, pose }, [2, 2, 3]), [12, 20, 30], 1e-12);
  close(toModelSpace({ mesh, pose }, [12, 20, 30]), [2, 2, 3], 1e-12);
  close(directionToModelSpace(pose, [3, 0, 0]), [1, 0, 0], 1e-7);
});

test("conversions to scene coordinates and back are inverse, also for directions", () => {
  const angle = fc.double({ min: -180, max: 180, noNaN: true });
  const coordinate = fc.double({ min: -100, max: 100, noNaN: true });
  const point: fc.Arbitrary<Vec3> = fc.tuple(coordinate, coordinate, coordinate);
  fc.assert(
    fc.property(
      point,
      point,
      point,
      fc.record({ x: angle, y: angle, z: angle }),
      (corner, position, p, orientation) => {
        const mesh = { box: { min: corner, max: [corner[0] + 5, corner[1] + 6, corner[2] + 7] } } as const;
        const standing = { mesh, pose: { position, orientation, scale: 0.3 } };
        close(toModelSpace(standing, toSceneSpace(standing, p)), p, 1e-9);
        const on = directionToModelSpace(standing.pose, [0, 0.6, -0.8]);
        const end = toSceneSpace(standing, [p[0] + on[0] / 0.3, p[1] + on[1] / 0.3, p[2] + on[2] / 0.3]);
        const from = toSceneSpace(standing, p);
        close([end[0] - from[0], end[1] - from[1], end[2] - from[2]], [0, 0.6, -0.8], 1e-6);
      },
    ),
  );
});
