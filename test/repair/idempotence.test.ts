import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { CancelledError, cancelTask, newTaskState, noProgress, taskProgress } from "../../src/core/progress.ts";
import { extensionOf, readerFor } from "../../src/format/model-formats.ts";
import { isSelfIntersecting } from "../../src/mesh/bvh/self-intersections.ts";
import { canonicalMesh } from "../../src/mesh/canonical-mesh.ts";
import { cachedMeshReport, describeDefects, meshReport } from "../../src/mesh/mesh-report.ts";
import type { Mesh, Surface } from "../../src/mesh/mesh.ts";
import { repair } from "../../src/repair/repair.ts";
import { uvSphere } from "../fixture/shapes.ts";
import { randomFrom } from "../fixture/random.ts";
import { moved } from "../fixture/surface-edits.ts";
import { longTest, slowCases } from "../fixture/long.ts";

// A repaired mesh does not intersect itself and has no defects. A second repair returns it unchanged.

const corpus = fileURLToPath(new URL("../fixture/corpus/", import.meta.url));
const BROKEN = /^(gen|mf)-.*\.stl$/;
/** `test/repro/second-repair-changes-nothing.long.ts` repairs this file twice over HTTP. */
const REPAIRED_OVER_HTTP = "mf-openscad-nonmanifold-crash.obj";

async function assertFinal(surface: Surface): Promise<Mesh> {
  const { mesh, isClosedManifold, deviationMm } = await repair(canonicalMesh(surface, 1, noProgress), noProgress);
  assert.deepEqual([isClosedManifold, deviationMm], [true, undefined]);
  assert.deepEqual(describeDefects(meshReport(mesh, noProgress)), []);
  assert.equal(isSelfIntersecting(mesh, noProgress), false);
  // A copy, for which no result is cached.
  const again = (await repair({ ...mesh }, noProgress)).mesh;
  assert.deepEqual([again.hash, again.vertices, again.triangles], [mesh.hash, mesh.vertices, mesh.triangles]);
  return mesh;
}

const files = readdirSync(corpus).filter((file) => BROKEN.test(file));
for (const name of [...files, REPAIRED_OVER_HTTP]) {
  const declare = name === REPAIRED_OVER_HTTP ? longTest : test;
  declare(`${name} is final after one repair`, async () => {
    const reader = await readerFor(extensionOf(name))!;
    const { parts } = await reader.read(corpus + name, { chordalToleranceMm: 0.01, angleToleranceDeg: 5 }, noProgress);
    for (const { surface } of parts) await assertFinal(surface);
  });
}

/** The surface with each vertex moved at random by up to `reachMm` along each axis. */
const shaken = ({ vertices, triangles }: Surface, reachMm: number, random: () => number): Surface => ({
  vertices: Float64Array.from(vertices, (value) => value + reachMm * (2 * random() - 1)),
  triangles,
});

longTest(
  "a sphere with random vertex displacements, whose sheets touch at vertices and edges, is final after one repair",
  async () => {
    for (const [seed, reachMm] of slowCases([
      [1000, 1.5],
      [1001, 1.5],
      [1002, 0.6],
    ] as const)) {
      const ball = shaken(uvSphere(6, 32, 16), reachMm, randomFrom(seed));
      // Far from the origin single precision is coarse.
      for (const surface of slowCases([moved(ball, [500, 300, -900]), ball])) {
        const { volumeMm3 } = await assertFinal(surface);
        assert.ok(volumeMm3 > 750 && volumeMm3 < 1100, `${volumeMm3}`);
      }
    }
  },
);

test("a cancelled report is not cached, so that the next request computes it", () => {
  const mesh = canonicalMesh(uvSphere(10), 1, noProgress);
  const state = newTaskState();
  cancelTask(state);
  assert.throws(() => cachedMeshReport(mesh, taskProgress(state)), CancelledError);
  assert.deepEqual(cachedMeshReport(mesh, noProgress), meshReport(mesh, noProgress));
});
