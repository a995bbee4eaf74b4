import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { unwatched } from "../../src/core/watch.ts";
import type { Surface } from "../../src/mesh/mesh.ts";
import { soundnessOf } from "../../src/mesh/soundness.ts";
import { box, torus, uvSphere } from "../fixture/shapes.ts";
import { meshOf } from "../fixture/stage.ts";

const shape = fc.constantFrom(...[box([10, 10, 10]), torus(15, 5), uvSphere(9)].map(meshOf));

/** Both surfaces as one, the second moved along x. */
const beside = (a: Surface, b: Surface, x: number): Surface => ({
  vertices: Float32Array.of(...a.vertices, ...b.vertices.map((value, i) => (i % 3 === 0 ? value + x : value))),
  triangles: Uint32Array.of(...a.triangles, ...b.triangles.map((vertex) => vertex + a.vertices.length / 3)),
});

const insideOut = ({ vertices, triangles }: Surface): Surface => ({
  vertices,
  triangles: triangles.map((_, at) => triangles[at % 3 === 0 ? at : at % 3 === 1 ? at + 1 : at - 1]!),
});

test("solids are sound, alone and beside each other", () => {
  fc.assert(
    fc.property(shape, shape, (a, b) => {
      assert.deepEqual(soundnessOf(beside(a, b, 60), unwatched), { isOpen: false, hasInward: false });
    }),
  );
});

test("one facet that is missing or turned over is a gap, whichever it is", () => {
  fc.assert(
    fc.property(shape, fc.nat(), fc.boolean(), ({ vertices, triangles }, any, isTurned) => {
      const facet = 3 * (any % (triangles.length / 3));
      const [a, b, c] = triangles.subarray(facet, facet + 3);
      const spoiled = Uint32Array.from(triangles);
      spoiled.set(isTurned ? [a!, c!, b!] : [a!, a!, a!], facet);
      assert.ok(soundnessOf({ vertices, triangles: spoiled }, unwatched).isOpen);
    }),
  );
});

test("a small part that faces inward is found beside a large one that does not", () => {
  const small = insideOut(meshOf(box([1, 1, 1])));
  for (const large of [box([10, 10, 10]), torus(15, 5)].map(meshOf)) {
    assert.deepEqual(soundnessOf(beside(large, small, 60), unwatched), { isOpen: false, hasInward: true });
  }
});
