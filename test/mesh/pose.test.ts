import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { cross, dot, length, type Mat3, subtract, type Vec3 } from "../../src/core/geometry.ts";
import { type EulerDeg, fromMatrix, HOME, normalise, toMatrix, turn, UPRIGHT } from "../../src/mesh/pose.ts";
import { turned } from "../fixture/turned.ts";

const angle = fc.double({ min: -720, max: 720, noNaN: true });
const anyEuler: fc.Arbitrary<EulerDeg> = fc.record({ x: angle, y: angle, z: angle });
const rightAngle = fc.integer({ min: -8, max: 8 }).map((quarter) => 90 * quarter);
const rightEuler: fc.Arbitrary<EulerDeg> = fc.record({ x: rightAngle, y: rightAngle, z: rightAngle });
/** So near to gimbal lock that y and z cannot be told apart in double precision. */
const locked: fc.Arbitrary<EulerDeg> = fc.record({ x: fc.constantFrom(90, -90, 270, -450), y: angle, z: angle });
const coordinate = fc.double({ min: -10, max: 10, noNaN: true });
const point: fc.Arbitrary<Vec3> = fc.tuple(coordinate, coordinate, coordinate);

const rows = (m: Mat3): [Vec3, Vec3, Vec3] => [[m[0], m[1], m[2]], [m[3], m[4], m[5]], [m[6], m[7], m[8]]];

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

test("home is the origin, upright, at the scale of the file", () => {
  assert.deepEqual(HOME, { position: [0, 0, 0], orientation: { x: 0, y: 0, z: 0 }, scale: 1 });
  assert.deepEqual(turn(toMatrix(UPRIGHT), [1, 2, 3]), [1, 2, 3]);
});

test("angles turn about z first, then x, then y", () => {
  fc.assert(fc.property(anyEuler, point, (euler, p) => {
    const off = length(subtract(turn(toMatrix(euler), p), turned(p, euler)));
    assert.ok(off < 1e-12 * (1 + length(p)), `off by ${off}`);
  }));
  assert.deepEqual(turn(toMatrix({ x: 0, y: 0, z: 90 }), [1, 0, 0]), [0, 1, 0]);
  assert.deepEqual(turn(toMatrix({ x: 90, y: 0, z: 0 }), [0, 1, 0]), [0, 0, 1]);
  assert.deepEqual(turn(toMatrix({ x: 0, y: 90, z: 0 }), [0, 0, 1]), [1, 0, 0]);
  assert.deepEqual(turn(toMatrix({ x: 90, y: 0, z: 90 }), [1, 0, 0]), [0, 0, 1]);
});

test("the matrix of angles is a rotation: orthonormal and right-handed", () => {
  fc.assert(fc.property(fc.oneof(anyEuler, rightEuler, locked), (euler) => {
    const [a, b, c] = rows(toMatrix(euler));
    for (const [p, q, expected] of [[a, a, 1], [b, b, 1], [c, c, 1], [a, b, 0], [b, c, 0], [c, a, 0]] as const) {
      assert.ok(Math.abs(dot(p, q) - expected) < 1e-14);
    }
    assert.ok(Math.abs(dot(cross(a, b), c) - 1) < 1e-14);
  }));
});

test("multiples of 90° turn exactly", () => {
  fc.assert(fc.property(rightEuler, point, (euler, p) => {
    const entries = toMatrix(euler);
    for (const entry of entries) assert.ok([-1, 0, 1].includes(entry), `${entry}`);
    const magnitudes = (v: Vec3): number[] => v.map(Math.abs).sort((a, b) => a - b);
    assert.deepEqual(magnitudes(turn(entries, p)), magnitudes(p));
  }));
});

test("multiples of 90° read back as multiples of 90°, exactly", () => {
  fc.assert(fc.property(rightEuler, (euler) => {
    const back = fromMatrix(toMatrix(euler));
    for (const value of [back.x, back.y, back.z]) assert.equal((value % 90) + 0, 0, JSON.stringify(back));
    assertSame(toMatrix(back), toMatrix(euler), 0);
  }));
});

test("the angles of a rotation's matrix make the same rotation", () => {
  fc.assert(fc.property(fc.oneof(anyEuler, rightEuler), (euler) => {
    const matrix = toMatrix(euler);
    const back = fromMatrix(matrix);
    assertInRange(back);
    // Within 1e-12 of gimbal lock the angles are rounded to it, which moves points by up to √2e-12 of their distance.
    assertSame(toMatrix(back), matrix, 2e-6);
  }));
});

