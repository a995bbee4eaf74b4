import assert from "node:assert/strict";
import { test } from "node:test";
import type { Polygons } from "../../src/geometry/polygon.ts";
import { noProgress } from "../../src/core/progress.ts";
import { arrangeInRows as arrange } from "../../src/layout/arrange-in-rows.ts";
import { floorOf } from "../../src/layout/floor.ts";
import type { LayoutRequest } from "../../src/layout/layout-request.ts";
import { type PlacedPart, rotatePart } from "../../src/layout/part.ts";
import { distanceOf, rectangle, standingEdges, star } from "../fixture/polygons.ts";
import { fc } from "../fixture/property.ts";
import { slowRuns } from "../fixture/long.ts";

const floor = floorOf({ dimensionsMm: [200, 125, 210], filletRadiusMm: 5 });
const arrangeInRows = (asked: LayoutRequest): readonly PlacedPart[] | undefined => arrange(asked, noProgress);
const request = (bodies: readonly Polygons[], changes: Partial<LayoutRequest> = {}): LayoutRequest => ({
  floor,
  spacingMm: 2,
  parts: bodies.map((body) => ({ part: { body }, turns: true })),
  obstacles: [],
  dental: false,
  ...changes,
});

const distinct = (values: readonly number[]): number[] => [...new Set(values)].sort((a, b) => a - b);
const gapsOf = (values: readonly number[]): number[] => values.slice(1).map((value, i) => value - values[i]);

/** Rows and columns of equal parts, asserted to be a full grid with equal gaps. */
function assertGrid(placed: readonly PlacedPart[] | undefined, pitchX: number, pitchY: number): void {
  assert.ok(placed);
  const [columns, rows] = [distinct(placed.map(({ x }) => x)), distinct(placed.map(({ y }) => y))];
  assert.equal(columns.length * rows.length, placed.length);
  for (const gap of gapsOf(columns)) assert.ok(Math.abs(gap - pitchX) < 1e-9, `${gap}`);
  for (const gap of gapsOf(rows)) assert.ok(Math.abs(gap - pitchY) < 1e-9, `${gap}`);
  assert.ok(Math.abs(columns[0] + columns.at(-1)!) < 0.0011 && Math.abs(rows[0] + rows.at(-1)!) < 0.0011);
}

function turnedBy(rings: Polygons, degrees: number): Polygons {
  const [c, s] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  return rings.map((ring) =>
    ring.map((value, i) => (i % 2 === 0 ? c * value - s * ring[i + 1] : s * ring[i - 1] + c * value)),
  );
}

const copies = (count: number, body: Polygons): Polygons[] => Array.from({ length: count }, () => body);

test("equal boxes are placed in a grid with equal gaps, without rotation, in the middle", () => {
  const placed = arrangeInRows(request(copies(12, rectangle(20, 15))));
  assertGrid(placed, 22, 17);
  assert.ok(placed!.every(({ part }) => part.turnDeg === 0));
  assertGrid(arrangeInRows(request(copies(9, rectangle(10, 10)), { spacingMm: 0.1 + 0.2 })), 10.3, 10.3);
});

test("turned boxes are straightened by a round angle, and equal boxes are turned alike", () => {
  for (const [turn, expected, pitchX, pitchY] of [
    [30, -30, 22, 17],
    [17.3, -17.3, 22, 17],
    [-62.345, -27.655, 17, 22],
  ] as const) {
    const placed = arrangeInRows(request(copies(12, turnedBy(rectangle(20, 15), turn))));
    assert.deepEqual(distinct(placed!.map(({ part }) => part.turnDeg)), [expected], `${turn}`);
    assertGrid(placed, pitchX, pitchY);
  }
  for (const traceDeg of [179.99047, 0.004, -90.0051]) {
    const placed = arrangeInRows(request(copies(3, turnedBy(rectangle(20, 15), traceDeg))));
    assert.ok(placed!.every(({ part }) => part.turnDeg % 90 === 0));
  }
  const mixed = [...copies(6, rectangle(20, 15)), ...copies(6, rectangle(15, 20))];
  const placed = arrangeInRows(request(mixed))!;
  assert.equal(new Set(placed.map(({ part: { box } }) => box.maxX - box.minX)).size, 1);
  assert.ok(placed.every(({ part }) => part.turnDeg % 90 === 0));
});

test("a disc is not turned, nor are parts that must not turn", () => {
  const disc = [
    Float64Array.from({ length: 128 }, (_, i) => 9 * (i % 2 ? Math.sin : Math.cos)((Math.PI * (i >> 1)) / 32)),
  ];
  assert.ok(arrangeInRows(request(copies(5, disc)))!.every(({ part }) => part.turnDeg === 0));
  const fixed = request(copies(4, turnedBy(rectangle(20, 15), 30)));
  const placed = arrangeInRows({ ...fixed, parts: fixed.parts.map((part) => ({ ...part, turns: false })) });
  assert.ok(placed!.every(({ part }) => part.turnDeg === 0));
});

test("parts of any shape are at least the spacing apart and on the floor, also with an obstacle", () => {
  const anyParts = fc.array(star(3, 14), { minLength: 2, maxLength: 10 });
  fc.assert(
    fc.property(anyParts, fc.constantFrom(0, 0.3, 2, 6.5), fc.boolean(), (bodies, spacingMm, hasObstacle) => {
      const obstacle = { part: rotatePart({ body: rectangle(60, 40) }, 0), x: 0, y: 0 };
      const obstacles = hasObstacle ? [obstacle] : [];
      const placed = arrangeInRows(request(bodies, { spacingMm, obstacles }));
      if (!placed) return;
      const edges = [...placed, ...obstacles].map((one) => standingEdges(one));
      for (const [i, a] of edges.entries()) {
        for (const b of edges.slice(0, i)) assert.ok(distanceOf(a, b) >= spacingMm - 1e-9);
      }
      for (const [u, v] of edges.flat(1).map(([corner]) => corner)) {
        assert.ok(Math.abs(u) <= 100.001 && Math.abs(v) <= 62.501);
      }
    }),
    { numRuns: slowRuns(30) },
  );
});

test("there are rows next to an obstacle in the middle, and no rows without room for them", () => {
  const obstacles = [{ part: rotatePart({ body: rectangle(120, 40) }, 0), x: 0, y: 0 }];
  const placed = arrangeInRows(request(copies(8, rectangle(20, 15)), { obstacles }));
  assert.ok(placed!.every(({ y }) => Math.abs(y) > 20 + 7.5 + 2 - 1e-9));
  assert.equal(arrangeInRows(request(copies(200, rectangle(20, 15)))), undefined);
  assert.equal(arrangeInRows(request([])), undefined);
});
