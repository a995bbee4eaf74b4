import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { depthAt, depthFieldOf } from "../../../../src/place/layout/nest/depth-field.ts";
import { turnedPart } from "../../../../src/place/layout/part.ts";
import { distanceOf, edgesOf, rectangle, region, star } from "../../../fixture/regions.ts";

const PIXEL_MM = 1;
const aside = fc.constantFrom(0, 0.3, 0.9);
const still = { asideX: 0, asideY: 0 };

test("a depth is 0 where the exact distance is the spacing, and else the way to the nearest such place", () => {
  fc.assert(
    fc.property(
      star(2, 8),
      star(2, 8),
      aside,
      aside,
      fc.constantFrom(1e-6, 0.7, 3),
      (a, b, asideX, asideY, spacingMm) => {
        const [moving, fixed] = [turnedPart({ body: a }, 30), turnedPart({ body: b }, 0)];
        const field = depthFieldOf({ part: moving, ...still }, { part: fixed, asideX, asideY }, spacingMm, PIXEL_MM);
        const beside = edgesOf(b, asideX - fixed.box.minX, asideY - fixed.box.minY);
        const { edges } = moving.body;
        const free: [number, number][] = [];
        const blocked: [number, number][] = [];
        for (let row = field.row; row < field.row + field.rows; row++) {
          for (let column = field.column; column < field.column + field.columns; column++) {
            const [x, y] = [column * PIXEL_MM - moving.box.minX, row * PIXEL_MM - moving.box.minY];
            const moved = Array.from({ length: edges.length / 4 }, (_, i) => {
              const [ax, ay, bx, by] = edges.subarray(4 * i, 4 * i + 4);
              return [
                [ax + x, ay + y],
                [bx + x, by + y],
              ] as const;
            });
            (distanceOf(moved, beside) >= spacingMm ? free : blocked).push([column, row]);
          }
        }
        for (const [column, row] of free) assert.equal(depthAt(field, column, row), 0);
        for (const [column, row] of blocked) {
          const depth = Math.round(Math.min(...free.map(([x, y]) => Math.hypot(x - column, y - row))));
          assert.ok(
            Math.abs(depthAt(field, column, row) - depth) < 1e-4,
            `${depthAt(field, column, row)}, not ${depth}`,
          );
        }
        assert.equal(depthAt(field, field.column - 1, field.row), 0);
        assert.equal(depthAt(field, field.column, field.row + field.rows), 0);
      },
    ),
    { numRuns: 12, seed: 3 },
  );
});

test("a part in the hole of another is free", () => {
  const square = (half: number): [number, number][] => [
    [-half, -half],
    [half, -half],
    [half, half],
    [-half, half],
  ];
  const ring = turnedPart({ body: region(square(10), square(6).toReversed()) }, 0);
  const inner = turnedPart({ body: rectangle(8, 8) }, 0);
  const field = depthFieldOf({ part: inner, ...still }, { part: ring, ...still }, 1, PIXEL_MM);
  // Corner to corner, the middles of both are together at 6; there is 1 mm more than the spacing to each side.
  assert.equal(depthAt(field, 6, 6), 0);
  assert.equal(depthAt(field, 7, 6), 0);
  assert.equal(depthAt(field, 8, 6), 1);
  assert.ok(depthAt(field, 3, 6) > 0);
});

test("supports are free of those of others, but not of bodies", () => {
  const part = turnedPart({ body: rectangle(4, 4), supports: rectangle(10, 10) }, 0);
  const field = depthFieldOf({ part, ...still }, { part, ...still }, 1e-6, PIXEL_MM);
  assert.ok(depthAt(field, 6, 0) > 0);
  assert.equal(depthAt(field, 8, 0), 0);
  const alone = turnedPart({ body: rectangle(10, 10) }, 0);
  assert.ok(depthAt(depthFieldOf({ part: alone, ...still }, { part: alone, ...still }, 1e-6, PIXEL_MM), 8, 0) > 0);
});
