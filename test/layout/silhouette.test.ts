import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { noProgress } from "../../src/core/progress.ts";
import { boxCentre } from "../../src/geometry/box.ts";
import { type Polygons, signedArea } from "../../src/geometry/polygon.ts";
import { type EulerDeg, UPRIGHT, rotateVector, rotationMatrix } from "../../src/geometry/pose.ts";
import { type Vec3, subtract } from "../../src/geometry/vector.ts";
import { silhouetteOf } from "../../src/layout/silhouette.ts";
import type { Mesh } from "../../src/mesh/mesh.ts";
import { arch } from "../fixture/arch.ts";
import { edgesOf, pointToEdge, windsAbout } from "../fixture/polygons.ts";
import { fc } from "../fixture/property.ts";
import { box, cylinder, tetrahedron, torus, uvSphere } from "../fixture/shapes.ts";
import { meshOf } from "../fixture/slices.ts";
import { surfaceOfStl } from "../fixture/surface-edits.ts";
import { longTest, slowRuns, sampledTests } from "../fixture/long.ts";

/** How far the polygons may reach beyond the exact silhouette, by the documentation of `silhouetteOf`, rounded up. */
const BEYOND_MM = 0.2;

const corpus = (name: string): Mesh =>
  meshOf(surfaceOfStl(readFileSync(new URL(`../fixture/corpus/${name}`, import.meta.url))));

const seen = (mesh: Mesh, orientation: EulerDeg, scale = 1): Polygons =>
  silhouetteOf(mesh, rotationMatrix(orientation), scale, noProgress);

type Triangle = readonly [Vec3, Vec3, Vec3];

function projected(mesh: Mesh, orientation: EulerDeg, scale: number): Triangle[] {
  const m = rotationMatrix(orientation);
  const corner = (v: number): Vec3 => {
    const point = subtract(
      [mesh.vertices[3 * v], mesh.vertices[3 * v + 1], mesh.vertices[3 * v + 2]],
      boxCentre(mesh.box),
    );
    const [x, y] = rotateVector(m, point);
    return [scale * x, scale * y, 0];
  };
  return Array.from({ length: mesh.triangles.length / 3 }, (_, t) => {
    const [a, b, c] = mesh.triangles.subarray(3 * t, 3 * t + 3);
    return [corner(a), corner(b), corner(c)];
  });
}

function distanceToTriangle([x, y]: readonly [number, number], [a, b, c]: Triangle): number {
  const edges = [
    [a, b],
    [b, c],
    [c, a],
  ].map(
    ([[ax, ay], [bx, by]]) =>
      [
        [ax, ay],
        [bx, by],
      ] as const,
  );
  return windsAbout(edges, [x, y]) !== 0 ? 0 : Math.min(...edges.map((edge) => pointToEdge([x, y], edge)));
}

/** Asserts that random points of facets are inside the silhouette, and points of its edges near some facet. */
function assertSilhouette(mesh: Mesh, orientation: EulerDeg, scale: number, random: () => number): void {
  const region = seen(mesh, orientation, scale);
  const edges = edgesOf(region);
  const triangles = projected(mesh, orientation, scale);
  for (let i = 0; i < 150; i++) {
    const [a, b, c] = triangles[Math.floor(random() * triangles.length)];
    let [u, v] = i % 3 === 0 ? [0, 0] : [random(), random()];
    if (u + v > 1) [u, v] = [1 - u, 1 - v];
    const point = [a[0] + u * (b[0] - a[0]) + v * (c[0] - a[0]), a[1] + u * (b[1] - a[1]) + v * (c[1] - a[1])] as const;
    const inside = windsAbout(edges, point) > 0 || Math.min(...edges.map((edge) => pointToEdge(point, edge))) < 1e-6;
    assert.ok(inside, `${point} of a facet is outside`);
  }
  for (const [[ax, ay], [bx, by]] of edges.filter(() => random() < slowRuns(40) / edges.length)) {
    const point = [(ax + bx) / 2, (ay + by) / 2] as const;
    const least = Math.min(...triangles.map((triangle) => distanceToTriangle(point, triangle)));
    assert.ok(least <= BEYOND_MM, `${point} is ${least} mm from the facets`);
  }
}

const SHAPES = [
  box([10, 20, 30]),
  box([0.3, 40, 5]),
  cylinder(8, 25),
  tetrahedron(30),
  uvSphere(15),
  torus(20, 6),
  arch({ widthMm: 60, depthMm: 45, bandMm: 12, heightMm: 18 }),
].map((shape) => meshOf(shape));

const angle = fc.oneof(
  fc.constantFrom(0, 90, 180, -45, 30),
  fc.integer({ min: -180_000, max: 180_000 }).map((m) => m / 1000),
);
const euler = fc.record({ x: angle, y: angle, z: angle });

longTest("the silhouette contains the body and little more, for any orientation and scale", () => {
  const scale = fc.integer({ min: 200, max: 2500 }).map((thousandths) => thousandths / 1000);
  fc.assert(
    fc.property(
      fc.nat(SHAPES.length - 1),
      euler,
      scale,
      fc.noShrink(fc.infiniteStream(fc.integer({ min: 0, max: 1e6 - 1 }))),
      (shape, turned, factor, stream) => {
        assertSilhouette(SHAPES[shape], turned, factor, () => stream.next().value / 1e6);
      },
    ),
    { numRuns: slowRuns(40) },
  );
});

const PARTS = [
  "thingi-65004.stl",
  "thingi-520644.stl",
  "gen-472042-flip30.stl",
  "gen-65004-holes12.stl",
  "mf-Offset1-x0.04.stl",
];

for (const [name, testOne] of sampledTests(PARTS, 3)) {
  testOne(`the silhouette of ${name} contains the body and little more`, () => {
    const mesh = corpus(name);
    let state = 1;
    const random = (): number => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
    for (const turned of [UPRIGHT, { x: 33, y: 12, z: 71 }]) assertSilhouette(mesh, turned, 1, random);
  });
}

test("the silhouette of a box is exactly its four corners, so that boxes side by side fill a platform", () => {
  const rings = seen(SHAPES[0], UPRIGHT);
  assert.equal(rings.length, 1);
  const corners = Array.from({ length: 4 }, (_, i) => [...rings[0].subarray(2 * i, 2 * i + 2)]);
  assert.deepEqual(
    corners.toSorted(([a, b], [c, d]) => a - c || b - d),
    [
      [-5, -10],
      [-5, 10],
      [5, -10],
      [5, 10],
    ],
  );
});

test("round silhouettes are nearly exact, with few corners", () => {
  const rings = seen(meshOf(cylinder(20, 5, 720)), UPRIGHT);
  assert.equal(rings.length, 1);
  assert.ok(rings[0].length / 2 < 200);
  for (let i = 0; i < rings[0].length; i += 2) {
    const radius = Math.hypot(rings[0][i], rings[0][i + 1]);
    assert.ok(radius > 19.999 && radius < 20.03, `${radius}`);
  }
});

test("a hole stays open if another part fits into it, and is closed otherwise", () => {
  const open = seen(meshOf(torus(20, 6)), UPRIGHT);
  assert.deepEqual(open.map((ring) => Math.sign(signedArea(ring))).toSorted(), [-1, 1]);
  const area = open.reduce((sum, ring) => sum + signedArea(ring), 0);
  assert.ok(Math.abs(area - Math.PI * (26 ** 2 - 14 ** 2)) < 25, `${area}`);
  const closed = seen(meshOf(torus(7, 6)), UPRIGHT);
  assert.equal(closed.length, 1);
});
