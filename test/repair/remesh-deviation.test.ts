import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress } from "../../src/core/progress.ts";
import { canonicalMesh } from "../../src/mesh/canonical-mesh.ts";
import type { Mesh, Surface } from "../../src/mesh/mesh.ts";
import { remeshDeviationMm, remeshDeviates } from "../../src/repair/remesh-deviation.ts";
import { remesh } from "../../src/repair/remesh.ts";
import { repair } from "../../src/repair/repair.ts";
import { box } from "../fixture/shapes.ts";
import { randomFrom } from "../fixture/random.ts";
import { unwelded } from "../fixture/surface-edits.ts";
import { longTest } from "../fixture/long.ts";

const SIZE_MM = 100;

function debris(facets: number, seed: number): Mesh {
  const random = randomFrom(seed);
  const surface: Surface = {
    vertices: Float64Array.from({ length: 9 * facets }, () => SIZE_MM * random()),
    triangles: Uint32Array.from({ length: 3 * facets }, (_, i) => i),
  };
  return canonicalMesh(surface, 1, noProgress);
}

longTest("a predicted deviation of the remeshed surface occurs", () => {
  const mesh = debris(8, 2);
  const made = canonicalMesh(remesh(mesh, noProgress), 1, noProgress);
  const apart = remeshDeviationMm(mesh, made, noProgress);
  assert.equal(remeshDeviates(mesh, 0.7 * apart, noProgress), true);
  assert.equal(remeshDeviates(mesh, 1.1 * apart, noProgress), false);
});

test("a pile of large facets is rejected before remeshing", async () => {
  const mesh = debris(25, 1);
  assert.equal(remeshDeviates(mesh, 0.1 * SIZE_MM, noProgress), true);
  const result = await repair(mesh, noProgress);
  assert.deepEqual([result.mesh, result.isClosedManifold], [mesh, false]);
});

test("no deviation is predicted for a surface with gaps between its facets", () => {
  const { vertices, triangles } = unwelded(box([10, 12, 14]));
  for (let at = 0; at < vertices.length; at += 9) {
    for (let axis = 0; axis < 3; axis++) {
      const middle = (vertices[at + axis] + vertices[at + 3 + axis] + vertices[at + 6 + axis]) / 3;
      for (let k = at + axis; k < at + 9; k += 3) vertices[k] = middle + 0.9 * (vertices[k] - middle);
    }
  }
  assert.equal(remeshDeviates({ vertices, triangles }, 0.5, noProgress), false);
});