test("angles within their ranges read back as they were", () => {
  const tilt = fc.double({ min: -89.9, max: 89.9, noNaN: true });
  const half = fc.double({ min: -179.999, max: 180, noNaN: true });
  fc.assert(fc.property(fc.record({ x: tilt, y: half, z: half }), (euler) => {
    const back = fromMatrix(toMatrix(euler));
    for (const axis of ["x", "y", "z"] as const) {
      assert.ok(Math.abs(back[axis] - euler[axis]) < 1e-9, `${axis}: ${back[axis]} is not ${euler[axis]}`);
    }
  }));
});

test("a half turn reads back as +180, never −180", () => {
  for (const euler of [{ x: 0, y: 180, z: 0 }, { x: 0, y: -180, z: 0 }]) {
    assert.deepEqual(fromMatrix(toMatrix(euler)), { x: 0, y: 180, z: 0 });
  }
  for (const z of [180, -180, 540]) assert.deepEqual(fromMatrix(toMatrix({ x: 0, y: 0, z })), { x: 0, y: 0, z: 180 });
  assert.equal(fromMatrix([-1, -0, 0, -0, -1, 0, 0, 0, 1]).z, 180);
  assert.equal(fromMatrix([-1, 0, -0, 0, 1, 0, -0, 0, -1]).y, 180);
});

test("no angle reads back as −0", () => {
  for (const zero of [0, -0]) {
    assertInRange(fromMatrix([1, zero, zero, zero, 1, zero, zero, zero, 1]));
  }
});

test("in gimbal lock y reads back as 0, x as ±90 exactly, and the rotation is the same", () => {
  fc.assert(fc.property(locked, (euler) => {
    const back = fromMatrix(toMatrix(euler));
    assertInRange(back);
    assert.equal(back.y, 0);
    assert.equal(Math.abs(back.x), 90);
    assertSame(toMatrix(back), toMatrix(euler), 1e-14);
  }));
});

test("a matrix that rounding left a little beyond a rotation still has angles", () => {
  const back = fromMatrix([1, 0, 0, 0, 0, -(1 + 1e-15), 0, 1, 0]);
  assert.deepEqual(back, { x: 90, y: 0, z: 0 });
});

test("normalised angles are in their ranges and make the same rotation", () => {
  fc.assert(fc.property(fc.oneof(anyEuler, rightEuler, locked), (euler) => {
    const normal = normalise(euler);
    assertInRange(normal);
    if (Math.abs(normal.x) === 90) assert.equal(normal.y, 0);
    assertSame(toMatrix(normal), toMatrix(euler), 2e-6);
    assert.deepEqual(normalise(normal), normal);
  }));
});

test("angles that are normal already are kept to the bit, −0 becoming 0", () => {
  const kept: EulerDeg[] = [
    { x: 0.1, y: 0.2, z: 0.3 },
    { x: 90, y: 0, z: 12.3 },
    { x: -90, y: 0, z: 180 },
    { x: 89.99999999999999, y: 179.99999999999997, z: -179.99999999999997 },
    { x: 5e-324, y: 180, z: 180 },
  ];
  for (const euler of kept) assert.deepEqual(normalise(euler), euler);
  assert.deepEqual(normalise({ x: -0, y: -0, z: -0 }), UPRIGHT);
});

test("angles outside their ranges are brought into them", () => {
  const cases: [EulerDeg, EulerDeg][] = [
    [{ x: 0, y: 0, z: 360 }, UPRIGHT],
    [{ x: 0, y: 0, z: 450 }, { x: 0, y: 0, z: 90 }],
    [{ x: 0, y: -180, z: 0 }, { x: 0, y: 180, z: 0 }],
    [{ x: 180, y: 0, z: 0 }, { x: 0, y: 180, z: 180 }],
    [{ x: 90, y: 90, z: 0 }, { x: 90, y: 0, z: -90 }],
    [{ x: -90, y: 90, z: 0 }, { x: -90, y: 0, z: 90 }],
  ];
  for (const [euler, expected] of cases) assert.deepEqual(normalise(euler), expected, JSON.stringify(euler));
});
