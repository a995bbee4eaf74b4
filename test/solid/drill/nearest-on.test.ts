import assert from "node:assert/strict";
import { test } from "node:test";
import { length, subtract } from "../../../src/core/geometry.ts";
import { unwatched } from "../../../src/core/watch.ts";
import { facetTree } from "../../../src/mesh/bvh/facet-tree.ts";
import { nearestPoint } from "../../../src/mesh/bvh/nearest-point.ts";
import { nearestOn } from "../../../src/solid/drill/nearest-on.ts";
import { randomFrom } from "../../fixture/altered.ts";
import { corpusMesh } from "../../fixture/orienting.ts";
import { box, torus } from "../../fixture/shapes.ts";
import { meshOf } from "../../fixture/slices.ts";

test("the nearest point is that of the whole mesh", async () => {
  const random = randomFrom(9);
  for (const mesh of [meshOf(box([30, 20, 10])), meshOf(torus(12, 5)), await corpusMesh("thingi-65004.stl")]) {
    const tree = facetTree(mesh, unwatched);
    for (let round = 0; round < 100; round++) {
      const [x, y, z] = [0, 0, 0].map(() => 60 * (random() - 0.5)) as [number, number, number];
      const expected = nearestPoint(tree, [x, y, z], Infinity)!;
      const found = nearestOn(mesh, [x, y, z], Infinity, unwatched)!;
      assert.ok(Math.abs(length(subtract(found, [x, y, z])) - expected.distanceMm) < 1e-9);
      assert.ok(length(subtract(found, expected.point)) < 1e-6);
      assert.ok(nearestOn(mesh, [x, y, z], expected.distanceMm + 1e-6, unwatched));
      assert.equal(nearestOn(mesh, [x, y, z], expected.distanceMm - 1e-6, unwatched), undefined);
    }
  }
});
