import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { cancelJob, Cancelled, newJobState, unwatched, watchJob } from "../../../../src/core/watch.ts";
import { firstFit } from "../../../../src/place/layout/first-fit.ts";
import { beyondMm, type Floor, floorOf } from "../../../../src/place/layout/floor.ts";
import { nestStrip } from "../../../../src/place/layout/nest/nest-strip.ts";
import { type Standing, type TurnedPart, turnedPart } from "../../../../src/place/layout/part.ts";
import type { Region } from "../../../../src/place/layout/region.ts";
import { newSite, placesOf } from "../../../../src/place/layout/site.ts";
import { distanceOf, rectangle, standingEdges, star } from "../../../fixture/regions.ts";

const floorWith = (filletRadiusMm: number): Floor => floorOf({ dimensionsMm: [60, 150, 100], filletRadiusMm });
const turned = (body: Region): TurnedPart[] => [0, 90, 180, 270].map((turn) => turnedPart({ body }, turn));

function firstFits(parts: readonly TurnedPart[][], floor: Floor, spacingMm: number, obstacles: Standing[]): Standing[] {
  const site = newSite(floor, spacingMm, obstacles);
  return parts.map((turns) => {
    const standing = firstFit(
      turns.map((part) => placesOf(part, site)),
      site,
      "front",
      () => {},
    );
    assert.ok(standing);
    return standing;
  });
}

const reachOf = (standing: readonly Standing[]): number =>
  Math.max(...standing.map(({ part, y }) => y + part.box.maxY));

test("parts reach less far than by first fit, apart by exact distances, on the floor; the same way each time", () => {
  let shorter = 0;
  fc.assert(
    fc.property(
      fc.array(star(3, 11), { minLength: 4, maxLength: 11 }),
      star(3, 8),
      fc.constantFrom(0, 0.4, 2),
      fc.constantFrom(0, 12),
      (bodies, obstacle, spacingMm, filletRadiusMm) => {
        const floor = floorWith(filletRadiusMm);
        const obstacles = [{ part: turnedPart({ body: obstacle }, 0), x: 4.3, y: -50.2 }];
        const parts = bodies.map(turned);
        const start = firstFits(parts, floor, spacingMm, obstacles);
        const request = { floor, spacingMm, parts, obstacles, pixelMm: 0.5 };
        const nested = nestStrip(request, start, 150, unwatched);
        assert.ok(reachOf(nested) <= reachOf(start));
        if (reachOf(nested) < reachOf(start) - 0.1) shorter++;
        const edges = [...nested, ...obstacles].map((one) => standingEdges(one));
        for (const [i, a] of edges.entries()) {
          for (const b of edges.slice(0, i)) {
            const gap = distanceOf(a, b);
            assert.ok(gap > 0 && gap >= spacingMm - 1e-6, `${gap} mm apart`);
          }
        }
        for (const [i, { part, x, y }] of nested.entries()) {
          assert.ok(parts[i].includes(part));
          assert.ok(beyondMm(floor, part.hull, part.box, x, y) <= 1e-6);
        }
        assert.deepEqual(nestStrip(request, start, 150, unwatched), nested);
      },
    ),
    { numRuns: 5, seed: 5 },
  );
  assert.ok(shorter >= 2, `shorter ${shorter} times`);
});

test("parts that cannot be shorter stay as they are", () => {
  const floor = floorWith(0);
  const parts = [[turnedPart({ body: rectangle(20, 30) }, 0)]];
  const [{ y, part }] = nestStrip(
    { floor, spacingMm: 1, parts, obstacles: [], pixelMm: 1 },
    firstFits(parts, floor, 1, []),
    50,
    unwatched,
  );
  assert.ok(Math.abs(y + part.box.minY - floor.bounds.minY) < 1e-3);
});

test("it stops when it is cancelled", () => {
  const floor = floorWith(0);
  const parts = Array.from({ length: 8 }, () => turned(rectangle(13, 17)));
  const start = firstFits(parts, floor, 1, []);
  const state = newJobState();
  cancelJob(state);
  const request = { floor, spacingMm: 1, parts, obstacles: [], pixelMm: 1 };
  assert.throws(() => nestStrip(request, start, 100, watchJob(state)), Cancelled);
});
