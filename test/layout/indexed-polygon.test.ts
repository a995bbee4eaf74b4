import assert from "node:assert/strict";
import { test } from "node:test";
import { distanceBetween, indexPolygon } from "../../src/layout/indexed-polygon.ts";
import { distanceOf, edgesOf, polygons, rectangle, star } from "../fixture/polygons.ts";
import { fc } from "../fixture/property.ts";

const FAR_MM = 1000;
const away = fc.integer({ min: -45_000, max: 45_000 }).map((micrometres) => micrometres / 1000);

test("the distance of two polygons is the least of all pairs of edges, and 0 if they overlap", () => {
  let [overlapping, apart] = [0, 0];
  fc.assert(
    fc.property(star(2, 20), star(2, 20), away, away, (a, b, dx, dy) => {
      const found = distanceBetween(indexPolygon(a, 0), indexPolygon(b, 0), dx, dy, FAR_MM);
      const expected = distanceOf(edgesOf(a), edgesOf(b, dx, dy));
      assert.ok(Math.abs(found - expected) < 1e-9, `${found} is not ${expected}`);
      if (expected === 0) overlapping++;
      else apart++;
    }),
    { numRuns: 2000 },
  );
  assert.ok(overlapping > 200 && apart > 200);
});

test("distances above the limit are given as the limit", () => {
  const [a, b] = [indexPolygon(rectangle(10, 10), 0), indexPolygon(rectangle(4, 4), 0)];
  assert.equal(distanceBetween(a, b, 12, 0, 3), 3);
  assert.equal(distanceBetween(a, b, 9, 0, 3), 2);
});

test("a part inside another overlaps it, one in its hole does not", () => {
  const inner = [
    [-8, -8],
    [-8, 8],
    [8, 8],
    [8, -8],
  ] as const;
  const frame = indexPolygon(
    polygons(
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
  const small = indexPolygon(rectangle(2, 2), 0);
  assert.equal(distanceBetween(indexPolygon(rectangle(20, 20), 0), small, 3, 0, FAR_MM), 0);
  assert.equal(distanceBetween(small, indexPolygon(rectangle(20, 20), 0), 3, 0, FAR_MM), 0);
  assert.equal(distanceBetween(frame, small, 3, 0, FAR_MM), 4);
  assert.equal(distanceBetween(frame, small, 9, 0, FAR_MM), 0);
});
