import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress } from "../../src/core/progress.ts";
import { repairWarnings } from "../../src/feature/repair/repair-warnings.ts";
import { canonicalMesh } from "../../src/mesh/canonical-mesh.ts";
import { type Surface, concatenateSurfaces } from "../../src/mesh/mesh.ts";
import { repair } from "../../src/repair/repair.ts";
import { box } from "../fixture/shapes.ts";

const CUBE = box([20, 20, 20]);
/** A rectangle of 10 × 10 mm that begins at (x, 0, z). */
const sheet = (x: number, z: number): Surface => ({
  vertices: Float64Array.of(x, 0, z, x + 10, 0, z, x + 10, 10, z, x, 10, z),
  triangles: Uint32Array.of(0, 1, 2, 0, 2, 3),
});
const repaired = (...surfaces: readonly Surface[]) =>
  repair(canonicalMesh(concatenateSurfaces(surfaces), 1, noProgress), noProgress);

test("loose faces that a repair leaves out are reported with their area, at the scale of the model", async () => {
  const result = await repaired(CUBE, sheet(40, 0), sheet(40, 5));
  assert.equal(result.isClosedManifold, true);
  assert.equal(result.mesh.volumeMm3, 8000);
  assert.ok(Math.abs((result.droppedMm2 ?? 0) - 200) < 1e-3, `${result.droppedMm2}`);
  const [warning, ...more] = repairWarnings("The model", result, 2);
  assert.deepEqual(more, []);
  assert.match(warning, /^The model had loose faces of 800 mm² that enclose nothing: they were left out\./);
});

test("filled holes, torn seams and faces on the surface are not reported", async () => {
  const hole = { ...CUBE, triangles: CUBE.triangles.slice(3) };
  const apart = Array.from(CUBE.triangles).flatMap((vertex) =>
    Array.from(CUBE.vertices.subarray(3 * vertex, 3 * vertex + 3)),
  );
  const torn = {
    vertices: Float64Array.from(apart, (value, i) => value + 1e-6 * (i % 5)),
    triangles: CUBE.triangles.map((_, i) => i),
  };
  for (const surfaces of [[hole], [torn], [CUBE, sheet(-5, 10)]]) {
    const result = await repaired(...surfaces);
    assert.equal(result.isClosedManifold, true);
    assert.deepEqual(repairWarnings("The model", result), []);
  }
});
