import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress } from "../../src/core/progress.ts";
import { distance, type Vec3 } from "../../src/geometry/vector.ts";
import { isSelfIntersecting } from "../../src/mesh/bvh/self-intersections.ts";
import { canonicalMesh } from "../../src/mesh/canonical-mesh.ts";
import { edgesOf } from "../../src/mesh/edges.ts";
import { describeDefects, meshReport } from "../../src/mesh/mesh-report.ts";
import { type Mesh, type Surface, concatenateSurfaces, vertexAt, vertexCount } from "../../src/mesh/mesh.ts";
import { boundaryLoops } from "../../src/repair/fill-holes.ts";
import { minimumAreaTriangulation } from "../../src/repair/minimum-area-triangulation.ts";
import { remeshDeviationMm } from "../../src/repair/remesh-deviation.ts";
import { repairTopology } from "../../src/repair/repair-topology.ts";
import { longTest, slowCases } from "../fixture/long.ts";
import { box, lathe, torus, uvSphere } from "../fixture/shapes.ts";
import { facetsOf, moved, subdivided, withFacets } from "../fixture/surface-edits.ts";

const meshOf = (...surfaces: Surface[]): Mesh => canonicalMesh(concatenateSurfaces(surfaces), 1, noProgress);

/** The surface without facets that have a corner within `radius` of a point. */
function holed(surface: Surface, centre: Vec3, radius: number): Mesh {
  const isNear = (v: number): boolean => {
    return distance(vertexAt(surface, v), centre) < radius;
  };
  return meshOf(
    withFacets(
      surface,
      facetsOf(surface).filter((facet) => !facet.some(isNear)),
    ),
  );
}

/** The mesh with its holes filled by minimum-area triangulations. */
function filledFlat(mesh: Mesh): Mesh {
  const { vertices, triangles } = mesh;
  const facets = boundaryLoops(mesh, edgesOf(triangles, vertexCount(mesh))).flatMap((loop) => {
    const corners = loop.map((v): Vec3 => [vertices[3 * v], vertices[3 * v + 1], vertices[3 * v + 2]]);
    const noNormals = loop.map((): Vec3 => [0, 0, 0]);
    return minimumAreaTriangulation(corners, noNormals, () => false, noProgress).map(([a, b, c]) => [
      loop[a],
      loop[b],
      loop[c],
    ]);
  });
  return meshOf({ vertices, triangles: Uint32Array.from([...triangles, ...facets.flat()]) });
}

/** The repaired mesh, after checks that it is closed, does not intersect itself and keeps all vertices. */
function closed(mesh: Mesh): Mesh {
  const repaired = repairTopology(mesh, noProgress);
  assert.deepEqual(describeDefects(meshReport(repaired, noProgress)), []);
  assert.equal(isSelfIntersecting(repaired, noProgress), false);
  const places = ({ vertices }: Mesh): string[] =>
    Array.from({ length: vertices.length / 3 }, (_, v) => vertices.slice(3 * v, 3 * v + 3).join(" "));
  const found = new Set(places(repaired));
  assert.ok(places(mesh).every((place) => found.has(place)));
  return repaired;
}

const BALL = uvSphere(15, 64, 32);
const RING = torus(20, 6, 96, 48);
const TILTED: Vec3 = [10, 5, 10];

