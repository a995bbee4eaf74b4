import assert from "node:assert/strict";
import { test } from "node:test";
import { newSolidAngleSum } from "../../../src/mesh/bvh/fast-winding-number.ts";
import { uvSphere } from "../../fixture/shapes.ts";
import { randomFrom } from "../../fixture/random.ts";
import { facetsOf } from "../../fixture/surface-edits.ts";

const cornersOf = (radius: number): Float32Array => {
  const shape = uvSphere(radius, 24, 12);
  return Float32Array.from(
    facetsOf(shape).flatMap((facet) => facet.flatMap((v) => Array.from(shape.vertices.subarray(3 * v, 3 * v + 3)))),
  );
};

/** The solid angle of one facet by its spherical excess (L'Huilier), an independent method. */
function solidAngle(corners: Float32Array, at: number, [x, y, z]: readonly [number, number, number]): number {
  const [a, b, c] = [0, 3, 6].map((k) => {
    const way = [corners[at + k] - x, corners[at + k + 1] - y, corners[at + k + 2] - z];
    return way.map((value) => value / Math.hypot(...way));
  }) as [number[], number[], number[]];
  const arc = (p: number[], q: number[]): number => 2 * Math.asin(Math.hypot(...p.map((value, i) => value - q[i])) / 2);
  const [p, q, r] = [arc(b, c), arc(c, a), arc(a, b)];
  const s = (p + q + r) / 2;
  const product = Math.tan(s / 2) * Math.tan((s - p) / 2) * Math.tan((s - q) / 2) * Math.tan((s - r) / 2);
  const side =
    a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
  return Math.sign(side) * 4 * Math.atan(Math.sqrt(Math.max(0, product)));
}

test("the sum equals the sum of the single angles, with either sign and over any number of turns", () => {
  const random = randomFrom(1);
  const sum = newSolidAngleSum();
  for (let i = 0; i < 40; i++) {
    const corners = Float32Array.from({ length: 9 * 50 }, () => 20 * random() - 10);
    const point = [random(), random(), random()] as const;
    sum.reset();
    let expected = 0;
    for (let at = 0; at < corners.length; at += 9) {
      sum.add(corners, at, ...point);
      expected += solidAngle(corners, at, point);
    }
    assert.ok(Math.abs(sum.total() - expected) < 1e-5, `${sum.total()} for ${expected}`);
  }
});

test("each of many spheres around a point adds a full turn, for small and large radii", () => {
  const sum = newSolidAngleSum();
  for (const radius of [1e-5, 1, 1e5]) {
    const corners = cornersOf(radius);
    for (const inward of [false, true]) {
      sum.reset();
      for (let times = 0; times < 30; times++) {
        for (let at = 0; at < corners.length; at += 9) {
          const facet = corners.slice(at, at + 9);
          if (inward) facet.set(corners.subarray(at + 3, at + 6), 6);
          if (inward) facet.set(corners.subarray(at + 6, at + 9), 3);
          sum.add(facet, 0, radius / 10, radius / 7, 0);
        }
      }
      assert.ok(Math.abs(sum.total() / (4 * Math.PI) - (inward ? -30 : 30)) < 1e-6, `${sum.total() / (4 * Math.PI)}`);
    }
  }
});
