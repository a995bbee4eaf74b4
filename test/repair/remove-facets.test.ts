import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress } from "../../src/core/progress.ts";
import { canonicalMesh } from "../../src/mesh/canonical-mesh.ts";
import { type Surface, concatenateSurfaces, triangleCount } from "../../src/mesh/mesh.ts";
import { fillHoles } from "../../src/repair/fill-holes.ts";
import { removeBackToBackFacets, removeDuplicateFacets, removeIsolatedFacets } from "../../src/repair/remove-facets.ts";
import { box, uvSphere } from "../fixture/shapes.ts";
import { randomFrom } from "../fixture/random.ts";
import { type Facet, facetsOf, insideOut, moved, perforated, withFacets } from "../fixture/surface-edits.ts";

const ball = uvSphere(10, 16, 8);
const cube = moved(box([4, 4, 4]), [30, 0, 0]);
const wall: Surface = { vertices: Float64Array.of(32, 2, 2, 32, 2, -2, 40, 9, 0), triangles: Uint32Array.of(0, 1, 2) };
const backsOf = (surface: Surface, isShown: (facet: Facet) => boolean): Surface =>
  concatenateSurfaces([surface, withFacets(surface, facetsOf(insideOut(surface)).filter(isShown))]);
const isRight = (facet: Facet): boolean => facet.every((v) => ball.vertices[3 * v] > 0.5);
const holed = withFacets(ball, facetsOf(ball).slice(20));

const CASES: readonly { readonly name: string; readonly surface: Surface; readonly left: number }[] = [
  {
    name: "a body whose facets are all back to back, beside a valid one",
    surface: concatenateSurfaces([backsOf(ball, () => true), cube]),
    left: triangleCount(ball) + 12,
  },
  { name: "a body with some facets back to back", surface: backsOf(ball, isRight), left: triangleCount(ball) },
  {
    name: "a body with a hole whose facets are all back to back",
    surface: backsOf(holed, () => true),
    left: triangleCount(holed),
  },
  {
    name: "a body with a two-sided wall on it",
    surface: concatenateSurfaces([cube, backsOf(wall, () => true)]),
    left: 12,
  },
  { name: "bodies that share a face", surface: concatenateSurfaces([cube, moved(cube, [4, 0, 0])]), left: 20 },
  {
    name: "a body whose facets exist three times",
    surface: concatenateSurfaces([backsOf(ball, () => true), ball]),
    left: triangleCount(ball),
  },
];

for (const { name, surface, left } of CASES) {
  test(`${name}: ${left} facets remain without duplicates`, () => {
    const mesh = canonicalMesh(surface, 1, noProgress);
    assert.equal(triangleCount(removeDuplicateFacets(removeBackToBackFacets(mesh, noProgress), noProgress)), left);
  });
}

test("exactly the facets that a fill would duplicate are removed", () => {
  const random = randomFrom(2);
  const loose: Surface = {
    vertices: Float64Array.from({ length: 9 * 40 }, () => 60 * random() - 30),
    triangles: Uint32Array.from({ length: 3 * 40 }, (_, i) => i),
  };
  const holed = perforated(uvSphere(10), 20, random);
  const mesh = canonicalMesh(concatenateSurfaces([holed, loose]), 1, noProgress);
  const dropped = removeIsolatedFacets(mesh);
  assert.equal(dropped.triangles.length, holed.triangles.length);
  const filled = (surface: Surface): string =>
    canonicalMesh(removeDuplicateFacets(fillHoles(surface, noProgress), noProgress), 1, noProgress).hash;
  assert.equal(filled(dropped), filled(mesh));
});

test("a facet that shares only one vertex with others stays", () => {
  const ball = canonicalMesh(uvSphere(10), 1, noProgress);
  const [first] = facetsOf(ball);
  const last = ball.vertices.length / 3;
  const flag: Surface = {
    vertices: Float64Array.from([...ball.vertices, 30, 0, 0, 30, 1, 0]),
    triangles: Uint32Array.from([...ball.triangles, first![0], last, last + 1]),
  };
  assert.equal(removeIsolatedFacets(flag), flag);
  assert.equal(removeIsolatedFacets(withFacets(flag, facetsOf(flag).slice(-1))).triangles.length, 0);
});
