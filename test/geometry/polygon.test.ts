import assert from "node:assert/strict";
import { test } from "node:test";
import { boundingRectangle, EMPTY_RECTANGLE, unionRectangles } from "../../src/geometry/box.ts";
import { containsPoint, coordinateRange, polygonsArea, signedArea } from "../../src/geometry/polygon.ts";

const OUTLINE = Float64Array.of(0, 0, 4, 0, 4, 3, 0, 3);
const HOLE = Float64Array.of(1, 1, 1, 2, 2, 2, 2, 1);

test("holes are clockwise and count negative", () => {
  assert.deepEqual([signedArea(OUTLINE), signedArea(HOLE), polygonsArea([OUTLINE, HOLE])], [12, -1, 11]);
});

test("a region contains the points of its outline but not of its hole", () => {
  const inside = [
    [0.5, 0.5],
    [3, 2.5],
    [2.5, 1.5],
  ];
  const outside = [
    [1.5, 1.5],
    [-0.5, 1],
    [4.5, 1],
    [2, 3.5],
  ];
  for (const [x, y] of inside) assert.ok(containsPoint([OUTLINE, HOLE], x, y), `${x}, ${y}`);
  for (const [x, y] of outside) assert.ok(!containsPoint([OUTLINE, HOLE], x, y), `${x}, ${y}`);
});

test("ranges and rectangles bound all corners", () => {
  assert.deepEqual(
    [coordinateRange([HOLE, OUTLINE], 0), coordinateRange([OUTLINE], 1)],
    [
      [0, 4],
      [0, 3],
    ],
  );
  assert.deepEqual(boundingRectangle([HOLE, OUTLINE]), { minX: 0, minY: 0, maxX: 4, maxY: 3 });
  assert.deepEqual(boundingRectangle([]), EMPTY_RECTANGLE);
  const [hole, outline] = [boundingRectangle([HOLE]), boundingRectangle([OUTLINE])];
  assert.deepEqual(unionRectangles(unionRectangles(EMPTY_RECTANGLE, hole), outline), outline);
});
