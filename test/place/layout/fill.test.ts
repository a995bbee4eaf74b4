import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { unwatched } from "../../../src/core/watch.ts";
import { toMatrix, UPRIGHT } from "../../../src/mesh/pose.ts";
import { fill, type Filling, type FillRequest, type Source } from "../../../src/place/layout/fill.ts";
import { beyondMm, floorOf } from "../../../src/place/layout/floor.ts";
import { gapBetween } from "../../../src/place/layout/gap.ts";
import { type Standing, turnedPart } from "../../../src/place/layout/part.ts";
import type { Region } from "../../../src/place/layout/region.ts";
import { silhouetteOf } from "../../../src/place/layout/silhouette-of.ts";
import { surfaceOfStl } from "../../fixture/altered.ts";
import { distanceOf, rectangle, standingEdges } from "../../fixture/regions.ts";
import { meshOf } from "../../fixture/slices.ts";

const FLOOR = floorOf({ dimensionsMm: [200, 125, 210], filletRadiusMm: 5 });
const SHARP = (x: number, y: number) => floorOf({ dimensionsMm: [x, y, 100], filletRadiusMm: 0 });

const corpus = (name: string): Region =>
  silhouetteOf(
    meshOf(surfaceOfStl(readFileSync(new URL(`../../fixture/corpus/${name}`, import.meta.url)))),
    toMatrix(UPRIGHT),
    1,
    unwatched,
  );
const source = (body: Region, changes: Partial<Source> = {}): Source => ({
  part: { body },
  x: 0,
  y: 0,
  turns: true,
  moves: true,
  ...changes,
});
const request = (changes: Partial<FillRequest>): FillRequest => ({
  floor: FLOOR,
  spacingMm: 2,
  sources: [],
  obstacles: [],
  mostCopies: 10_000,
  ...changes,
});
const all = ({ sources, copies }: Filling): Standing[] => [...sources, ...copies.flat()];

function assertApart(standing: readonly Standing[], spacingMm: number): void {
  const edges = standing.map((one) => standingEdges(one));
  for (const [i, a] of edges.entries()) {
    for (const b of edges.slice(0, i)) {
      const gap = distanceOf(a, b);
      assert.ok(gap > 0 && gap >= spacingMm - 1e-6, `${gap} mm apart`);
    }
  }
}

/** Whether a part has a place beside those that stand, on a grid of `stepMm` and at each of many turns. */
function hasPlace(
  body: Region,
  standing: readonly Standing[],
  { floor, spacingMm }: FillRequest,
  stepMm: number,
): boolean {
  const { minX, minY, maxX, maxY } = floor.bounds;
  /** Likely in the way of the next place, too. */
  let inTheWay: Standing | undefined;
  for (let turn = 0; turn < 360; turn += 15) {
    const part = turnedPart({ body }, turn);
    for (let x = minX; x <= maxX; x += stepMm) {
      for (let y = minY; y <= maxY; y += stepMm) {
        if (beyondMm(floor, part.hull, part.box, x, y) > 0) continue;
        const isTooNear = (one: Standing): boolean =>
          gapBetween(part.body, one.part.body, one.x - x, one.y - y, spacingMm) < spacingMm;
        if (inTheWay !== undefined && isTooNear(inTheWay)) continue;
        inTheWay = standing.find(isTooNear);
        if (inTheWay === undefined) return true;
      }
    }
  }
  return false;
}

// Copies that the peer slicer's arrange fits on this platform, with the same gaps.
for (const [name, spacingMm, peer] of [
  ["thingi-520644.stl", 6, 15],
  ["thingi-520644.stl", 2, 18],
  ["thingi-65004.stl", 6, 2],
  ["thingi-65004.stl", 2, 4],
] as const) {
  test(`at least ${peer} of ${name} fit ${spacingMm} mm apart, and not one more beside them`, () => {
    const body = corpus(name);
    const asked = request({ sources: [source(body)], spacingMm });
    const standing = all(fill(asked, unwatched));
    assert.ok(standing.length >= peer, `${standing.length} fit`);
    assertApart(standing, spacingMm);
    for (const { part, x, y } of standing) assert.ok(beyondMm(FLOOR, part.hull, part.box, x, y) <= 1e-3);
    assert.ok(!hasPlace(body, standing, asked, 2), "one more fits");
    assert.ok(hasPlace(body, standing.slice(0, 1), asked, 2), "beside one alone there is room");
  });
}

test("boxes fill a floor that they measure to the last", () => {
  const asked = request({ floor: SHARP(88, 64), sources: [source(rectangle(20, 14.5), { x: -34, y: -24.75 })] });
  const standing = all(fill(asked, unwatched));
  assert.equal(standing.length, 16);
  assertApart(standing, 2);
  assert.deepEqual([standing[0].x, standing[0].y], [-34, -24.75]);
});

test("sources stay unless more fit once they move, and one that is locked always stays", () => {
  const body = rectangle(40, 40);
  const astray = { floor: SHARP(82, 82), sources: [source(body)] };
  const moved = all(fill(request(astray), unwatched));
  assert.equal(moved.length, 4);
  const locked = fill(request({ ...astray, sources: [source(body, { moves: false })] }), unwatched);
  assert.equal(locked.copies[0].length, 0);
  assert.deepEqual([locked.sources[0].x, locked.sources[0].y], [0, 0]);
});

test("copies are of all sources in turn, keep clear of what stays, and are no more than asked for", () => {
  const obstacles = [{ part: turnedPart({ body: rectangle(50, 50) }, 0), x: 10, y: 5 }];
  const sources = [source(rectangle(20, 20), { x: -80, y: -40 }), source(rectangle(12, 30), { x: -50, y: -40 })];
  const asked = request({ sources, obstacles });
  const filling = fill(asked, unwatched);
  const [first, second] = filling.copies.map((copies) => copies.length);
  assert.ok(first > 5 && second > 5 && Math.abs(first - second) < 12, `${first} and ${second}`);
  assertApart([...all(filling), ...obstacles], 2);
  const few = fill({ ...asked, mostCopies: 5 }, unwatched);
  assert.deepEqual(
    few.copies.map((copies) => copies.length),
    [3, 2],
  );
});

test("copies of a part that may not turn stand as it does", () => {
  const filling = fill(request({ sources: [source(rectangle(60, 110), { turns: false })] }), unwatched);
  assert.ok(all(filling).every(({ part }) => part.turnDeg === 0));
  assert.equal(all(filling).length, 3);
});
