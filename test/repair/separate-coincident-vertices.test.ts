import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress } from "../../src/core/progress.ts";
import { type Vec3, dot, unit } from "../../src/geometry/vector.ts";
import { isSelfIntersecting } from "../../src/mesh/bvh/self-intersections.ts";
import { canonicalMesh } from "../../src/mesh/canonical-mesh.ts";
import { concatenateSurfaces } from "../../src/mesh/mesh.ts";
import { inwardDirection, separateCoincidentVertices } from "../../src/repair/separate-coincident-vertices.ts";
import { splitNonManifoldVertices } from "../../src/repair/split-non-manifold-vertices.ts";
import { box } from "../fixture/shapes.ts";
import { randomFrom } from "../fixture/random.ts";
import { facetsOf, moved, withFacets } from "../fixture/surface-edits.ts";

/** A cube with one corner pushed in. */
const dented = (() => {
  const cube = box([10, 10, 10]);
  const corner = [...Array(8).keys()].find((v) => [0, 1, 2].every((axis) => cube.vertices[3 * v + axis] > 0))!;
  const vertices = Float64Array.from(cube.vertices);
  for (let axis = 0; axis < 3; axis++) vertices[3 * corner + axis] = 3;
  return { vertices, triangles: cube.triangles };
})();

test("all sheets but one that touch at a vertex move into their own material, and do not intersect", () => {
  const touching = canonicalMesh(concatenateSurfaces([dented, moved(box([2, 2, 2]), [4, 4, 4])]), 1, noProgress);
  const parted = splitNonManifoldVertices(touching, "vertices");
  assert.equal(parted.vertices.length, touching.vertices.length + 3);
  const apart = canonicalMesh(separateCoincidentVertices(parted), 1, noProgress);
  assert.equal(apart.vertices.length, parted.vertices.length);
  assert.equal(isSelfIntersecting(apart, noProgress), false);
  const before = new Set(Array.from({ length: touching.vertices.length / 3 }, (_, v) => placeOf(touching.vertices, v)));
  const moves = Array.from({ length: apart.vertices.length / 3 }, (_, v) => placeOf(apart.vertices, v));
  assert.equal(moves.filter((place) => !before.has(place)).length, 1);
});

const placeOf = (vertices: Float32Array, v: number): string => vertices.subarray(3 * v, 3 * v + 3).join(" ");

test("a surface without coincident vertices is returned unchanged", () => {
  const cube = canonicalMesh(box([10, 10, 10]), 1, noProgress);
  assert.equal(separateCoincidentVertices(cube), cube);
  const alone = withFacets(cube, facetsOf(cube).slice(0, 1));
  assert.equal(separateCoincidentVertices(alone), alone);
});

function directionFrom(random: () => number): Vec3 {
  for (;;) {
    const place: Vec3 = [2 * random() - 1, 2 * random() - 1, 2 * random() - 1];
    if (dot(place, place) <= 1 && dot(place, place) > 0) return unit(place);
  }
}

test("no other direction leads deeper behind all planes", () => {
  const random = randomFrom(1);
  for (let i = 0; i < 60; i++) {
    const axis = directionFrom(random);
    const width = 2 * random();
    const normals = Array.from({ length: 3 + (i % 6) }, (): Vec3 => {
      const [x, y, z] = directionFrom(random);
      return unit([axis[0] + width * x, axis[1] + width * y, axis[2] + width * z]);
    });
    const { direction, depth } = inwardDirection(normals);
    const depthOf = (way: Vec3): number => Math.min(...normals.map((normal) => -dot(normal, way)));
    assert.ok(Math.abs(depthOf(direction) - depth) < 1e-12);
    assert.ok(Math.abs(dot(direction, direction) - 1) < 1e-12);
    const best = Math.max(...Array.from({ length: 3000 }, () => depthOf(directionFrom(random))));
    if (best > 0.05) assert.ok(depth > best - 0.02, `${depth} for ${best}`);
    else assert.ok(depth < best + 0.1);
  }
});

test("the direction at a corner of a cube is its diagonal; with facets on all sides the depth is not positive", () => {
  const { direction, depth } = inwardDirection([
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ]);
  for (const value of [depth, ...direction.map((along) => -along)])
    assert.ok(Math.abs(value - Math.sqrt(1 / 3)) < 1e-6);
  const around: Vec3[] = [
    [1, 0, 0],
    [-1, 0, 0],
    [0, 1, 0],
    [0, -1, 0],
  ];
  assert.ok(inwardDirection(around).depth <= 0);
});
