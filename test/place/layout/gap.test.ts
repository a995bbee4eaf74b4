import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { gapBetween } from "../../../src/place/layout/gap.ts";
import { turnedShape } from "../../../src/place/layout/shape.ts";
import { distanceOf, edgesOf, rectangle, region, star } from "../../fixture/regions.ts";

const FAR_MM = 1000;
const away = fc.integer({ min: -45_000, max: 45_000 }).map((micrometres) => micrometres / 1000);

test("the gap of two regions is that of all pairs of their edges, and 0 where they overlap", () => {
  let [overlapping, apart] = [0, 0];
  fc.assert(
    fc.property(star(2, 20), star(2, 20), away, away, (a, b, dx, dy) => {
      const found = gapBetween(turnedShape(a, 0), turnedShape(b, 0), dx, dy, FAR_MM);
      const expected = distanceOf(edgesOf(a), edgesOf(b, dx, dy));
      assert.ok(Math.abs(found - expected) < 1e-9, `${found} is not ${expected}`);
      if (expected === 0) overlapping++;
      else apart++;
    }),
    { numRuns: 2000, seed: 3 },
  );
  assert.ok(overlapping > 200 && apart > 200);
});

test("gaps wider than the caller cares for are told as that", () => {
  const [a, b] = [turnedShape(rectangle(10, 10), 0), turnedShape(rectangle(4, 4), 0)];
  assert.equal(gapBetween(a, b, 12, 0, 3), 3);
  assert.equal(gapBetween(a, b, 9, 0, 3), 2);
});

test("a part inside another overlaps it, one in its hole does not", () => {
  const inner = [
    [-8, -8],
    [-8, 8],
    [8, 8],
    [8, -8],
  ] as const;
  const frame = turnedShape(
    region(
      ...[
        [
          [-10, -10],
          [10, -10],
          [10, 10],
          [-10, 10],
        ],
        inner,
      ].map((ring) => ring.map(([x, y]) => [x, y] as const)),
    ),
    0,
  );
  const small = turnedShape(rectangle(2, 2), 0);
  assert.equal(gapBetween(turnedShape(rectangle(20, 20), 0), small, 3, 0, FAR_MM), 0);
  assert.equal(gapBetween(small, turnedShape(rectangle(20, 20), 0), 3, 0, FAR_MM), 0);
  assert.equal(gapBetween(frame, small, 3, 0, FAR_MM), 4);
  assert.equal(gapBetween(frame, small, 9, 0, FAR_MM), 0);
});
