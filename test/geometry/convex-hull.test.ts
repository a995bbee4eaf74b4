import assert from "node:assert/strict";
import { test } from "node:test";
import { convexHull } from "../../src/geometry/convex-hull.ts";
import { assertHull, pairs } from "../fixture/convex-hull.ts";
import { fc } from "../fixture/property.ts";

test("hulls of points on a small grid have the corners that brute force finds", () => {
  const whole = fc.integer({ min: -4, max: 4 });
  const points = fc.array(fc.tuple(whole, whole), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(points, (cloud) => {
      const hull = convexHull(
        Float64Array.from(cloud, ([x]) => x),
        Float64Array.from(cloud, ([, y]) => y),
      );
      assert.deepEqual(pairs(hull).map(String).sort(), bruteCorners(cloud).map(String).sort());
      assertHull(hull, cloud);
    }),
    { numRuns: 1000 },
  );
});

test("no corners are lost if points are far apart in x and corners are close together", () => {
  const coordinate = fc.double({ min: -1, max: 1, noNaN: true });
  const cloud = fc.array(fc.tuple(coordinate, coordinate), { minLength: 3, maxLength: 200 });
  fc.assert(
    fc.property(cloud, fc.constantFrom(1e-6, 1, 1e6), (unit, stretch) => {
      const points = [...unit, [stretch * 1e4, 0]].map(([x, y]) => [x, stretch * y]);
      assertHull(
        convexHull(
          Float64Array.from(points, ([x]) => x),
          Float64Array.from(points, ([, y]) => y),
        ),
        points,
      );
    }),
  );
});

/** The points from which all others are within an angle of less than 180°. */
function bruteCorners(points: readonly number[][]): number[][] {
  const distinct = [...new Map(points.map((p) => [String(p), p])).values()];
  return distinct.filter((p) => {
    const angles = distinct.filter((q) => q !== p).map((q) => Math.atan2(q[1] - p[1], q[0] - p[0]));
    const others = angles.sort((a, b) => a - b);
    if (others.length < 2) return true;
    const gaps = others.map((a, i) => (i + 1 < others.length ? others[i + 1] - a : others[0] + 2 * Math.PI - a));
    return Math.max(...gaps) > Math.PI + 1e-9;
  });
}
