import assert from "node:assert/strict";
import { test } from "node:test";
import { unwatched } from "../../../src/core/watch.ts";
import { isSelfIntersecting } from "../../../src/mesh/bvh/crossing-facets.ts";
import { facetTree } from "../../../src/mesh/bvh/facet-tree.ts";
import { canonicalMesh } from "../../../src/mesh/canonical.ts";
import { combine } from "../../../src/mesh/combine.ts";
import { separateSheets } from "../../../src/mesh/repair/separate-sheets.ts";
import { setApart } from "../../../src/mesh/repair/set-apart.ts";
import { facetsOf, moved, withFacets } from "../../fixture/altered.ts";
import { box } from "../../fixture/shapes.ts";

/** A cube without a corner: a tetrahedron that points inward is cut out of it there. */
const dented = (() => {
  const cube = box([10, 10, 10]);
  const corner = [...Array(8).keys()].find((v) => [0, 1, 2].every((axis) => cube.vertices[3 * v + axis]! > 0))!;
  const vertices = Float64Array.from(cube.vertices);
  for (let axis = 0; axis < 3; axis++) vertices[3 * corner + axis] = 3;
  return { vertices, triangles: cube.triangles };
})();

test("of sheets that touch at a vertex one stays, the others go into their own material, and nothing crosses", () => {
  const touching = canonicalMesh(combine([dented, moved(box([2, 2, 2]), [4, 4, 4])]), 1, unwatched);
  const parted = separateSheets(touching, "vertices");
  assert.equal(parted.vertices.length, touching.vertices.length + 3);
  const apart = canonicalMesh(setApart(parted), 1, unwatched);
  assert.equal(apart.vertices.length, parted.vertices.length);
  assert.equal(isSelfIntersecting(facetTree(apart, unwatched), unwatched), false);
  const before = new Set(Array.from({ length: touching.vertices.length / 3 }, (_, v) => placeOf(touching.vertices, v)));
  const moves = Array.from({ length: apart.vertices.length / 3 }, (_, v) => placeOf(apart.vertices, v));
  assert.equal(moves.filter((place) => !before.has(place)).length, 1);
});

const placeOf = (vertices: Float32Array, v: number): string => vertices.subarray(3 * v, 3 * v + 3).join(" ");

test("a surface whose vertices lie apart is left as it is", () => {
  const cube = canonicalMesh(box([10, 10, 10]), 1, unwatched);
  assert.equal(setApart(cube), cube);
  const alone = withFacets(cube, facetsOf(cube).slice(0, 1));
  assert.equal(setApart(alone), alone);
});
