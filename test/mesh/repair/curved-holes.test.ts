import assert from "node:assert/strict";
import { test } from "node:test";
import type { Vec3 } from "../../../src/core/geometry.ts";
import { unwatched } from "../../../src/core/watch.ts";
import { isSelfIntersecting } from "../../../src/mesh/bvh/crossing-facets.ts";
import { facetTree } from "../../../src/mesh/bvh/facet-tree.ts";
import { canonicalMesh } from "../../../src/mesh/canonical.ts";
import { combine } from "../../../src/mesh/combine.ts";
import { edgesOf } from "../../../src/mesh/edges.ts";
import { type Mesh, type Surface, vertexCount } from "../../../src/mesh/mesh.ts";
import { deviationMm } from "../../../src/mesh/repair/deviation.ts";
import { holeLoops } from "../../../src/mesh/repair/hole-loops.ts";
import { leastAreaFill } from "../../../src/mesh/repair/least-area-fill.ts";
import { mend } from "../../../src/mesh/repair/mend.ts";
import { faultsOf, survey } from "../../../src/mesh/survey.ts";
import { facetsOf, moved, subdivided, withFacets } from "../../fixture/altered.ts";
import { box, lathe, torus, uvSphere } from "../../fixture/shapes.ts";

const meshOf = (...surfaces: Surface[]): Mesh => canonicalMesh(combine(surfaces), 1, unwatched);

/** Without the facets that have a corner within `radius` of a point. */
function holed(surface: Surface, [x, y, z]: Vec3, radius: number): Mesh {
  const isNear = (v: number): boolean => {
    const [p, q, r] = surface.vertices.slice(3 * v, 3 * v + 3) as unknown as Vec3;
    return Math.hypot(p - x, q - y, r - z) < radius;
  };
  return meshOf(
    withFacets(
      surface,
      facetsOf(surface).filter((facet) => !facet.some(isNear)),
    ),
  );
}

/** With its holes filled as flat as can be. */
function filledFlat(mesh: Mesh): Mesh {
  const { vertices, triangles } = mesh;
  const facets = holeLoops(mesh, edgesOf(triangles, vertexCount(mesh))).flatMap((loop) => {
    const corners = loop.map((v): Vec3 => [vertices[3 * v]!, vertices[3 * v + 1]!, vertices[3 * v + 2]!]);
    const noNormals = loop.map((): Vec3 => [0, 0, 0]);
    return leastAreaFill(corners, noNormals, () => false, unwatched).map(([a, b, c]) => [loop[a]!, loop[b]!, loop[c]!]);
  });
  return meshOf({ vertices, triangles: Uint32Array.from([...triangles, ...facets.flat()]) });
}

/** The mended mesh, after checks that it is closed, crosses itself nowhere and has every vertex that it had. */
function closed(mesh: Mesh): Mesh {
  const mended = mend(mesh, unwatched);
  assert.deepEqual(faultsOf(survey(mended, unwatched)), []);
  assert.equal(isSelfIntersecting(facetTree(mended, unwatched), unwatched), false);
  const places = ({ vertices }: Mesh): string[] =>
    Array.from({ length: vertices.length / 3 }, (_, v) => vertices.slice(3 * v, 3 * v + 3).join(" "));
  const found = new Set(places(mended));
  assert.ok(places(mesh).every((place) => found.has(place)));
  return mended;
}

const BALL = uvSphere(15, 64, 32);
const RING = torus(20, 6, 96, 48);
const TILTED: Vec3 = [10, 5, 10];

