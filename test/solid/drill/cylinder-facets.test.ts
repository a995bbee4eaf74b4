import assert from "node:assert/strict";
import { test } from "node:test";
import { intersectsCylinder } from "../../../src/solid/drill/cylinder-facets.ts";
import { randomFrom } from "../../fixture/random.ts";

/** Whether any of many points of a facet is inside the cylinder. */
function bySearch(facet: Float64Array, radius: number, from: number, to: number): boolean {
  const steps = 120;
  for (let i = 0; i <= steps; i++) {
    for (let j = 0; i + j <= steps; j++) {
      const [v, w] = [i / steps, j / steps];
      const at = (axis: number): number => (1 - v - w) * facet[axis] + v * facet[3 + axis] + w * facet[6 + axis];
      if (at(0) ** 2 + at(1) ** 2 < radius ** 2 && at(2) > from && at(2) < to) return true;
    }
  }
  return false;
}

test("a facet intersects a cylinder if one of its points is inside", () => {
  const random = randomFrom(6);
  const counts = { in: 0, out: 0 };
  for (let round = 0; round < 1500; round++) {
    const spread = [1, 3, 10][round % 3];
    const facet = Float64Array.from(
      { length: 9 },
      (_, i) => spread * (2 * random() - 1) + (i % 3 === 0 ? 2 * random() : 0),
    );
    const [radius, from] = [0.3 + 1.5 * random(), -2 * random()];
    const to = from + 0.2 + 2 * random();
    const found = intersectsCylinder(facet, radius, from, to);
    // Points that the search misses are close to the side or the ends of the cylinder.
    if (bySearch(facet, radius, from, to)) assert.ok(found, `round ${round}`);
    else assert.ok(!intersectsCylinder(facet, 0.95 * radius - 0.1, from + 0.1, to - 0.1), `round ${round}`);
    counts[found ? "in" : "out"]++;
  }
  assert.ok(counts.in > 300 && counts.out > 300, JSON.stringify(counts));
});

test("facets are found that the axis crosses or that contain the axis, and facets that are lines or points", () => {
  const around = Float64Array.of(-9, -9, 1, 9, -9, 1, 0, 9, 1);
  assert.ok(intersectsCylinder(around, 0.5, 0, 2));
  assert.ok(intersectsCylinder(around, 0, 0, 2));
  assert.ok(!intersectsCylinder(around, 0.5, 1.1, 2));
  const turnedOver = Float64Array.of(...around.subarray(0, 3), ...around.subarray(6), ...around.subarray(3, 6));
  assert.ok(intersectsCylinder(turnedOver, 0.5, 0, 2));
  const upright = Float64Array.of(0.2, -9, -9, 0.2, 9, -9, 0.2, 0, 20);
  assert.ok(intersectsCylinder(upright, 0.3, 0, 1));
  assert.ok(!intersectsCylinder(upright, 0.1, 0, 1));
  const point = Float64Array.of(0.1, 0, 1, 0.1, 0, 1, 0.1, 0, 1);
  assert.ok(intersectsCylinder(point, 0.2, 0, 2));
  assert.ok(!intersectsCylinder(point, 0.05, 0, 2));
});
