import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress } from "../../src/core/progress.ts";
import type { Vec3 } from "../../src/geometry/vector.ts";
import type { Mesh } from "../../src/mesh/mesh.ts";
import { stretchMesh } from "../../src/mesh/stretch-mesh.ts";
import { fc } from "../fixture/property.ts";
import { box, mug, tetrahedron, torus } from "../fixture/shapes.ts";
import { meshOf } from "../fixture/slices.ts";

const SHAPES: readonly Mesh[] = [box([10, 20, 30]), tetrahedron(12), torus(9, 3, 16, 8), mug(4, 9, 12)].map((shape) =>
  meshOf(shape),
);
const shape = fc.constantFrom(...SHAPES);
const factor = fc.oneof(fc.double({ min: 0.05, max: 40, noNaN: true }), fc.constantFrom(1, 2, 0.5));
const sign = fc.constantFrom(1, -1);

/** The corners of all facets of a mesh as text, each facet from its first corner in order, sorted. */
const facetsOf = ({ vertices, triangles }: Pick<Mesh, "vertices" | "triangles">, factors: Vec3, isTurned: boolean) =>
  Array.from({ length: triangles.length / 3 }, (_, facet) => {
    const corners = [0, 1, 2].map((i) =>
      [0, 1, 2].map((axis) => Math.fround(vertices[3 * triangles[3 * facet + i] + axis] * factors[axis]) + 0).join(),
    );
    const ordered = isTurned ? corners.toReversed() : corners;
    const first = ordered.indexOf(ordered.toSorted()[0]);
    return [...ordered.slice(first), ...ordered.slice(0, first)].join(" ");
  }).sort();

test("each facet is stretched along the axes, and turned if the shape is mirrored", () => {
  fc.assert(
    fc.property(shape, fc.tuple(factor, factor, factor), fc.tuple(sign, sign, sign), (mesh, sizes, signs) => {
      const factors: Vec3 = [sizes[0] * signs[0], sizes[1] * signs[1], sizes[2] * signs[2]];
      const ratio = factors[0] * factors[1] * factors[2];
      const stretched = stretchMesh(mesh, factors, noProgress);
      assert.deepEqual(facetsOf(stretched, [1, 1, 1], false), facetsOf(mesh, factors, ratio < 0));
      const expected = mesh.volumeMm3 * Math.abs(ratio);
      assert.ok(Math.abs(stretched.volumeMm3 - expected) < 1e-4 * expected, `${stretched.volumeMm3} of ${expected}`);
    }),
    { numRuns: 60 },
  );
});

test("mirrored twice, a mesh is the same to the bit", () => {
  for (const mesh of SHAPES) {
    for (const factors of [
      [-1, 1, 1],
      [1, -1, 1],
      [1, 1, -1],
      [-1, -1, -1],
    ] as const) {
      const once = stretchMesh(mesh, factors, noProgress);
      assert.equal(stretchMesh(once, factors, noProgress).hash, mesh.hash);
    }
  }
});

test("the volume of the repaired solid is stretched along", () => {
  const [mesh] = SHAPES;
  const stretched = stretchMesh({ ...mesh, solidVolumeMm3: 7 }, [2, -3, 0.5], noProgress);
  assert.equal(stretched.solidVolumeMm3, 21);
});
