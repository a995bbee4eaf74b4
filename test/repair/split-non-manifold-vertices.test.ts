import assert from "node:assert/strict";
import { test } from "node:test";
import { edgesOf } from "../../src/mesh/edges.ts";
import { type Surface, triangleCount, vertexCount } from "../../src/mesh/mesh.ts";
import { splitNonManifoldVertices } from "../../src/repair/split-non-manifold-vertices.ts";
import { fc } from "../fixture/property.ts";

const CORNERS = Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1);

/** Facets of one tetrahedron. Each is given by the corner that it does not have, and by whether it faces inward. */
const facetsOf = (facets: readonly (readonly [number, boolean])[]): Surface => ({
  vertices: CORNERS,
  triangles: Uint32Array.from(
    facets.flatMap(([without, isReversed]) => {
      const corners = [0, 1, 2, 3].filter((v) => v !== without);
      return isReversed ? corners.toReversed() : corners;
    }),
  ),
});

test("sheets of two facets with the same corners are removed, and every edge has at most two facets", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.integer({ min: 0, max: 3 }), fc.boolean()), { maxLength: 8 }), (facets) => {
      const split = splitNonManifoldVertices(facetsOf(facets), "edges");
      const { runs } = edgesOf(split.triangles, vertexCount(split));
      for (let edge = 0; edge + 1 < runs.length; edge++) assert.ok(runs[edge + 1] - runs[edge] <= 2);
      assert.ok(triangleCount(split) <= 16 * facets.length);
    }),
  );
  const fins = facetsOf([
    [3, true],
    [0, true],
    [0, false],
    [0, true],
  ]);
  assert.ok(triangleCount(splitNonManifoldVertices(fins, "edges")) <= 4);
});
