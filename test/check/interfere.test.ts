import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type PlacedMeshTree,
  TOUCH_TOLERANCE_MM,
  interfere,
  meshTree,
  placeMeshTree,
} from "../../src/mesh/bvh/interfere.ts";
import { noProgress } from "../../src/core/progress.ts";
import { IDENTITY_POSE, type Pose } from "../../src/geometry/pose.ts";
import { type Vec3, length, lerp, subtract } from "../../src/geometry/vector.ts";
import { placeTriangle } from "../../src/mesh/bvh/placed-bvh.ts";
import type { Surface } from "../../src/mesh/mesh.ts";
import type { PlacedMesh } from "../../src/mesh/placed-mesh.ts";
import { slowRuns } from "../fixture/long.ts";
import { cornersOfFacets, distanceToFacet, segmentToFacetBySearch } from "../fixture/facet-distance.ts";
import { randomFrom } from "../fixture/random.ts";
import { box, tetrahedron, torus, uvSphere } from "../fixture/shapes.ts";
import { asFiled, meshOf, placed } from "../fixture/slices.ts";
import { insideOut, moved, subdivided } from "../fixture/surface-edits.ts";
import { type Size, voxelMesh } from "../fixture/voxels.ts";

const standing = (body: PlacedMesh, from: Pose = IDENTITY_POSE): PlacedMeshTree =>
  placeMeshTree(body, meshTree(body.mesh, noProgress), from);
const solid = (...surfaces: Surface[]): PlacedMeshTree => standing(asFiled(meshOf(...surfaces)));

/** Asserts that the result is the same in both orders. */
function interferes(a: PlacedMeshTree, b: PlacedMeshTree, offsetMm = 0): boolean {
  const found = interfere(a, b, offsetMm, noProgress);
  assert.equal(interfere(b, a, offsetMm, noProgress), found);
  return found;
}

const CUBE = box([2, 2, 2]);

test("cubes in all positions relative to a cube", () => {
  const cases: [string, Surface, boolean][] = [
    ["apart", moved(CUBE, [3, 0, 0]), false],
    ["face on face", moved(CUBE, [2, 0, 0]), false],
    ["face on a part of a face", moved(CUBE, [2, 0.7, -0.3]), false],
    ["edge on edge", moved(CUBE, [2, 2, 0]), false],
    ["corner on corner", moved(CUBE, [2, 2, 2]), false],
    ["deep in each other", moved(CUBE, [1, 1, 1]), true],
    ["in each other along one axis", moved(CUBE, [1, 0, 0]), true],
    ["a twin", CUBE, true],
    ["a twin with other facets", subdivided(CUBE), true],
    ["inside", box([1, 1, 1]), true],
    ["inside on its floor", moved(box([1, 1, 1]), [0, 0, -0.5]), true],
    ["inside in its corner", moved(box([1, 1, 1]), [-0.5, -0.5, -0.5]), true],
    ["a slab through it", box([6, 6, 0.5]), true],
    ["a slab as thick", box([6, 6, 2]), true],
    ["a bar through it, flush", box([6, 2, 1]), true],
    ["an inside-out one", insideOut(moved(CUBE, [1, 0, 0])), true],
    ["an inside-out twin", insideOut(subdivided(CUBE)), true],
    ["an inside-out one beside it", insideOut(moved(CUBE, [2, 0, 0])), false],
  ];
  for (const [what, other, expected] of cases) {
    assert.equal(interferes(solid(CUBE), solid(other)), expected, what);
    assert.equal(interferes(solid(subdivided(CUBE)), solid(other)), expected, `${what}, subdivided`);
  }
});

test("two copies at the same place interfere", () => {
  const one = solid(CUBE);
  assert.equal(interferes(one, one), true);
});

const random = randomFrom(77);
const below = (limit: number): number => Math.floor(random() * limit);
const someCells = (count: number, side: number): Size[] => {
  const cells = Array.from({ length: count }, () => [below(side), below(side), below(side)] as const);
  return [...new Map(cells.map((cell) => [String(cell), cell])).values()];
};

/** The surface of a set of unit cells. Facets of two such bodies are either flush or apart. */
function skinOf(cells: readonly Size[]): Surface {
  const filled = new Set(cells.map(String));
  return voxelMesh([8, 8, 8], (...cell) => filled.has(String(cell)));
}

/** Distance between two cells of the unit lattice. */
const gapOf = (a: Vec3, b: Vec3): number =>
  length([0, 1, 2].map((axis) => Math.max(0, Math.abs(a[axis] - b[axis]) - 1)) as unknown as Vec3);

