import assert from "node:assert/strict";
import process from "node:process";
import { test } from "node:test";
import { noProgress } from "../../src/core/progress.ts";
import { canonicalMesh } from "../../src/mesh/canonical-mesh.ts";
import { meshReport } from "../../src/mesh/mesh-report.ts";
import type { Mesh, Surface } from "../../src/mesh/mesh.ts";
import { repair } from "../../src/repair/repair.ts";
import { repairTopology } from "../../src/repair/repair-topology.ts";
import { HEAPS } from "../fixture/assembly.ts";
import { longTest, slowRuns, sampledTests } from "../fixture/long.ts";

/** Limit of processor time, so that other work on the machine does not count. */
const LONGEST_MS = 10_000;

function mendedInTime(surface: Surface): Mesh {
  const began = process.cpuUsage();
  const mended = repairTopology(canonicalMesh(surface, 1, noProgress), noProgress);
  assert.ok(process.cpuUsage(began).user / 1000 < LONGEST_MS);
  return mended;
}

longTest("a hole of many thousand corners is filled in time", () => {
  const corners = slowRuns(30_000);
  const facets = Array.from({ length: corners - 2 }, (_, i) => (i % 2 ? [i, i + 1, i + 2] : [i + 1, i, i + 2]));
  const strip = {
    vertices: Float64Array.from(
      { length: 3 * corners },
      (_, i) => [Math.floor(i / 6), Math.floor(i / 3) % 2, 0][i % 3],
    ),
    triangles: Uint32Array.from(facets.flat()),
  };
  assert.equal(meshReport(mendedInTime(strip), noProgress).openEdges, 0);
});

longTest("the repair of thousands of facets that meet only at one vertex ends in time", () => {
  const facets = 30_000;
  const placeOf = (i: number): number[] => [i % 300, Math.floor(i / 300), 1 + (i % 7)];
  const fan = {
    vertices: Float64Array.from([0, 0, 0, ...Array.from({ length: 2 * facets }, (_, i) => placeOf(i)).flat()]),
    triangles: Uint32Array.from(Array.from({ length: facets }, (_, i) => [0, 2 * i + 1, 2 * i + 2]).flat()),
  };
  // The facets enclose nothing, so they are kept.
  assert.equal(mendedInTime(fan).triangles.length, fan.triangles.length);
});

const UNCLOSED = [
  ["copies of one triangle", 100_000],
  ["facets on one edge", 100_000],
  ["facets across one another in a ball", 500],
  ["facets across one another in a disc", 500],
  ["needles at one point", 500],
  ["facets in a cloud", 20_000],
] as const;

for (const [[name, facets], testOne] of sampledTests(UNCLOSED, 3)) {
  testOne(`the repair of a heap of ${facets} ${name} ends in time and leaves it unchanged`, async () => {
    const mesh = canonicalMesh(HEAPS[name](facets), 1, noProgress);
    const began = process.cpuUsage();
    const result = await repair(mesh, noProgress);
    assert.deepEqual([result.mesh, result.isClosedManifold], [mesh, false]);
    assert.ok(process.cpuUsage(began).user / 1000 < LONGEST_MS);
  });
}

test("a repair of copies of a solid gives the solid", async () => {
  const heap = HEAPS["copies of a tetrahedron"](40_000);
  const { mesh, isClosedManifold } = await repair(canonicalMesh(heap, 1, noProgress), noProgress);
  assert.deepEqual([isClosedManifold, mesh.triangles.length], [true, 12]);
});
