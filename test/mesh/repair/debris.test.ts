import assert from "node:assert/strict";
import { test } from "node:test";
import { unwatched } from "../../../src/core/watch.ts";
import { canonicalMesh } from "../../../src/mesh/canonical.ts";
import type { Mesh, Surface } from "../../../src/mesh/mesh.ts";
import { deviationMm } from "../../../src/mesh/repair/deviation.ts";
import { repair } from "../../../src/mesh/repair/repair.ts";
import { remesh } from "../../../src/mesh/repair/remesh/remesh.ts";
import { remeshLoses } from "../../../src/mesh/repair/remesh/remesh-loses.ts";
import { randomFrom, unwelded } from "../../fixture/altered.ts";
import { box } from "../../fixture/shapes.ts";

const SIZE_MM = 100;

function debris(facets: number, seed: number): Mesh {
  const random = randomFrom(seed);
  const surface: Surface = {
    vertices: Float64Array.from({ length: 9 * facets }, () => SIZE_MM * random()),
    triangles: Uint32Array.from({ length: 3 * facets }, (_, i) => i),
  };
  return canonicalMesh(surface, 1, unwatched);
}

test("where it is told beforehand that a new surface loses facets, it does", () => {
  const mesh = debris(16, 2);
  const made = canonicalMesh(remesh(mesh, unwatched), 1, unwatched);
  const apart = deviationMm(mesh, made, unwatched);
  assert.equal(remeshLoses(mesh, 0.7 * apart, unwatched), true);
  assert.equal(remeshLoses(mesh, 1.1 * apart, unwatched), false);
});

test("a heap of large facets is given up before a new surface is made", () => {
  const mesh = debris(100, 1);
  assert.equal(remeshLoses(mesh, 0.1 * SIZE_MM, unwatched), true);
  assert.deepEqual(repair(mesh, unwatched), { mesh, isSound: false });
});

test("a surface with gaps between its facets loses none", () => {
  const { vertices, triangles } = unwelded(box([10, 12, 14]));
  for (let at = 0; at < vertices.length; at += 9) {
    for (let axis = 0; axis < 3; axis++) {
      const middle = (vertices[at + axis]! + vertices[at + 3 + axis]! + vertices[at + 6 + axis]!) / 3;
      for (let k = at + axis; k < at + 9; k += 3) vertices[k] = middle + 0.9 * (vertices[k]! - middle);
    }
  }
  assert.equal(remeshLoses({ vertices, triangles }, 0.5, unwatched), false);
});
