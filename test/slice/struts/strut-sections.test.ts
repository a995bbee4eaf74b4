import assert from "node:assert/strict";
import { test } from "node:test";
import type { Vec3 } from "../../../src/geometry/vector.ts";
import { CAPS, type Cap } from "../../../src/mesh/strut-lattice.ts";
import { randomFrom } from "../../fixture/random.ts";
import { areasOf, gridOf } from "../../fixture/slices.ts";
import { type Ball, type Strut, latticeOf, placedLattice } from "../../fixture/struts.ts";

// Sections of single struts against closed forms. The layer is sampled at z = 0 of the lattice.

const PIXEL_MM = 0.02;
const grid = gridOf(600, 500, PIXEL_MM);
const boundariesMm = Float64Array.of(0, 10);

function areaOf(struts: readonly Strut[], balls: readonly Ball[] = [], transform?: readonly number[]): number {
  const lattice = latticeOf({ struts, balls, ...(transform && { transform }) });
  return areasOf({ placed: [], lattices: [placedLattice(lattice, { position: [0, 0, 5] })], boundariesMm, grid })[0];
}

function assertArea(actual: number, expected: number, what: string): void {
  assert.ok(Math.abs(actual - expected) <= 1e-3 * expected, `${what}: ${actual} is not ${expected}`);
}

/** Area of a circle on one side of a chord that spans the angle. */
const segment = (radius: number, angle: number): number => (radius ** 2 / 2) * (angle - Math.sin(angle));

/** The area of a strut in a plane through its axis. */
function axialArea(length: number, [r1, r2]: readonly [number, number], [cap1, cap2]: readonly [Cap, Cap]): number {
  const slope = Math.atan((r1 - r2) / length);
  const end = (radius: number, cap: Cap, slopeAway: number): number => {
    if (cap === "butt") return 0;
    const bulges = cap === "sphere" && slopeAway > 0 ? 2 * segment(radius, 2 * slopeAway) : 0;
    return (Math.PI * radius ** 2) / 2 + bulges;
  };
  return (r1 + r2) * length + end(r1, cap1, slope) + end(r2, cap2, -slope);
}

test("a strut in the plane of a layer has the area of its trapezoid and of the circle segments of its caps", () => {
  const random = randomFrom(3);
  for (const cap1 of CAPS) {
    for (const cap2 of CAPS) {
      for (const radii of [
        [0.9, 0.9],
        [1.2, 0.6],
        [0.5, 1.1],
      ] as const) {
        const angle = 2 * Math.PI * random();
        const half = 1.5 + random();
        const from: Vec3 = [-half * Math.cos(angle), -half * Math.sin(angle), 0];
        const to: Vec3 = [half * Math.cos(angle), half * Math.sin(angle), 0];
        const actual = areaOf([{ from, to, radii, caps: [cap1, cap2] }]);
        assertArea(actual, axialArea(2 * half, radii, [cap1, cap2]), `${cap1} ${cap2} ${radii.join(" ")} at ${angle}`);
      }
    }
  }
});

test("a strut along the rows, along the columns and upright", () => {
  const along = (to: Vec3): Strut => ({ from: [-to[0], -to[1], -to[2]], to, radii: [0.8, 0.8] });
  const capsule = axialArea(4, [0.8, 0.8], ["sphere", "sphere"]);
  assertArea(areaOf([along([2, 0, 0])]), capsule, "rows");
  assertArea(areaOf([along([0, -2, 0])]), capsule, "columns");
  assertArea(areaOf([along([0, 0, 2])]), Math.PI * 0.64, "upright");
  assertArea(areaOf([{ from: [0, 0, -1], to: [0, 0, 3], radii: [1.5, 0.5] }]), Math.PI * 1.25 ** 2, "upright cone");
  assert.equal(areaOf([{ from: [0, 0, 0.1], to: [0, 0, 3], radii: [1, 1], caps: ["butt", "butt"] }]), 0);
  assert.equal(areaOf([{ from: [0, 0, 1.1], to: [0, 0, 3], radii: [1, 1] }]), 0);
});

test("a slanted cylinder is an ellipse, a slanted cone too, and a plane near its end cuts a circle from the cap", () => {
  for (const tilt of [0.2, 0.7, 1.1]) {
    const to: Vec3 = [3 * Math.sin(tilt) * 0.6, 3 * Math.sin(tilt) * 0.8, 3 * Math.cos(tilt)];
    const from: Vec3 = [-to[0], -to[1], -to[2]];
    assertArea(areaOf([{ from, to, radii: [0.4, 0.4] }]), (Math.PI * 0.16) / Math.cos(tilt), `cylinder ${tilt}`);
    // By the semi-axes of the conic of a cone whose radius grows by k, in a plane at this height above its apex.
    const radii = [0.55, 0.25] as const;
    const k = (radii[0] - radii[1]) / 6;
    const height = (radii[0] / k - 3) * Math.cos(tilt);
    const p = Math.cos(tilt) ** 2 - k ** 2 * Math.sin(tilt) ** 2;
    const area = (Math.PI * (k * height) ** 2) / p ** 1.5;
    assertArea(areaOf([{ from, to, radii, caps: ["butt", "butt"] }]), area, `cone ${tilt}`);
  }
  const rising: Strut = { from: [0, 0, 0.5], to: [1, 2, 3], radii: [0.7, 0.7] };
  assertArea(areaOf([rising]), Math.PI * (0.49 - 0.25), "cap");
  assertArea(areaOf([], [{ at: [0.3, 0.2, 0.5], radius: 0.7 }]), Math.PI * (0.49 - 0.25), "ball");
});

test("a sphere on a short cylinder reaches through its flat end, a hemisphere does not", () => {
  const strut = (cap: Cap): Strut => ({ from: [0, -0.2, 0], to: [0, 0.2, 0], radii: [1, 1], caps: [cap, "butt"] });
  assertArea(areaOf([strut("hemisphere")]), Math.PI / 2 + 0.8, "hemisphere");
  const beyond = 2 * Math.acos(0.4);
  const inside = Math.PI - segment(1, beyond);
  // Between the planes the cylinder is wider than the sphere.
  const corners = 0.8 - (inside - Math.PI / 2);
  assertArea(areaOf([strut("sphere")]), Math.PI + corners, "sphere");
});

test("a stretched ball is an ellipse, and shear along a layer keeps the area", () => {
  const ball = { at: [0, 0, 0], radius: 0.8 } as const;
  assertArea(areaOf([], [ball], [1.5, 0, 0, 0, 0.75, 0, 0, 0, 2, 0, 0, 0]), Math.PI * 0.64 * 1.5 * 0.75, "stretched");
  assertArea(areaOf([], [ball], [1, 0, 0, 0.7, 1, 0, 0, 0, 1, 0.2, 0, 0]), Math.PI * 0.64, "sheared");
  // Mirrored, and leaning: x and y move with z, which changes no layer.
  const strut: Strut = { from: [-1, -0.5, 0], to: [1, 0.5, 0], radii: [0.4, 0.7] };
  const plain = areaOf([strut]);
  assertArea(areaOf([strut], [], [-1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]), plain, "mirrored");
  const leaning = [1, 0, 0, 0, 1, 0, 0.5, 0.25, 1, 0, 0, 0];
  assertArea(areaOf([], [ball], leaning), Math.PI * 0.64, "leaning");
});