for (const [name, shape, at, radii] of [
  ["ball at its pole", BALL, [0, 0, 15], [5, 1.5, 3, 7.5]],
  ["ball at its side", BALL, [15, 0, 0], [5, 1.5, 3, 7.5]],
  ["ball between them", BALL, TILTED, [5, 1.5, 3, 7.5]],
  ["ring outside", RING, [26, 0, 0], [5, 1.5, 3]],
  ["ring on top", RING, [20, 0, 6], [5, 1.5, 3]],
  ["ring inside", RING, [14, 0, 0], [5, 1.5, 3]],
] as const) {
  test(`holes in a ${name} are filled with the curvature around them`, () => {
    for (const radius of slowCases<number>(radii)) {
      const broken = holed(shape, at, radius);
      const repaired = closed(broken);
      const intended = meshOf(shape);
      assert.ok(repaired.vertices.length > broken.vertices.length, `${radius} mm: nothing was added`);
      const error = Math.abs(repaired.volumeMm3 / intended.volumeMm3 - 1);
      assert.ok(error < 0.001, `${radius} mm: ${repaired.volumeMm3} for ${intended.volumeMm3}`);
      const apart = remeshDeviationMm(intended, repaired, noProgress);
      const flatApart = remeshDeviationMm(intended, filledFlat(broken), noProgress);
      // The fill of a hole as small as a facet can hardly be better than flat.
      const share = radius < 2 ? 1 : 0.6;
      assert.ok(apart < share * flatApart, `${radius} mm: ${apart} mm apart, flat ${flatApart}`);
    }
  });
}

test("a hole in the side of a cylinder is filled with its curvature", () => {
  const wall = Array.from({ length: 41 }, (_, i) => [10, i - 20] as const);
  const drum = lathe([[0, -20], ...wall, [0, 20]], 64, false);
  for (const radius of [3, 5, 8]) {
    const repaired = closed(holed(drum, [10, 0, 0], radius));
    assert.ok(Math.abs(repaired.volumeMm3 / drum.volume - 1) < 0.002, `${repaired.volumeMm3} for ${drum.volume}`);
  }
});

test("open ends of a tube, a cone and a half sphere, and holes in a flat face, are filled flat", () => {
  const rows = Array.from({ length: 41 }, (_, i) => i - 20);
  const tube = lathe([[0, -20], ...rows.map((z) => [10, z] as const), [0, 20]], 64, false);
  const cone = lathe([[0, -20], ...rows.map((z) => [25 - z, z] as const), [0, 20]], 64, false);
  const plate = lathe([[0, -2], ...[...rows.keys()].slice(1).map((r) => [r, -2] as const), [40, 2], [0, 2]], 64, false);
  const half = withFacets(
    BALL,
    facetsOf(BALL).filter((facet) => facet.every((v) => BALL.vertices[3 * v + 2] < 0.01)),
  );
  for (const broken of [
    holed(tube, [0, 0, 20], 3),
    holed(cone, [0, 0, 20], 3),
    holed(plate, [20, 0, -2], 5.5),
    meshOf(half),
  ]) {
    const repaired = closed(broken);
    assert.equal(repaired.vertices.length, broken.vertices.length);
    const { areaMm2, triangles } = filledFlat(broken);
    assert.equal(repaired.triangles.length, triangles.length);
    assert.ok(Math.abs(repaired.areaMm2 / areaMm2 - 1) < 1e-6, `${repaired.areaMm2} for ${areaMm2}`);
  }
});

test("a missing corner of a cube is not filled smoothly", () => {
  const cube = subdivided(subdivided(subdivided(box([20, 20, 20]))));
  const broken = holed(meshOf(cube), [10, 10, 10], 4);
  assert.equal(closed(broken).vertices.length, broken.vertices.length);
});

test("a smooth fill that would intersect another body is replaced by a flat one", () => {
  const broken = holed(BALL, [0, 0, 15], 7.5);
  const crumb = moved(box([1, 1, 1]), [0, 0, 15]);
  assert.ok(closed(broken).vertices.length > broken.vertices.length);
  const beside = meshOf(broken, crumb);
  assert.equal(closed(beside).vertices.length, beside.vertices.length);
});

longTest("a hole in a fine mesh is filled with limited density", () => {
  const fine = uvSphere(15, 200, 100);
  const broken = holed(fine, TILTED, 7);
  const repaired = repairTopology(broken, noProgress);
  const added = (repaired.vertices.length - broken.vertices.length) / 3;
  assert.ok(added > 500 && added < 6000, `${added}`);
  assert.ok(Math.abs(repaired.volumeMm3 / fine.volume - 1) < 0.001);
});
