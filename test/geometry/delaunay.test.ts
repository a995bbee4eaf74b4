import assert from "node:assert/strict";
import { test } from "node:test";
import { flipToDelaunay } from "../../src/geometry/delaunay.ts";
import { randomFrom } from "../fixture/random.ts";

/** A ring of corners about the origin, and the fan of triangles from its first corner: the most slender triangles. */
function someFan(random: () => number): { xy: Float64Array; fan: Uint32Array } {
  const count = 4 + Math.floor(40 * random());
  const angles = Array.from({ length: count }, () => 2 * Math.PI * random()).sort((a, b) => a - b);
  const [wide, deep] = [1 + 20 * random(), 1 + 20 * random()];
  const xy = Float64Array.from(angles.flatMap((angle) => [wide * Math.cos(angle), deep * Math.sin(angle)]));
  return { xy, fan: Uint32Array.from(Array.from({ length: count - 2 }, (_, i) => [0, i + 1, i + 2]).flat()) };
}

const areaOf = (xy: Float64Array, [a, b, c]: readonly number[]): number =>
  ((xy[2 * b!] - xy[2 * a!]) * (xy[2 * c! + 1] - xy[2 * a! + 1]) -
    (xy[2 * c!] - xy[2 * a!]) * (xy[2 * b! + 1] - xy[2 * a! + 1])) /
  2;

/** The centre and the squared radius of the circumcircle of a triangle. */
function circleAround(xy: Float64Array, [a, b, c]: readonly number[]): { x: number; y: number; square: number } {
  const [ax, ay] = [xy[2 * a!], xy[2 * a! + 1]];
  const [bx, by] = [xy[2 * b!] - ax, xy[2 * b! + 1] - ay];
  const [cx, cy] = [xy[2 * c!] - ax, xy[2 * c! + 1] - ay];
  const doubled = 2 * (bx * cy - by * cx);
  const x = (cy * (bx * bx + by * by) - by * (cx * cx + cy * cy)) / doubled;
  const y = (bx * (cx * cx + cy * cy) - cx * (bx * bx + by * by)) / doubled;
  return { x: ax + x, y: ay + y, square: x * x + y * y };
}

test("flipped triangles cover the same region, and no corner is in a circumcircle", () => {
  const random = randomFrom(3);
  let turned = 0;
  for (let round = 0; round < 200; round++) {
    const { xy, fan } = someFan(random);
    const even = flipToDelaunay(xy, fan);
    assert.equal(even.length, fan.length);
    const triangles = Array.from({ length: even.length / 3 }, (_, i) => [...even.subarray(3 * i, 3 * i + 3)]);
    const before = Array.from({ length: fan.length / 3 }, (_, i) => areaOf(xy, [...fan.subarray(3 * i, 3 * i + 3)]));
    const areas = triangles.map((triangle) => areaOf(xy, triangle));
    const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);
    assert.ok(
      areas.every((area) => area > 0),
      "counter-clockwise",
    );
    assert.ok(Math.abs(sum(areas) - sum(before)) <= 1e-9 * sum(before), "the same area");
    triangles.forEach((triangle, i) => {
      // The circumcircle of three collinear corners is not reliable after rounding.
      if (areas[i] < 1e-3) return;
      const { x, y, square } = circleAround(xy, triangle);
      for (let at = 0; at < xy.length; at += 2) {
        const away = (xy[at] - x) ** 2 + (xy[at + 1] - y) ** 2;
        assert.ok(away >= square * (1 - 1e-4), `round ${round}: corner ${at / 2} in the circle around ${triangle}`);
      }
    });
    turned += even.some((corner, i) => corner !== fan[i]) ? 1 : 0;
  }
  assert.ok(turned > 150, `${turned} turned`);
});

test("the boundary of a region is kept, whatever its shape", () => {
  // A dart: its only inner edge cannot be flipped.
  const xy = Float64Array.of(0, 0, 4, -4, 1, 0, 4, 4);
  const dart = Uint32Array.of(0, 1, 2, 0, 2, 3);
  assert.deepEqual(flipToDelaunay(xy, dart), dart);
});
