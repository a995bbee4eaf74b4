import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress } from "../../../src/core/progress.ts";
import { type Vec3, dot, length, subtract, unit } from "../../../src/geometry/vector.ts";
import { buildBvh } from "../../../src/mesh/bvh/bvh.ts";
import { traceGeodesic } from "../../../src/solid/label/exponential-map.ts";
import { box, cylinder, uvSphere } from "../../fixture/shapes.ts";

const near = (value: number, expected: number, within: number, what: string): void =>
  assert.ok(Math.abs(value - expected) <= within, `${what}: ${value} instead of ${expected}`);

test("a geodesic on a ball is a great circle with the length of its steps", () => {
  const tree = buildBvh(uvSphere(10, 256, 128), noProgress);
  for (const heading of [[0, 1, 0], [0, 0, 1], unit([0, 1, 2])] as Vec3[]) {
    const points = traceGeodesic(tree, [10, 0, 0], heading, 0.25, 100);
    assert.equal(points.length, 100);
    points.forEach((point, i) => {
      const angle = (0.25 * (i + 1)) / 10;
      near(point[0], 10 * Math.cos(angle), 0.03, "along");
      near(dot(point, heading), 10 * Math.sin(angle), 0.03, "forward");
    });
  }
});

test("a geodesic on a cylinder is a helix", () => {
  const tree = buildBvh(cylinder(8, 40, 96), noProgress);
  const heading = unit([0, 3, 1]);
  traceGeodesic(tree, [8, 0, 0], heading, 0.2, 80).forEach((point, i) => {
    const arc = 0.2 * (i + 1);
    near(point[2], arc * heading[2], 0.02 * arc, "height");
    near(8 * Math.atan2(point[1], point[0]), arc * heading[1], 0.02 * arc, "around");
  });
});

test("a geodesic ends at an edge or at the end of the surface, and not before", () => {
  const solid = buildBvh(box([20, 20, 10]), noProgress);
  const acrossTop = traceGeodesic(solid, [0, 0, 5], [1, 0, 0], 0.3, 100);
  near(acrossTop.at(-1)![0], 10, 0.3, "the edge of a box");
  assert.ok(acrossTop.every(([, y, z]) => Math.abs(y) < 1e-9 && Math.abs(z - 5) < 1e-9));
  const valley = buildBvh(
    {
      vertices: Float64Array.of(-9, -9, 0, 0, -9, 0, 0, 9, 0, -9, 9, 0, 0, -9, 9, 0, 9, 9),
      triangles: Uint32Array.of(0, 1, 2, 0, 2, 3, 1, 4, 5, 1, 5, 2),
    },
    noProgress,
  );
  near(traceGeodesic(valley, [-5, 0, 0], [1, 0, 0], 0.3, 100).at(-1)![0], 0, 0.3, "a valley");
  near(traceGeodesic(valley, [-5, 0, 0], [-1, 0, 0], 0.3, 100).at(-1)![0], -9, 0.3, "the end");
  assert.equal(traceGeodesic(valley, [-5, 0, 0], [0, 1, 0], 0.3, 7).length, 7);
});

test("steps keep their length over small facets", () => {
  const tree = buildBvh(uvSphere(10, 97, 55), noProgress);
  const points = traceGeodesic(tree, [10, 0, 0], unit([0, 1, 0.3]), 0.5, 60);
  assert.equal(points.length, 60);
  points.slice(1).forEach((point, i) => near(length(subtract(point, points[i])), 0.5, 0.002, "a step"));
});
