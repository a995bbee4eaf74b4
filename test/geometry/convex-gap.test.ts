import assert from "node:assert/strict";
import { test } from "node:test";
import { areHullsApart } from "../../src/geometry/convex-gap.ts";

const square = (x: number, y: number): Float64Array => Float64Array.of(x, y, x + 1, y, x + 1, y + 1, x, y + 1);

test("squares with a gap along an axis are apart up to the size of the gap", () => {
  assert.equal(areHullsApart(square(0, 0), square(3, 0.5), 2), true);
  assert.equal(areHullsApart(square(3, 0.5), square(0, 0), 2), true);
  assert.equal(areHullsApart(square(0, 0), square(3, 0.5), 2.001), false);
  assert.equal(areHullsApart(square(0, 0), square(0.5, 0.5), 0), false);
});

test("only lines along sides separate: a larger distance between corners does not count", () => {
  // The corners are 1.41 mm apart, the lines of the sides 1 mm.
  assert.equal(areHullsApart(square(0, 0), square(2, 2), 1), true);
  assert.equal(areHullsApart(square(0, 0), square(2, 2), 1.2), false);
});

test("a side of either polygon may be the one that separates", () => {
  const triangle = Float64Array.of(2, 2.2, 2.2, 2, 2.2, 2.2);
  assert.equal(areHullsApart(square(0, 0), triangle, 1.1), true);
  assert.equal(areHullsApart(triangle, square(0, 0), 1.1), true);
});
