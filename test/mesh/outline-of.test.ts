import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Vec3 } from "../../src/core/geometry.ts";
import { ORIGIN, add, centreOf, subtract } from "../../src/core/geometry.ts";
import { unwatched } from "../../src/core/watch.ts";
import { canonicalMesh } from "../../src/mesh/canonical.ts";
import { convexHull } from "../../src/mesh/convex-hull.ts";
import type { Mesh, Surface } from "../../src/mesh/mesh.ts";
import { outlineOf } from "../../src/mesh/outline-of.ts";
import { toMatrix, turn } from "../../src/mesh/pose.ts";
import { moved } from "../fixture/altered.ts";
import { box, cylinder, torus, uvSphere } from "../fixture/shapes.ts";

const meshOf = (surface: Surface): Mesh => canonicalMesh(surface, 1, unwatched);
const SHAPES = [box([10, 20, 30]), cylinder(8, 25), uvSphere(15), torus(20, 6)]
  .map((shape) => meshOf(moved(shape, [3, -40, 12])));

const angle = fc.oneof(fc.constantFrom(0, 90, 180, -45, 30), fc.double({ min: -180, max: 180, noNaN: true }));
const euler = fc.record({ x: angle, y: angle, z: angle });

test("the box is that of the turned vertices, to the bit", () => {
  fc.assert(fc.property(fc.constantFrom(...SHAPES), euler, (mesh, turned) => {
    const rotation = toMatrix(turned);
    const { vertices } = mesh;
    const points = Array.from({ length: vertices.length / 3 }, (_, v) => {
      const point: Vec3 = [vertices[3 * v], vertices[3 * v + 1], vertices[3 * v + 2]];
      return turn(rotation, subtract(point, centreOf(mesh.box)));
    });
    const bound = (pick: (...values: number[]) => number): Vec3 =>
      [0, 1, 2].map((axis) => pick(...points.map((p) => p[axis]))) as unknown as Vec3;
    const { box: found, hullXy } = outlineOf(mesh, rotation);
    assert.deepEqual(add(found.min, ORIGIN), add(bound(Math.min), ORIGIN));
    assert.deepEqual(add(found.max, ORIGIN), add(bound(Math.max), ORIGIN));
    assertHull(hullXy, points.map(([x, y]) => [x, y]));
  }), { numRuns: 100 });
});

test("hulls of points on a small grid are those found by brute force, corner for corner", () => {
  const whole = fc.integer({ min: -4, max: 4 });
  const points = fc.array(fc.tuple(whole, whole), { minLength: 1, maxLength: 40 });
  fc.assert(fc.property(points, (cloud) => {
    const hull = convexHull(Float64Array.from(cloud, ([x]) => x), Float64Array.from(cloud, ([, y]) => y));
    assert.deepEqual(pairs(hull).map(String).sort(), bruteCorners(cloud).map(String).sort());
    assertHull(hull, cloud);
  }), { numRuns: 1000 });
});

test("points far apart in x with the corners close together lose none", () => {
  const coordinate = fc.double({ min: -1, max: 1, noNaN: true });
  const cloud = fc.array(fc.tuple(coordinate, coordinate), { minLength: 3, maxLength: 200 });
  fc.assert(fc.property(cloud, fc.constantFrom(1e-6, 1, 1e6), (unit, stretch) => {
    const points = [...unit, [stretch * 1e4, 0]].map(([x, y]) => [x, stretch * y]);
    assertHull(convexHull(Float64Array.from(points, ([x]) => x), Float64Array.from(points, ([, y]) => y)), points);
  }));
});

const pairs = (flat: Float64Array): number[][] =>
  Array.from({ length: flat.length / 2 }, (_, i) => [flat[2 * i], flat[2 * i + 1]]);

const side = (a: number[], b: number[], p: number[]): number =>
  (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);

/** Counter-clockwise, made of the points, and none of them outside. */
function assertHull(hull: Float64Array, points: readonly number[][]): void {
  const corners = pairs(hull);
  const known = new Set(points.map(String));
  for (const corner of corners) assert.ok(known.has(String(corner)));
  if (corners.length < 3) return;
  // What rounding can do to twice an area. A distance from the line of a very short edge would say nothing.
  const slack = 1e-13 * Math.max(...points.flat().map(Math.abs)) ** 2;
  corners.forEach((a, i) => {
    const b = corners[(i + 1) % corners.length];
    assert.ok(side(a, b, corners[(i + 2) % corners.length]) > -slack);
    for (const p of points) assert.ok(side(a, b, p) >= -slack, `${p} is outside of ${a} – ${b}`);
  });
}

/** The points from which all others are seen within less than half a turn. */
function bruteCorners(points: readonly number[][]): number[][] {
  const distinct = [...new Map(points.map((p) => [String(p), p])).values()];
  return distinct.filter((p) => {
    const angles = distinct.filter((q) => q !== p).map((q) => Math.atan2(q[1] - p[1], q[0] - p[0]));
    const others = angles.sort((a, b) => a - b);
    if (others.length < 2) return true;
    const gaps = others.map((a, i) => (i + 1 < others.length ? others[i + 1] - a : others[0] + 2 * Math.PI - a));
    return Math.max(...gaps) > Math.PI + 1e-9;
  });
}