for (const [name, shape, at, radii] of [
  ["ball at its pole", BALL, [0, 0, 15], [1.5, 3, 5, 7.5]],
  ["ball at its side", BALL, [15, 0, 0], [1.5, 3, 5, 7.5]],
  ["ball between them", BALL, TILTED, [1.5, 3, 5, 7.5]],
  ["ring outside", RING, [26, 0, 0], [1.5, 3, 5]],
  ["ring on top", RING, [20, 0, 6], [1.5, 3, 5]],
  ["ring inside", RING, [14, 0, 0], [1.5, 3, 5]],
] as const) {
  test(`holes in a ${name} are filled as curved as what is around them`, () => {
    for (const radius of radii) {
      const broken = holed(shape, at, radius);
      const mended = closed(broken);
      const meant = meshOf(shape);
      assert.ok(mended.vertices.length > broken.vertices.length, `${radius} mm: nothing was added`);
      const error = Math.abs(mended.volumeMm3 / meant.volumeMm3 - 1);
      assert.ok(error < 0.001, `${radius} mm: ${mended.volumeMm3} for ${meant.volumeMm3}`);
      const apart = deviationMm(meant, mended, unwatched);
      const flatApart = deviationMm(meant, filledFlat(broken), unwatched);
      // What is as small as a facet cannot be much nearer.
      const share = radius < 2 ? 1 : 0.6;
      assert.ok(apart < share * flatApart, `${radius} mm: ${apart} mm apart, flat ${flatApart}`);
    }
  });
}

test("a hole in the side of a cylinder is filled as round as it is", () => {
  const wall = Array.from({ length: 41 }, (_, i) => [10, i - 20] as const);
  const drum = lathe([[0, -20], ...wall, [0, 20]], 64, false);
  for (const radius of [3, 5, 8]) {
    const mended = closed(holed(drum, [10, 0, 0], radius));
    assert.ok(Math.abs(mended.volumeMm3 / drum.volume - 1) < 0.002, `${mended.volumeMm3} for ${drum.volume}`);
  }
});

test("where a tube, a cone or half a ball is cut off, and in a flat face, holes stay flat", () => {
  const rows = Array.from({ length: 41 }, (_, i) => i - 20);
  const tube = lathe([[0, -20], ...rows.map((z) => [10, z] as const), [0, 20]], 64, false);
  const cone = lathe([[0, -20], ...rows.map((z) => [25 - z, z] as const), [0, 20]], 64, false);
  const plate = lathe([[0, -2], ...[...rows.keys()].slice(1).map((r) => [r, -2] as const), [40, 2], [0, 2]], 64, false);
  const half = withFacets(
    BALL,
    facetsOf(BALL).filter((facet) => facet.every((v) => BALL.vertices[3 * v + 2]! < 0.01)),
  );
  for (const broken of [
    holed(tube, [0, 0, 20], 3),
    holed(cone, [0, 0, 20], 3),
    holed(plate, [20, 0, -2], 5.5),
    meshOf(half),
  ]) {
    const mended = closed(broken);
    assert.equal(mended.vertices.length, broken.vertices.length);
    const { areaMm2, triangles } = filledFlat(broken);
    assert.equal(mended.triangles.length, triangles.length);
    assert.ok(Math.abs(mended.areaMm2 / areaMm2 - 1) < 1e-6, `${mended.areaMm2} for ${areaMm2}`);
  }
});

test("a corner that is missing is not made round", () => {
  const cube = subdivided(subdivided(subdivided(box([20, 20, 20]))));
  const broken = holed(meshOf(cube), [10, 10, 10], 4);
  assert.equal(closed(broken).vertices.length, broken.vertices.length);
});

test("a curved fill that would cut something else gives way to the flat one", () => {
  const broken = holed(BALL, [0, 0, 15], 7.5);
  const crumb = moved(box([1, 1, 1]), [0, 0, 15]);
  assert.ok(closed(broken).vertices.length > broken.vertices.length);
  const beside = meshOf(broken, crumb);
  assert.equal(closed(beside).vertices.length, beside.vertices.length);
});

test("a hole among many facets is filled as near", () => {
  const fine = uvSphere(15, 240, 120);
  const broken = holed(fine, TILTED, 7);
  const mended = mend(broken, unwatched);
  const added = (mended.vertices.length - broken.vertices.length) / 3;
  assert.ok(added > 500 && added < 6000, `${added}`);
  assert.ok(Math.abs(mended.volumeMm3 / fine.volume - 1) < 0.001);
});
