import assert from "node:assert/strict";
import { test } from "node:test";
import { dot, length, subtract, unit, type Vec3 } from "../../../src/core/geometry.ts";
import { unwatched } from "../../../src/core/watch.ts";
import { facetTree } from "../../../src/mesh/bvh/facet-tree.ts";
import { march } from "../../../src/solid/label/march.ts";
import { box, cylinder, uvSphere } from "../../fixture/shapes.ts";

const near = (value: number, expected: number, within: number, what: string): void =>
  assert.ok(Math.abs(value - expected) <= within, `${what}: ${value} instead of ${expected}`);

test("on a ball the way is a great circle, as long as its steps", () => {
  const tree = facetTree(uvSphere(10, 256, 128), unwatched);
  for (const heading of [[0, 1, 0], [0, 0, 1], unit([0, 1, 2])] as Vec3[]) {
    const places = march(tree, [10, 0, 0], heading, 0.25, 100);
    assert.equal(places.length, 100);
    places.forEach((place, i) => {
      const angle = (0.25 * (i + 1)) / 10;
      near(place[0], 10 * Math.cos(angle), 0.03, "along");
      near(dot(place, heading), 10 * Math.sin(angle), 0.03, "ahead");
    });
  }
});

test("on a cylinder it is a helix", () => {
  const tree = facetTree(cylinder(8, 40, 96), unwatched);
  const heading = unit([0, 3, 1]);
  march(tree, [8, 0, 0], heading, 0.2, 80).forEach((place, i) => {
    const gone = 0.2 * (i + 1);
    near(place[2], gone * heading[2], 0.02 * gone, "height");
    near(8 * Math.atan2(place[1], place[0]), gone * heading[1], 0.02 * gone, "round");
  });
});

test("it ends at an edge, at the end of the surface and nowhere before", () => {
  const solid = facetTree(box([20, 20, 10]), unwatched);
  const across = march(solid, [0, 0, 5], [1, 0, 0], 0.3, 100);
  near(across.at(-1)![0], 10, 0.3, "the edge of a box");
  assert.ok(across.every(([, y, z]) => Math.abs(y) < 1e-9 && Math.abs(z - 5) < 1e-9));
  const valley = facetTree(
    {
      vertices: Float64Array.of(-9, -9, 0, 0, -9, 0, 0, 9, 0, -9, 9, 0, 0, -9, 9, 0, 9, 9),
      triangles: Uint32Array.of(0, 1, 2, 0, 2, 3, 1, 4, 5, 1, 5, 2),
    },
    unwatched,
  );
  near(march(valley, [-5, 0, 0], [1, 0, 0], 0.3, 100).at(-1)![0], 0, 0.3, "a valley");
  near(march(valley, [-5, 0, 0], [-1, 0, 0], 0.3, 100).at(-1)![0], -9, 0.3, "the end");
  assert.equal(march(valley, [-5, 0, 0], [0, 1, 0], 0.3, 7).length, 7);
});

test("steps keep their length over small facets", () => {
  const tree = facetTree(uvSphere(10, 97, 55), unwatched);
  const places = march(tree, [10, 0, 0], unit([0, 1, 0.3]), 0.5, 60);
  assert.equal(places.length, 60);
  places.slice(1).forEach((place, i) => near(length(subtract(place, places[i])), 0.5, 0.002, "a step"));
});