test("bodies of lattice cells overlap if they share a cell, and otherwise are as near as their nearest cells", () => {
  const seen = { overlapping: 0, touching: 0 };
  const runs = slowRuns(250);
  for (let run = 0; run < runs; run++) {
    const side = 3 + below(4);
    const [a, b] = [someCells(1 + below(12), side), someCells(1 + below(12), side)];
    const least = Math.min(...a.flatMap((cell) => b.map((other) => gapOf(cell, other))));
    const isShared = a.some((cell) => b.some((other) => String(cell) === String(other)));
    const [one, other] = [solid(skinOf(a)), solid(skinOf(b))];
    const what = JSON.stringify({ a, b });
    assert.equal(interferes(one, other), isShared, what);
    for (const offset of [0.5, 1, Math.SQRT2, 2, 3]) {
      assert.equal(interferes(one, other, offset), least < offset - 1e-6, `${what} at ${offset}`);
    }
    if (isShared) seen.overlapping++;
    else if (least === 0) seen.touching++;
  }
  assert.ok(seen.overlapping > runs / 5 && seen.touching > runs / 5, JSON.stringify(seen));
});

test("boxes of any size on a lattice overlap if their extents do", () => {
  const seen = [0, 0];
  const runs = slowRuns(500);
  for (let run = 0; run < runs; run++) {
    const boxes = [0, 1].map(() => {
      const low = [below(4), below(4), below(4)];
      const size = [1 + below(4), 1 + below(4), 1 + below(4)];
      return { low, size };
    });
    const surfaces = boxes.map(({ low, size: [x, y, z] }) =>
      moved(box([x, y, z]), [low[0] + x / 2, low[1] + y / 2, low[2] + z / 2]),
    );
    const [a, b] = boxes;
    const expected = [0, 1, 2].every(
      (axis) => Math.min(a.low[axis] + a.size[axis], b.low[axis] + b.size[axis]) > Math.max(a.low[axis], b.low[axis]),
    );
    assert.equal(interferes(solid(surfaces[0]), solid(surfaces[1])), expected, JSON.stringify(boxes));
    seen[expected ? 1 : 0]++;
  }
  assert.ok(Math.min(...seen) > runs / 10, String(seen));
});

test("bodies at any place are as near as the nearest of their edges and facets", () => {
  const shapes = [box([2, 3, 1]), tetrahedron(3), uvSphere(1.4, 5, 3), torus(2, 0.5, 4, 3)];
  for (let run = 0; run < slowRuns(40); run++) {
    const poses = [0, 1].map((): Partial<Pose> => ({
      position: run % 2 === 0 ? [5 * random(), 5 * random(), 5 * random()] : [3 * random(), 0, 0],
      orientation: { x: 90 * random(), y: 180 * random(), z: 180 * random() },
      scale: 0.5 + random(),
    }));
    const [a, b] = poses.map((pose) => standing(placed(meshOf(shapes[below(4)]), pose)));
    const distance = Math.min(nearest(a, b), nearest(b, a));
    for (const offset of [0.25, 1, 2]) {
      if (Math.abs(distance - offset) < 2 * TOUCH_TOLERANCE_MM) continue;
      const expected = distance < offset || isWithin(a, b) || isWithin(b, a);
      assert.equal(interferes(a, b, offset), expected, `run ${run}, ${distance} at ${offset}`);
    }
    if (distance > TOUCH_TOLERANCE_MM || distance === 0) {
      assert.equal(interferes(a, b), distance === 0 || isWithin(a, b) || isWithin(b, a), `run ${run}`);
    }
  }
});

function asSurface(solid: PlacedMeshTree): Surface {
  const vertices = Array.from(solid.tree.facets, (_, place) => {
    const corners = new Float32Array(9);
    placeTriangle(solid, place, corners, 0);
    return [...corners];
  });
  return {
    vertices: Float64Array.from(vertices.flat()),
    triangles: Uint32Array.from({ length: 3 * vertices.length }, (_, i) => i),
  };
}

/**
 * Least distance from the edges of one body to the facets of the other, by search; 0 if an edge passes through a facet.
 */
function nearest(a: PlacedMeshTree, b: PlacedMeshTree): number {
  let least = Infinity;
  const others = cornersOfFacets(asSurface(b));
  for (const facet of cornersOfFacets(asSurface(a))) {
    for (const [i, from] of facet.entries()) {
      const to = facet[(i + 1) % 3];
      const middle = lerp(from, to, 0.5);
      for (const other of others) {
        if (distanceToFacet(middle, other) - length(subtract(to, from)) / 2 > least) continue;
        least = Math.min(least, segmentToFacetBySearch(from, to, other));
      }
    }
  }
  return least < 1e-6 ? 0 : least;
}

/**
 * Whether a body that intersects nothing is inside the other one: then the solid angle of the other one, seen from its first
 * corner, is full.
 */
