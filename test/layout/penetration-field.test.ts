import assert from "node:assert/strict";
import { test } from "node:test";
import { rotatePart } from "../../src/layout/part.ts";
import { depthAt, penetrationField } from "../../src/layout/penetration-field.ts";
import { distanceOf, edgesOf, polygons, rectangle, star } from "../fixture/polygons.ts";
import { fc } from "../fixture/property.ts";
import { slowRuns } from "../fixture/long.ts";

const PIXEL_MM = 1;
const aside = fc.constantFrom(0, 0.3, 0.9);
const still = { offsetX: 0, offsetY: 0 };

test("a depth is 0 if the exact distance is at least the spacing, else the distance to the nearest such position", () => {
  fc.assert(
    fc.property(
      star(2, 8),
      star(2, 8),
      aside,
      aside,
      fc.constantFrom(1e-6, 0.7, 3),
      (a, b, offsetX, offsetY, spacingMm) => {
        const [moving, fixed] = [rotatePart({ body: a }, 30), rotatePart({ body: b }, 0)];
        const field = penetrationField(
          { part: moving, ...still },
          { part: fixed, offsetX, offsetY },
          spacingMm,
          PIXEL_MM,
        );
        const beside = edgesOf(b, offsetX - fixed.box.minX, offsetY - fixed.box.minY);
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
    { numRuns: slowRuns(12) },
  );
});

test("a part in the hole of another is free", () => {
  const square = (half: number): [number, number][] => [
    [-half, -half],
    [half, -half],
    [half, half],
    [-half, half],
  ];
  const ring = rotatePart({ body: polygons(square(10), square(6).toReversed()) }, 0);
  const inner = rotatePart({ body: rectangle(8, 8) }, 0);
  const field = penetrationField({ part: inner, ...still }, { part: ring, ...still }, 1, PIXEL_MM);
  // The offset is from corner to corner: at 6 the middles of both coincide, with 1 mm more than the spacing on each side.
  assert.equal(depthAt(field, 6, 6), 0);
  assert.equal(depthAt(field, 7, 6), 0);
  assert.equal(depthAt(field, 8, 6), 1);
  assert.ok(depthAt(field, 3, 6) > 0);
});

test("supports may overlap other supports, but no body", () => {
  const part = rotatePart({ body: rectangle(4, 4), supports: rectangle(10, 10) }, 0);
  const field = penetrationField({ part, ...still }, { part, ...still }, 1e-6, PIXEL_MM);
  assert.ok(depthAt(field, 6, 0) > 0);
  assert.equal(depthAt(field, 8, 0), 0);
  const alone = rotatePart({ body: rectangle(10, 10) }, 0);
  assert.ok(depthAt(penetrationField({ part: alone, ...still }, { part: alone, ...still }, 1e-6, PIXEL_MM), 8, 0) > 0);
});
