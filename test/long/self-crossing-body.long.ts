import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress } from "../../src/core/progress.ts";
import { buildBvh } from "../../src/mesh/bvh/bvh.ts";
import { intersectingPairs } from "../../src/mesh/bvh/self-intersections.ts";
import { canonicalMesh } from "../../src/mesh/canonical-mesh.ts";
import { describeDefects, meshReport } from "../../src/mesh/mesh-report.ts";
import type { Mesh } from "../../src/mesh/mesh.ts";
import { repair } from "../../src/repair/repair.ts";
import { knot } from "../fixture/assembly.ts";

const PAIRS = 22_804;

async function cutExactly(mesh: Mesh): Promise<Mesh> {
  const repaired = await repair(mesh, noProgress);
  assert.deepEqual([repaired.isClosedManifold, repaired.deviationMm], [true, undefined]);
  assert.deepEqual(describeDefects(meshReport(repaired.mesh, noProgress)), []);
  return repaired.mesh;
}

test(`a body that crosses itself in ${PAIRS} places is cut there, not remeshed`, async () => {
  const fine = canonicalMesh(knot(2000, 120), 1, noProgress);
  assert.equal(intersectingPairs(buildBvh(fine, noProgress), noProgress)?.length, 2 * PAIRS);
  const [one, other] = [await cutExactly(fine), await cutExactly(canonicalMesh(knot(500, 60), 1, noProgress))];
  assert.ok(Math.abs(one.volumeMm3 / other.volumeMm3 - 1) < 0.01);
  assert.ok(one.volumeMm3 < fine.volumeMm3);
});
