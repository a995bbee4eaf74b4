import assert from "node:assert/strict";
import { test } from "node:test";
import type { Vec3 } from "../../../../src/core/geometry.ts";
import { unwatched } from "../../../../src/core/watch.ts";
import { facetTree } from "../../../../src/mesh/bvh/facet-tree.ts";
import { distanceTo } from "../../../../src/mesh/bvh/nearest-point.ts";
import { distancesAbout } from "../../../../src/mesh/repair/remesh/distances-about.ts";
import { randomFrom } from "../../../fixture/altered.ts";
import { uvSphere } from "../../../fixture/shapes.ts";

test("about a place, distances are those that the whole tree tells", () => {
  const random = randomFrom(2);
  const heap = {
    vertices: Float64Array.from({ length: 9 * 60 }, () => 20 * random() - 10),
    triangles: Uint32Array.from({ length: 3 * 60 }, (_, i) => i),
  };
  let nearer = 0;
  for (const surface of [heap, uvSphere(8, 128, 64), uvSphere(8, 6, 3)]) {
    const tree = facetTree(surface, unwatched);
    for (let i = 0; i < 200; i++) {
      const middle: Vec3 = [20 * random() - 10, 20 * random() - 10, 20 * random() - 10];
      const [radiusMm, limitMm] = [random(), 2 * random()];
      const distance = distancesAbout(tree, middle, radiusMm + limitMm);
      for (let k = 0; k < 10; k++) {
        const point = middle.map((value) => value + (radiusMm / 2) * (2 * random() - 1)) as unknown as Vec3;
        const expected = distanceTo(tree, point, limitMm);
        // Facets at the same distance differ by the last bit.
        assert.ok(Math.abs(distance(point, limitMm) - expected) < 1e-14, `${distance(point, limitMm)}`);
        if (expected < limitMm) nearer++;
      }
    }
  }
  assert.ok(nearer > 500, `${nearer}`);
});
