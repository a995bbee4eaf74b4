import assert from "node:assert/strict";
import { test } from "node:test";
import { fc } from "../fixture/property.ts";
import { CancelledError } from "../../src/core/progress.ts";
import { triangulatePolygon } from "../../src/format/triangulate-polygon.ts";
import { rotateVector, rotationMatrix } from "../../src/geometry/pose.ts";
import { ORIGIN, add, cross, dot, length, subtract } from "../../src/geometry/vector.ts";
import { randomFrom } from "../fixture/random.ts";
import { longTest } from "../fixture/long.ts";

type Xy = readonly [x: number, y: number];

const shoelace = (ring: readonly Xy[]): number =>
  ring.reduce((sum, [x, y], i) => {
    const [nextX, nextY] = ring[(i + 1) % ring.length];
    return sum + (x * nextY - nextX * y) / 2;
  }, 0);

const AS_DRAWN = { matrix: rotationMatrix({ x: 0, y: 0, z: 0 }), offset: ORIGIN, rounding: 0 };

/**
 * Asserts that triangles of all its corners cover the ring exactly once, after it is turned and moved in space. Rounding to single
 * precision may turn a triangle over that is flatter than `rounding`.
 */
function assertCovered(ring: readonly Xy[], { matrix, offset, rounding } = AS_DRAWN): void {
  const places = ring.map(([x, y]) => add(rotateVector(matrix, [x, y, 0]), offset));
  const normal = rotateVector(matrix, [0, 0, Math.sign(shoelace(ring))]);
  const triangles = triangulatePolygon(Float32Array.from(places.flat()), () => {});
  assert.equal(triangles.length, 3 * (ring.length - 2));
  let area = 0;
  for (let i = 0; i < triangles.length; i += 3) {
    const [a, b, c] = [0, 1, 2].map((corner) => places[triangles[i + corner]]);
    const facing = cross(subtract(b, a), subtract(c, a));
    const front = dot(facing, normal);
    assert.ok(front > 0 || front > -rounding, `triangle ${i / 3} of ${ring.length} corners is turned over or flat`);
    area += length(facing) / 2;
  }
  const wanted = Math.abs(shoelace(ring));
  assert.ok(Math.abs(area - wanted) <= 1e-4 * wanted, `${area} of ${wanted}`);
  assert.deepEqual(
    [...new Set(triangles)].sort((a, b) => a - b),
    ring.map((_, i) => i),
  );
}

const SHAPES: Readonly<Record<string, readonly Xy[]>> = {
  triangle: [
    [0, 0],
    [1, 0],
    [0, 1],
  ],
  square: [
    [0, 0],
    [1, 0],
    [1, 1],
    [0, 1],
  ],
  "quad with a dent": [
    [0, 0],
    [4, 0],
    [1, 1],
    [0, 4],
  ],
  "quad with a straight corner": [
    [0, 0],
    [1, 0],
    [2, 0],
    [0, 2],
  ],
  "square with corners on its edges": [
    [0, 0],
    [1, 0],
    [2, 0],
    [2, 1],
    [2, 2],
    [1, 2],
    [0, 2],
    [0, 1],
  ],
  L: [
    [0, 0],
    [3, 0],
    [3, 1],
    [1, 1],
    [1, 3],
    [0, 3],
  ],
  comb: [
    [0, 0],
    [7, 0],
    [7, 4],
    [6, 4],
    [6, 1],
    [5, 1],
    [5, 4],
    [4, 4],
    [4, 1],
    [3, 1],
    [3, 4],
    [2, 4],
    [2, 1],
    [1, 1],
    [1, 4],
    [0, 4],
  ],
  spiral: [
    [0, 0],
    [6, 0],
    [6, 6],
    [1, 6],
    [1, 2],
    [4, 2],
    [4, 4],
    [3, 4],
    [3, 3],
    [2, 3],
    [2, 5],
    [5, 5],
    [5, 1],
    [0, 1],
  ],
  "square with a hole on a bridge": [
    [0, 0],
    [6, 0],
    [6, 6],
    [0, 6],
    [0, 0],
    [2, 2],
    [2, 4],
    [4, 4],
    [4, 2],
    [2, 2],
  ],
};

