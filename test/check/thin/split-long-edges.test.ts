import assert from "node:assert/strict";
import { test } from "node:test";
import { splitLongEdges } from "../../../src/check/thin/split-long-edges.ts";
import { noProgress } from "../../../src/core/progress.ts";
import { boxOf } from "../../../src/geometry/box.ts";
import { edgesOf } from "../../../src/mesh/edges.ts";
import { measureMesh } from "../../../src/mesh/measure.ts";
import { type Surface, triangleCount } from "../../../src/mesh/mesh.ts";
import { box, cylinder, uvSphere } from "../../fixture/shapes.ts";
import { meshOf } from "../../fixture/slices.ts";
import { rotatedSurface } from "../../fixture/thin-parts.ts";

function longestSideOf({ vertices, triangles }: Surface): number {
  let longest = 0;
  for (let at = 0; at < triangles.length; at++) {
    const from = 3 * triangles[at];
    const to = 3 * triangles[at % 3 === 2 ? at - 2 : at + 1];
    const [x, y, z] = [0, 1, 2].map((axis) => vertices[to + axis] - vertices[from + axis]);
    longest = Math.max(longest, Math.hypot(x, y, z));
  }
  return longest;
}

const measured = ({ vertices, triangles }: Surface) => measureMesh(Float32Array.from(vertices), triangles);

test("no edge is too long, and the surface stays the same and exactly closed", () => {
  const needles = rotatedSurface(cylinder(10, 30, 300), { x: 20, y: 31, z: 44 });
  for (const [surface, longestMm] of [
    [box([20, 9, 4]), 1.5],
    [needles, 2],
    [uvSphere(8), 0.7],
  ] as const) {
    const pieces = splitLongEdges(surface, longestMm, noProgress);
    assert.ok(longestSideOf(pieces) <= longestMm * (1 + 1e-9));
    assert.deepEqual(boxOf(pieces.vertices), boxOf(surface.vertices));
    const [before, after] = [measured(surface), measured(pieces)];
    assert.ok(Math.abs(after.areaMm2 / before.areaMm2 - 1) < 1e-5);
    assert.ok(Math.abs(after.volumeMm3 / before.volumeMm3 - 1) < 1e-5);
    // If vertices with equal bits are welded, every edge has two facets.
    const { triangles, vertices } = meshOf(pieces);
    const { runs } = edgesOf(triangles, vertices.length / 3);
    assert.ok(runs.slice(1).every((end, i) => end - runs[i] === 2));
  }
});

test("a surface without long edges is returned unchanged, and the number of added facets is limited", () => {
  const ball = uvSphere(5);
  assert.equal(splitLongEdges(ball, 5, noProgress), ball);
  const pieces = triangleCount(splitLongEdges(box([1000, 1000, 1000]), 0.5, noProgress));
  assert.ok(pieces > 50_000 && pieces < 1_500_000, String(pieces));
});
