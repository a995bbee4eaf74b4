import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress, STEPS_PER_REPORT } from "../../src/core/progress.ts";
import { buildBvh } from "../../src/mesh/bvh/bvh.ts";
import { intersectingPairs } from "../../src/mesh/bvh/self-intersections.ts";
import { canonicalMesh } from "../../src/mesh/canonical-mesh.ts";
import { describeDefects, meshReport } from "../../src/mesh/mesh-report.ts";
import { concatenateSurfaces, type Mesh, vertexAt, vertexCount } from "../../src/mesh/mesh.ts";
import { repair } from "../../src/repair/repair.ts";
import { knot } from "../fixture/assembly.ts";
import { box } from "../fixture/shapes.ts";
import { moved } from "../fixture/surface-edits.ts";

const PAIRS = 22_804;
/** Number of reports that is enough for two cubes, and too small for a body that intersects itself in hundreds of places. */
const STEPS = 1650;

async function cutExactly(mesh: Mesh): Promise<Mesh> {
  const repaired = await repair(mesh, noProgress);
  assert.deepEqual([repaired.isClosedManifold, repaired.deviationMm], [true, undefined]);
  assert.deepEqual(describeDefects(meshReport(repaired.mesh, noProgress)), []);
  return repaired.mesh;
}

test(`a body that crosses itself in ${PAIRS} places is cut there and not remeshed`, async () => {
  const fine = canonicalMesh(knot(2000, 120), 1, noProgress);
  assert.equal(intersectingPairs(buildBvh(fine, noProgress), noProgress)?.length, 2 * PAIRS);
  const [one, other] = [await cutExactly(fine), await cutExactly(canonicalMesh(knot(500, 60), 1, noProgress))];
  assert.ok(Math.abs(one.volumeMm3 / other.volumeMm3 - 1) < 0.01);
  assert.ok(one.volumeMm3 < fine.volumeMm3);
});

test("a body for which the steps of a repair do not suffice is remeshed, and the others stay exact", async () => {
  const { vertices, triangles } = knot(300, 24);
  const long = { vertices: vertices.map((at, i) => (i % 3 === 0 ? 20 * at : at)), triangles };
  const pair = [moved(box([10, 10, 10]), [0, 0, 60]), moved(box([10, 10, 10]), [4, 3, 62])];
  const mesh = canonicalMesh(concatenateSurfaces([long, ...pair]), 1, noProgress);
  const remeshed = await repair(mesh, noProgress, { maxSteps: STEPS * STEPS_PER_REPORT });
  assert.deepEqual([remeshed.isClosedManifold, remeshed.isOutOfSteps], [true, undefined]);
  assert.ok(remeshed.deviationMm! > 1);
  const { mesh: exact } = await repair(canonicalMesh(concatenateSurfaces(pair), 1, noProgress), noProgress);
  const corners = new Set(
    Array.from({ length: vertexCount(remeshed.mesh) }, (_, v) => vertexAt(remeshed.mesh, v).join()),
  );
  for (let v = 0; v < vertexCount(exact); v++) assert.ok(corners.has(vertexAt(exact, v).join()));
});
