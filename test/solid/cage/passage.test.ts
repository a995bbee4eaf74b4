import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress } from "../../../src/core/progress.ts";
import { convexHull } from "../../../src/geometry/convex-hull.ts";
import { type Vec3, cross, dot, unit } from "../../../src/geometry/vector.ts";
import type { Mesh, Surface } from "../../../src/mesh/mesh.ts";
import { stoppedOpeningMm } from "../../../src/solid/cage/passage.ts";
import { slowRuns } from "../../fixture/long.ts";
import { randomFrom } from "../../fixture/random.ts";
import { type Angles, rotated } from "../../fixture/rotated.ts";
import { box, cylinder, tetrahedron, uvSphere } from "../../fixture/shapes.ts";
import { meshOf } from "../../fixture/slices.ts";

const stopped = (surface: Surface): Promise<number> => stoppedOpeningMm(meshOf(surface), noProgress);

function assertWithin(value: number, least: number, most: number, what: string): void {
  assert.ok(value >= least && value <= most, `${what}: ${value} is not in [${least}, ${most}]`);
}

test("a ball is stopped by openings narrower than itself, except for the rounding of its hull", async () => {
  assertWithin(await stopped(uvSphere(5)), 9.7, 10, "ball");
});

test("a coin is stopped by the diagonal of an opening, a thick disc by its sides", async () => {
  const diameter = 20 * Math.cos(Math.PI / 48) * Math.SQRT1_2;
  assertWithin(await stopped(cylinder(10, 1)), 0.99 * diameter, 20 * Math.SQRT1_2, "coin");
  assertWithin(await stopped(cylinder(10, 16)), 15.99, 16, "disc");
});

test("a pin passes openings as wide as itself", async () => {
  assertWithin(await stopped(cylinder(1, 30)), 1.95, 2, "pin");
});

test("a regular tetrahedron is stopped by the distance of its edges", async () => {
  // J. Itoh, Y. Tanoue, T. Zamfirescu, "Tetrahedra passing through a circular or square hole": it passes through a square of this side.
  assert.ok(Math.abs((await stopped(tetrahedron(10))) - 10 * Math.SQRT1_2) < 1e-5);
});

test("a box is stopped by its smallest side, or by its middle side on the diagonal, in any orientation", async () => {
  const random = randomFrom(7);
  for (let i = 0; i < slowRuns(8); i++) {
    const sides: Vec3 = [1 + 20 * random(), 1 + 20 * random(), 1 + 20 * random()];
    const [least, middle] = sides.toSorted((a, b) => a - b);
    const turned = turnedBox(sides, { x: 360 * random(), y: 360 * random(), z: 360 * random() });
    const expected = Math.max(least, middle * Math.SQRT1_2);
    assert.ok(Math.abs((await stopped(turned)) - expected) < 1e-4, `box ${sides}`);
  }
});

function turnedBox(sides: Vec3, angles: Angles): Surface {
  const { vertices, triangles } = box(sides);
  const turned = Array.from({ length: 8 }, (_, i) =>
    rotated([vertices[3 * i], vertices[3 * i + 1], vertices[3 * i + 2]], angles),
  );
  return { vertices: Float64Array.from(turned.flat()), triangles };
}

test("nothing stops a flat mesh or one without extent", async () => {
  assert.equal(
    await stopped({ vertices: Float64Array.of(0, 0, 0, 9, 0, 0, 0, 9, 0), triangles: Uint32Array.of(0, 1, 2) }),
    0,
  );
});

/** The smallest square that contains the shadow of a mesh in one of many directions and turns: the mesh passes through it. */
function passedOpeningMm({ vertices }: Mesh, random: () => number, directions: number): number {
  let least = Infinity;
  for (let i = 0; i < directions; i++) {
    const view = unit([random() - 0.5, random() - 0.5, random() - 0.5]);
    const right = unit(cross(Math.abs(view[0]) < 0.5 ? [1, 0, 0] : [0, 1, 0], view));
    const up = cross(view, right);
    const xs = new Float64Array(vertices.length / 3);
    const ys = new Float64Array(xs.length);
    for (let k = 0; k < xs.length; k++) {
      const point: Vec3 = [vertices[3 * k], vertices[3 * k + 1], vertices[3 * k + 2]];
      xs[k] = dot(point, right);
      ys[k] = dot(point, up);
    }
    const hull = convexHull(xs, ys);
    for (let turn = 0; turn < 12; turn++) {
      const [c, s] = [Math.cos((Math.PI * turn) / 24), Math.sin((Math.PI * turn) / 24)];
      const range = [Infinity, -Infinity, Infinity, -Infinity];
      for (let at = 0; at < hull.length; at += 2) {
        const [u, v] = [c * hull[at] + s * hull[at + 1], c * hull[at + 1] - s * hull[at]];
        range[0] = Math.min(range[0], u);
        range[1] = Math.max(range[1], u);
        range[2] = Math.min(range[2], v);
        range[3] = Math.max(range[3], v);
      }
      least = Math.min(least, Math.max(range[1] - range[0], range[3] - range[2]));
    }
  }
  return least;
}

/** Triangles between random points in a box with these sides; their hull is the hull of the points. */
function randomBody(sides: Vec3, points: number, random: () => number): Surface {
  const vertices = Float64Array.from({ length: 3 * points }, (_, i) => (random() - 0.5) * sides[i % 3]);
  return { vertices, triangles: Uint32Array.from({ length: 3 * (points - 2) }, (_, i) => Math.floor(i / 3) + (i % 3)) };
}

test("no body passes straight through an opening that should stop it", async () => {
  const random = randomFrom(11);
  for (let i = 0; i < slowRuns(12); i++) {
    const sides: Vec3 = [2 + 10 * random(), 2 + 10 * random(), 0.5 + 10 * random() ** 2];
    const mesh = meshOf(randomBody(sides, 5 + Math.floor(30 * random()), random));
    const limit = await stoppedOpeningMm(mesh, noProgress);
    const passed = passedOpeningMm(mesh, random, 150);
    assert.ok(limit <= passed + 1e-5, `body ${i}: ${limit} is said to stop what passes ${passed}`);
    assert.ok(limit > 0.3 * passed, `body ${i}: ${limit} is far below ${passed}`);
  }
});
