import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress } from "../../src/core/progress.ts";
import { mortonOrder } from "../../src/geometry/morton-order.ts";
import { fc } from "../fixture/property.ts";
import { randomFrom } from "../fixture/random.ts";

const orderOf = (points: readonly number[]): number[] => [...mortonOrder(Float32Array.from(points), noProgress)];

test("the order is a permutation, and equal points keep their order", () => {
  const coordinates = fc.array(fc.tuple(fc.integer({ min: 0, max: 3 }), fc.nat(3), fc.nat(3)), { maxLength: 200 });
  fc.assert(
    fc.property(coordinates, (points) => {
      const order = orderOf(points.flat());
      assert.deepEqual(
        order.toSorted((a, b) => a - b),
        [...points.keys()],
      );
      const seen = new Map<string, number>();
      for (const i of order) {
        const last = seen.get(points[i].join()) ?? -1;
        assert.ok(last < i);
        seen.set(points[i].join(), i);
      }
    }),
  );
});

test("the corners of a cube follow the curve", () => {
  const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => [(i >> 2) & 1, (i >> 1) & 1, i & 1]);
  const shuffled = [5, 3, 0, 7, 1, 6, 2, 4];
  const order = orderOf(shuffled.flatMap((i) => corners[i]));
  assert.deepEqual(
    order.map((i) => shuffled[i]),
    [0, 1, 2, 3, 4, 5, 6, 7],
  );
});

test("consecutive points are near, also in small parts far from each other", () => {
  const random = randomFrom(1);
  const points: number[] = [];
  for (let i = 0; i < 4000; i++) {
    const far = i % 2 === 0 ? 0 : 2000;
    points.push(far + random(), random(), random());
  }
  const order = orderOf(points);
  const steps = order
    .slice(1)
    .map((to, i) => Math.hypot(...[0, 1, 2].map((k) => points[3 * to + k] - points[3 * order[i] + k])));
  assert.equal(steps.filter((step) => step > 100).length, 1);
  // Random neighbours of 2000 points in a unit cube would be 0.66 apart.
  assert.ok(steps.toSorted((a, b) => a - b)[2000] < 0.12);
});
