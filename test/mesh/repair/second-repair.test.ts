import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { Cancelled, cancelJob, newJobState, unwatched, watchJob } from "../../../src/core/watch.ts";
import { extensionOf, readerFor } from "../../../src/format/readers.ts";
import { isSelfIntersecting } from "../../../src/mesh/bvh/crossing-facets.ts";
import { facetTree } from "../../../src/mesh/bvh/facet-tree.ts";
import { canonicalMesh } from "../../../src/mesh/canonical.ts";
import type { Mesh, Surface } from "../../../src/mesh/mesh.ts";
import { repair } from "../../../src/mesh/repair/repair.ts";
import { surveyFor } from "../../../src/mesh/repair/survey-for.ts";
import { faultsOf, survey } from "../../../src/mesh/survey.ts";
import { moved, randomFrom } from "../../fixture/altered.ts";
import { uvSphere } from "../../fixture/shapes.ts";

// What repair gives crosses itself nowhere, has no faults, and comes back as it is when it is repaired again.

const corpus = fileURLToPath(new URL("../../fixture/corpus/", import.meta.url));
const BROKEN = /^(gen|mf)-.*\.(stl|obj)$/;

function assertFinal(surface: Surface): Mesh {
  const { mesh, isSound, deviationMm } = repair(canonicalMesh(surface, 1, unwatched), unwatched);
  assert.deepEqual([isSound, deviationMm], [true, undefined]);
  assert.deepEqual(faultsOf(survey(mesh, unwatched)), []);
  assert.equal(isSelfIntersecting(facetTree(mesh, unwatched), unwatched), false);
  // Another object: nothing is remembered of it.
  const again = repair({ ...mesh }, unwatched).mesh;
  assert.deepEqual([again.hash, again.vertices, again.triangles], [mesh.hash, mesh.vertices, mesh.triangles]);
  return mesh;
}

for (const name of readdirSync(corpus).filter((file) => BROKEN.test(file))) {
  test(`${name} is repaired once and for all`, async () => {
    const reader = await readerFor(extensionOf(name))!;
    const { parts } = await reader.read(corpus + name, { chordalToleranceMm: 0.01, angleToleranceDeg: 5 }, unwatched);
    for (const { surface } of parts) assertFinal(surface);
  });
}

/** Each vertex moved to and fro by so much along each axis. */
const shaken = ({ vertices, triangles }: Surface, reachMm: number, random: () => number): Surface => ({
  vertices: Float64Array.from(vertices, (value) => value + reachMm * (2 * random() - 1)),
  triangles,
});

test("a ball shaken until it is all spikes, with sheets that touch at corners and edges, is repaired once and for all", () => {
  for (const [seed, reachMm] of [
    [1000, 1.5],
    [1001, 1.5],
    [1002, 0.6],
  ] as const) {
    const ball = shaken(uvSphere(10, 48, 24), reachMm, randomFrom(seed));
    const { volumeMm3 } = assertFinal(ball);
    assert.ok(volumeMm3 > 3500 && volumeMm3 < 5000, `${volumeMm3}`);
    // Far out single precision is coarse.
    assertFinal(moved(ball, [500, 300, -900]));
  }
});

test("a survey within a repair ends when cancelled, and is made anew when it is asked for again", () => {
  const mesh = canonicalMesh(uvSphere(10), 1, unwatched);
  const state = newJobState();
  cancelJob(state);
  assert.throws(() => surveyFor(mesh, watchJob(state)), Cancelled);
  assert.deepEqual(surveyFor(mesh, unwatched), survey(mesh, unwatched));
});
