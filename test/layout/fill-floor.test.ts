import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { noProgress } from "../../src/core/progress.ts";
import type { Polygons } from "../../src/geometry/polygon.ts";
import { UPRIGHT, rotationMatrix } from "../../src/geometry/pose.ts";
import { type CopySource, type FloorRequest, type FilledFloor, fillFloor } from "../../src/layout/fill-floor.ts";
import { distanceBeyondFloor, floorOf } from "../../src/layout/floor.ts";
import { distanceBetween } from "../../src/layout/indexed-polygon.ts";
import { type PlacedPart, rotatePart } from "../../src/layout/part.ts";
import { silhouetteOf } from "../../src/layout/silhouette.ts";
import { longTest, slowCases } from "../fixture/long.ts";
import { distanceOf, rectangle, standingEdges } from "../fixture/polygons.ts";
import { meshOf } from "../fixture/slices.ts";
import { surfaceOfStl } from "../fixture/surface-edits.ts";

const FLOOR = floorOf({ dimensionsMm: [200, 125, 210], filletRadiusMm: 5 });
const SHARP = (x: number, y: number) => floorOf({ dimensionsMm: [x, y, 100], filletRadiusMm: 0 });

const corpus = (name: string): Polygons =>
  silhouetteOf(
    meshOf(surfaceOfStl(readFileSync(new URL(`../fixture/corpus/${name}`, import.meta.url)))),
    rotationMatrix(UPRIGHT),
    1,
    noProgress,
  );
const source = (body: Polygons, changes: Partial<CopySource> = {}): CopySource => ({
  part: { body },
  x: 0,
  y: 0,
  turns: true,
  moves: true,
  ...changes,
});
const request = (changes: Partial<FloorRequest>): FloorRequest => ({
  floor: FLOOR,
  spacingMm: 2,
  sources: [],
  obstacles: [],
  maxCopies: 10_000,
  ...changes,
});
const all = ({ sources, copies }: FilledFloor): PlacedPart[] => [...sources, ...copies.flat()];

function assertApart(placed: readonly PlacedPart[], spacingMm: number): void {
  const edges = placed.map((one) => standingEdges(one));
  for (const [i, a] of edges.entries()) {
    for (const b of edges.slice(0, i)) {
      const gap = distanceOf(a, b);
      assert.ok(gap > 0 && gap >= spacingMm - 1e-6, `${gap} mm apart`);
    }
  }
}

/** Whether a part fits next to placed ones, at positions of a grid of `stepMm` and in 24 rotations. */
function hasPlace(
  body: Polygons,
  placed: readonly PlacedPart[],
  { floor, spacingMm }: FloorRequest,
  stepMm: number,
): boolean {
  const { minX, minY, maxX, maxY } = floor.bounds;
  /** The part that is too near; it probably is so at the next position as well. */
  let inTheWay: PlacedPart | undefined;
  for (let turn = 0; turn < 360; turn += 15) {
    const part = rotatePart({ body }, turn);
    for (let x = minX; x <= maxX; x += stepMm) {
      for (let y = minY; y <= maxY; y += stepMm) {
        if (distanceBeyondFloor(floor, part.hull, part.box, x, y) > 0) continue;
        const isTooNear = (one: PlacedPart): boolean =>
          distanceBetween(part.body, one.part.body, one.x - x, one.y - y, spacingMm) < spacingMm;
        if (inTheWay !== undefined && isTooNear(inTheWay)) continue;
        inTheWay = placed.find(isTooNear);
        if (inTheWay === undefined) return true;
      }
    }
  }
  return false;
}

// Number of copies that the arrange function of the peer slicer fits on this platform, with the same spacing.
for (const [name, spacingMm, peer] of [
  ["thingi-520644.stl", 2, 18],
  ["thingi-520644.stl", 6, 15],
  ["thingi-65004.stl", 6, 2],
  ["thingi-65004.stl", 2, 4],
] as const) {
  longTest(`at least ${peer} of ${name} fit ${spacingMm} mm apart, and no position is left for another one`, () => {
    const body = corpus(name);
    const fillRequest = request({ sources: [source(body)], spacingMm });
    const placed = all(fillFloor(fillRequest, noProgress));
    assert.ok(placed.length >= peer, `${placed.length} fit`);
    assertApart(placed, spacingMm);
    for (const { part, x, y } of placed) assert.ok(distanceBeyondFloor(FLOOR, part.hull, part.box, x, y) <= 1e-3);
    for (const stepMm of slowCases([3, 2])) {
      assert.ok(!hasPlace(body, placed, fillRequest, stepMm), "one more fits");
      assert.ok(hasPlace(body, placed.slice(0, 1), fillRequest, stepMm), "beside one alone there is room");
    }
  });
}

test("boxes fill a floor of exactly their size", () => {
  const fillRequest = request({ floor: SHARP(88, 64), sources: [source(rectangle(20, 14.5), { x: -34, y: -24.75 })] });
  const placed = all(fillFloor(fillRequest, noProgress));
  assert.equal(placed.length, 16);
  assertApart(placed, 2);
  assert.deepEqual([placed[0].x, placed[0].y], [-34, -24.75]);
});

test("sources keep their positions unless more copies fit when they move, and a locked source always does", () => {
  const body = rectangle(40, 40);
  const astray = { floor: SHARP(82, 82), sources: [source(body)] };
  const moved = all(fillFloor(request(astray), noProgress));
  assert.equal(moved.length, 4);
  const locked = fillFloor(request({ ...astray, sources: [source(body, { moves: false })] }), noProgress);
  assert.equal(locked.copies[0].length, 0);
  assert.deepEqual([locked.sources[0].x, locked.sources[0].y], [0, 0]);
});

longTest("copies are made of all sources in turn, away from obstacles, and at most as many as requested", () => {
  const obstacles = [{ part: rotatePart({ body: rectangle(50, 50) }, 0), x: 10, y: 5 }];
  const sources = [source(rectangle(20, 20), { x: -80, y: -40 }), source(rectangle(12, 30), { x: -50, y: -40 })];
  const fillRequest = request({ sources, obstacles });
  const filling = fillFloor(fillRequest, noProgress);
  const [first, second] = filling.copies.map((copies) => copies.length);
  assert.ok(first > 5 && second > 5 && Math.abs(first - second) < 12, `${first} and ${second}`);
  assertApart([...all(filling), ...obstacles], 2);
  const few = fillFloor({ ...fillRequest, maxCopies: 5 }, noProgress);
  assert.deepEqual(
    few.copies.map((copies) => copies.length),
    [3, 2],
  );
});

test("copies of a part that may not rotate have its orientation", () => {
  const filling = fillFloor(request({ sources: [source(rectangle(60, 110), { turns: false })] }), noProgress);
  assert.ok(all(filling).every(({ part }) => part.turnDeg === 0));
  assert.equal(all(filling).length, 3);
});
