import assert from "node:assert/strict";
import { test } from "node:test";
import { interferencePlaces } from "../../src/check/interference-places.ts";
import { meshTree } from "../../src/mesh/bvh/interfere.ts";
import type { FindingPlace } from "../../src/check/finding-place.ts";
import { noProgress } from "../../src/core/progress.ts";
import { rotateVector, rotationMatrix, transpose } from "../../src/geometry/pose.ts";
import { type Vec3, distance, subtract } from "../../src/geometry/vector.ts";
import type { PlacedMesh } from "../../src/mesh/placed-mesh.ts";
import { fc } from "../fixture/property.ts";
import { box, uvSphere } from "../fixture/shapes.ts";
import { meshOf } from "../fixture/slices.ts";
import { moved } from "../fixture/surface-edits.ts";

// The places where two models interfere.

function placesOf(one: PlacedMesh, other: PlacedMesh, offsetMm = 0): FindingPlace[] {
  const trees = new Map([one, other].map(({ mesh }) => [mesh.hash, meshTree(mesh, noProgress)]));
  return interferencePlaces({ one: [one], other: [other], trees, offsetMm }, noProgress);
}

const pointsOf = (places: readonly FindingPlace[]): Vec3[] =>
  places.flatMap(({ point, dots }) => [
    point,
    ...Array.from({ length: dots.length / 3 }, (_, i): Vec3 => [dots[3 * i], dots[3 * i + 1], dots[3 * i + 2]]),
  ]);

const UPRIGHT = { x: 0, y: 0, z: 0 };
const at = (size: Vec3, position: Vec3, orientation = UPRIGHT): PlacedMesh => ({
  mesh: meshOf(box(size)),
  pose: { position, orientation, scale: 1 },
});

/** Distance of a point from a placed box of this size, in mm; negative inside the box. */
function outsideMm(point: Vec3, size: Vec3, { pose }: PlacedMesh): number {
  const own = rotateVector(transpose(rotationMatrix(pose.orientation)), subtract(point, pose.position));
  return Math.max(...own.map((value, axis) => Math.abs(value) - size[axis] / 2));
}

const angle = fc.double({ min: -180, max: 180, noNaN: true });
const turn = fc.record({ x: angle, y: angle, z: angle });
const shift = fc.double({ min: -3, max: 3, noNaN: true });

test("places of overlapping boxes are in both boxes, whatever their poses", () => {
  const [sizeA, sizeB]: [Vec3, Vec3] = [
    [6, 5, 4],
    [3, 8, 7],
  ];
  fc.assert(
    fc.property(turn, turn, shift, shift, shift, (one, other, x, y, z) => {
      const a = at(sizeA, [40, -20, 10], one);
      const b = at(sizeB, [40 + x, y - 20, 10 + z], other);
      const points = pointsOf(placesOf(a, b));
      // If the middle of one box is deep enough in the other one, they interfere and there must be places.
      if (outsideMm(a.pose.position, sizeB, b) < -0.1) assert.ok(points.length > 0);
      for (const point of points) {
        assert.ok(outsideMm(point, sizeA, a) < 0.003, `${point.join(" ")} in the first`);
        assert.ok(outsideMm(point, sizeB, b) < 0.003, `${point.join(" ")} in the second`);
      }
    }),
    { numRuns: 40 },
  );
});

test("balls cross in a circle, which is one place", () => {
  const ball = (x: number, orientation = UPRIGHT): PlacedMesh => ({
    mesh: meshOf(uvSphere(5, 48, 24)),
    pose: { position: [x, 0, 5], orientation, scale: 1 },
  });
  const [place, ...others] = placesOf(ball(-4), ball(4, { x: 20, y: 30, z: 10 }));
  assert.deepEqual(others, []);
  for (const [x, y, z] of pointsOf([place])) {
    assert.ok(Math.abs(x) < 0.1 && Math.abs(Math.hypot(y, z - 5) - 3) < 0.15, `${x} ${y} ${z}`);
  }
  assert.ok(place.radiusMm > 3 && place.radiusMm < 7, "it holds the circle");
});

test("twins, contained, flush and crossing boxes have places in both; two overlaps are two places", () => {
  const cases: [string, Vec3, Vec3, Vec3][] = [
    ["a twin", [2, 2, 2], [2, 2, 2], [0, 0, 0]],
    ["inside", [2, 2, 2], [1, 1, 1], [0, 0, 0]],
    ["around it", [1, 1, 1], [2, 2, 2], [0, 0, 0]],
    ["inside on its floor", [2, 2, 2], [1, 1, 1], [0, 0, -0.5]],
    ["a bar through it, flush", [2, 2, 2], [6, 2, 1], [0, 0, 0]],
    ["a slab as thick", [2, 2, 2], [6, 6, 2], [0, 0, 0]],
    ["in each other along one axis", [2, 2, 2], [2, 2, 2], [1, 0, 0]],
  ];
  for (const [what, sizeA, sizeB, position] of cases) {
    const [a, b] = [at(sizeA, [0, 0, 0]), at(sizeB, position)];
    const points = pointsOf(placesOf(a, b));
    assert.ok(points.length > 0, what);
    for (const point of points) {
      assert.ok(
        outsideMm(point, sizeA, a) < 0.003 && outsideMm(point, sizeB, b) < 0.003,
        `${what}: ${point.join(" ")}`,
      );
    }
  }
  const walls = meshOf(moved(box([0.4, 6, 6]), [-10, 0, 0]), moved(box([0.4, 6, 6]), [10, 0, 0]));
  const through = placesOf(at([30, 2, 2], [0, 0, 0]), {
    mesh: walls,
    pose: { position: [0, 0, 0], orientation: UPRIGHT, scale: 1 },
  });
  assert.deepEqual(
    through.map(({ point }) => Math.round(point[0])).sort((x, y) => x - y),
    [-10, 10],
  );
});

test("models that are nearer than the offset have places between them", () => {
  const [a, b] = [at([10, 10, 10], [0, 0, 0]), at([6, 6, 6], [8.4, 0, 0])];
  assert.deepEqual(placesOf(a, b), []);
  assert.deepEqual(placesOf(a, b, 0.3), []);
  const places = placesOf(a, b, 0.5);
  assert.ok(places.length > 0);
  for (const [x, y, z] of pointsOf(places)) {
    assert.ok(Math.abs(x - 5.2) < 0.01 && Math.abs(y) < 3.1 && Math.abs(z) < 3.1, `${x} ${y} ${z}`);
  }
  const reach = Math.max(...places.map(({ point, radiusMm }) => distance(point, [5.2, 0, 0]) + radiusMm));
  assert.ok(reach < 8);
});
