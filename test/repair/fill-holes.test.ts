import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress } from "../../src/core/progress.ts";
import { fillHoles } from "../../src/repair/fill-holes.ts";
import { meshReport } from "../../src/mesh/mesh-report.ts";
import { meshOf } from "../fixture/stage.ts";

test("at most one of two holes with two common corners gets the edge between these", () => {
  // A flat octahedron without four of its facets. Both holes have the two apexes as corners, and the least fill of each would have the
  // edge between them.
  const vertices = Float32Array.of(0, 0, 0.2, 0, 0, -0.2, 1, 0, 0, 0, 1, 0, -1, 0, 0, 0, -1, 0);
  const [top, bottom, east, north, west, south] = [0, 1, 2, 3, 4, 5];
  const triangles = Uint32Array.of(top, north, west, top, south, east, bottom, west, north, bottom, east, south);
  const filled = meshOf(fillHoles({ vertices, triangles }, noProgress));
  const { openEdges, nonManifoldEdges, misorientedEdges } = meshReport(filled, noProgress);
  assert.deepEqual([openEdges, nonManifoldEdges, misorientedEdges], [0, 0, 0]);
});