test("convex and concave polygons are covered once, from every corner, in both orientations and rotated", () => {
  const random = randomFrom(3);
  for (const ring of Object.values(SHAPES)) {
    for (let start = 0; start < ring.length; start++) {
      const turned = [...ring.slice(start), ...ring.slice(0, start)];
      assertCovered(turned);
      assertCovered(turned.toReversed());
    }
  }
  for (const ring of Object.values(SHAPES)) {
    for (let i = 0; i < 20; i++) {
      const [x, y, z] = [360 * random() - 180, 360 * random() - 180, 360 * random() - 180];
      assertCovered(ring, { matrix: rotationMatrix({ x, y, z }), offset: [100 * random(), -50, 10], rounding: 1e-4 });
    }
  }
});

test("stars of any radii are covered exactly once", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 5, maxLength: 60 }), (radii) => {
      assertCovered(
        radii.map((radius, i): Xy => {
          const angle = (2 * Math.PI * i) / radii.length;
          return [Math.fround(radius * Math.cos(angle)), Math.fround(radius * Math.sin(angle))];
        }),
      );
    }),
    { numRuns: 300 },
  );
});

test("self-intersecting and collapsed polygons give n − 2 triangles", () => {
  const pentagram = [0, 2, 4, 1, 3].map((i): Xy => [Math.cos(i * 1.2566), Math.sin(i * 1.2566)]);
  const crossed: Xy[] = [
    [0, 0],
    [2, 2],
    [2, 0],
    [0, 2],
    [-1, 1],
  ];
  const flat: Xy[] = [
    [0, 0],
    [1, 0],
    [2, 0],
    [3, 0],
    [1.5, 0],
  ];
  const point: Xy[] = [
    [1, 1],
    [1, 1],
    [1, 1],
    [1, 1],
  ];
  for (const ring of [pentagram, crossed, flat, point]) {
    const triangles = triangulatePolygon(Float32Array.from(ring.flatMap(([x, y]) => [x, y, 0])), () => {});
    assert.equal(triangles.length, 3 * (ring.length - 2));
    assert.ok(triangles.every((corner) => Number.isInteger(corner) && corner >= 0 && corner < ring.length));
  }
});

test("the triangulation of a polygon with many reflex corners can be cancelled", () => {
  const corners = Float32Array.from({ length: 3 * 3000 }, (_, i) => {
    const angle = (2 * Math.PI * Math.floor(i / 3)) / 3000;
    const radius = Math.floor(i / 3) % 2 === 0 ? 10 : 5;
    return i % 3 === 0 ? radius * Math.cos(angle) : i % 3 === 1 ? radius * Math.sin(angle) : 0;
  });
  let polls = 0;
  assert.throws(
    () =>
      triangulatePolygon(corners, () => {
        if (++polls === 3) throw new CancelledError();
      }),
    CancelledError,
  );
});

test("zigzags and spirals of 20,000 corners with few ears at a time are covered once", () => {
  const half = 10_000;
  const along = (i: number): number => (i < half ? i : 2 * half - 1 - i);
  const ring = (place: (k: number, isBack: boolean) => Xy): Xy[] =>
    Array.from({ length: 2 * half }, (_, i) => place(along(i), i >= half));
  assertCovered(ring((k, isBack) => [k, 10 * (k % 2) - (isBack ? 0 : 1)]));
  assertCovered(
    ring((k, isBack) => {
      const radius = 100 + k / 10 + (isBack ? 3 : 0);
      return [radius * Math.cos(k / 10), radius * Math.sin(k / 10)];
    }),
  );
});

longTest("the triangulation of a spiral of 50,000 corners that crosses itself in most places ends soon", () => {
  const half = 25_000;
  const corners = new Float32Array(6 * half);
  for (let i = 0; i < 2 * half; i++) {
    const angle = (Math.PI / 4) * (i < half ? i : 2 * half - 1 - i);
    const radius = angle + (i < half ? 10 : 13);
    corners[3 * i] = radius * Math.cos(angle);
    corners[3 * i + 1] = radius * Math.sin(angle);
  }
  let polls = 0;
  assert.equal(triangulatePolygon(corners, () => polls++).length, 3 * (2 * half - 2));
  // Each poll covers 256 tries, and each try about thirty nodes of the tree.
  assert.ok(polls < 2400, `${polls} polls`);
});