function isWithin(inner: PlacedMeshTree, outer: PlacedMeshTree): boolean {
  const from = cornersOfFacets(asSurface(inner))[0][0];
  const solidAngle = cornersOfFacets(asSurface(outer)).reduce((sum, facet) => sum + angleOf(from, facet), 0);
  return solidAngle > 2 * Math.PI;
}

/** Source: A. Van Oosterom, J. Strackee, "The Solid Angle of a Plane Triangle" (1983). */
function angleOf(from: Vec3, corners: readonly Vec3[]): number {
  const [a, b, c] = corners.map((corner) => corner.map((value, axis) => value - from[axis]) as unknown as Vec3);
  const [p, q, r] = [length(a), length(b), length(c)];
  const inner = (u: Vec3, v: Vec3): number => u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
  const volume =
    a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
  return 2 * Math.atan2(volume, p * q * r + inner(a, b) * r + inner(b, c) * p + inner(c, a) * q);
}

test("balls interfere if the offset exceeds their distance", () => {
  const ball = uvSphere(5, 200, 100);
  for (const [gap, offset, expected] of [
    [1, 0.99, false],
    [1, 1.01, true],
    [0.01, 0, false],
    [-0.01, 0, true],
    [3, 2.9, false],
    [3, 3.1, true],
  ] as const) {
    // Pole to pole the polyhedra are as near as the true balls.
    assert.equal(
      interferes(solid(ball), solid(moved(uvSphere(3, 80, 40), [0, 0, 8 + gap])), offset),
      expected,
      `${gap}`,
    );
  }
});

test("a body inside a solid interferes, one in a cavity only if it is too near the wall", () => {
  const shell = solid(uvSphere(10), insideOut(uvSphere(8)));
  const island = solid(uvSphere(3, 100, 50));
  assert.equal(interferes(solid(uvSphere(10)), island), true);
  assert.equal(interferes(shell, island), false);
  assert.equal(interferes(shell, island, 4.9), false);
  assert.equal(interferes(shell, island, 5.01), true);
  assert.equal(interferes(solid(uvSphere(10)), island, 1), true);
  const apart = solid(moved(uvSphere(3), [30, 0, 0]), uvSphere(2));
  assert.equal(interferes(solid(uvSphere(10)), apart), true, "one of two parts inside");
  assert.equal(interferes(shell, apart), false);
});

test("long bars of lattice cells that share one cell overlap, wherever the cell is", () => {
  const long = voxelMesh([150, 1, 1], () => true);
  const across = voxelMesh([1, 150, 1], () => true);
  for (let place = 3; place < 150; place += 12) {
    const other = {
      ...across,
      vertices: across.vertices.map((value, i) => (i % 3 === 0 ? value + place : i % 3 === 1 ? value - 77 : value)),
    };
    assert.equal(interferes(solid(long), solid(other)), true, `${place}`);
    assert.equal(interferes(solid(long), solid(moved(other, [0, 0, 1]))), false, `${place}`);
  }
});

test("one part of many inside another body is found", () => {
  const parts = Array.from({ length: 200 }, (_, i) => moved(box([1, 1, 1]), [3 * i, 0, 0]));
  for (const place of [0, 17, 100, 155, 199]) {
    assert.equal(interferes(solid(...parts), solid(moved(box([2, 2, 2]), [3 * place, 0, 0]))), true, `${place}`);
    const shell = [box([2, 2, 2]), insideOut(box([1.5, 1.5, 1.5]))].map((one) => moved(one, [3 * place, 0, 0]));
    assert.equal(interferes(solid(...parts), solid(...shell)), false, `${place}`);
  }
});

test("rotated, scaled and placed models that touch do not overlap; a little deeper they do", () => {
  const cube = meshOf(box([20, 20, 20]));
  const fine = meshOf(subdivided(subdivided(box([20, 20, 20]))));
  for (const z of [0, 30, 45, 77.7, 123.4]) {
    const angle = (z * Math.PI) / 180;
    const beside = (by: number): [number, number, number] => [
      150 + by * Math.cos(angle),
      -90 + by * Math.sin(angle),
      37,
    ];
    const pose = { position: beside(0), orientation: { x: 0, y: 0, z }, scale: 1.3 };
    for (const [by, expected] of [
      [26, false],
      [26 - 1e-4, false],
      [26 - 5e-3, true],
    ] as const) {
      for (const other of [cube, fine]) {
        const [a, b] = [placed(cube, pose), placed(other, { ...pose, position: beside(by) })];
        for (const from of [IDENTITY_POSE, a.pose, b.pose]) {
          assert.equal(interferes(standing(a, from), standing(b, from)), expected, `${z}° ${by}`);
        }
      }
    }
  }
});
