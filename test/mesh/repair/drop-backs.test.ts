import assert from "node:assert/strict";
import { test } from "node:test";
import { unwatched } from "../../../src/core/watch.ts";
import { canonicalMesh } from "../../../src/mesh/canonical.ts";
import { combine } from "../../../src/mesh/combine.ts";
import { type Surface, triangleCount } from "../../../src/mesh/mesh.ts";
import { dropBacks } from "../../../src/mesh/repair/drop-backs.ts";
import { dropDuplicates } from "../../../src/mesh/repair/drop-duplicates.ts";
import { type Facet, facetsOf, insideOut, moved, withFacets } from "../../fixture/altered.ts";
import { box, uvSphere } from "../../fixture/shapes.ts";

const ball = uvSphere(10, 16, 8);
const cube = moved(box([4, 4, 4]), [30, 0, 0]);
const wall: Surface = { vertices: Float64Array.of(32, 2, 2, 32, 2, -2, 40, 9, 0), triangles: Uint32Array.of(0, 1, 2) };
const backsOf = (surface: Surface, isShown: (facet: Facet) => boolean): Surface =>
  combine([surface, withFacets(surface, facetsOf(insideOut(surface)).filter(isShown))]);
const isRight = (facet: Facet): boolean => facet.every((v) => ball.vertices[3 * v] > 0.5);
const holed = withFacets(ball, facetsOf(ball).slice(20));

const CASES: readonly { readonly name: string; readonly surface: Surface; readonly left: number }[] = [
  {
    name: "a body all of whose facets have backs, beside a sound one",
    surface: combine([backsOf(ball, () => true), cube]),
    left: triangleCount(ball) + 12,
  },
  { name: "a body some of whose facets have backs", surface: backsOf(ball, isRight), left: triangleCount(ball) },
  { name: "a body with a hole and nothing but backs", surface: backsOf(holed, () => true), left: triangleCount(holed) },
  {
    name: "a body, and a wall with its back that stands on it",
    surface: combine([cube, backsOf(wall, () => true)]),
    left: 12,
  },
  { name: "bodies that share a face", surface: combine([cube, moved(cube, [4, 0, 0])]), left: 20 },
  {
    name: "a body whose facets are there three times",
    surface: combine([backsOf(ball, () => true), ball]),
    left: triangleCount(ball),
  },
];

for (const { name, surface, left } of CASES) {
  test(`${name}: ${left} facets are left once duplicates are dropped`, () => {
    const mesh = canonicalMesh(surface, 1, unwatched);
    assert.equal(triangleCount(dropDuplicates(dropBacks(mesh, unwatched), unwatched)), left);
  });
}
