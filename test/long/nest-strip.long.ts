import assert from "node:assert/strict";
import { test } from "node:test";
import { CancelledError, cancelTask, newTaskState, noProgress, taskProgress } from "../../src/core/progress.ts";
import type { Polygons } from "../../src/geometry/polygon.ts";
import { firstFit, newOccupancyGrid, partPositions } from "../../src/layout/first-fit.ts";
import { type Floor, distanceBeyondFloor, floorOf } from "../../src/layout/floor.ts";
import { type PlacedPart, type RotatedPart, rotatePart } from "../../src/layout/part.ts";
import { nestStrip } from "../bench/nest-strip.ts";
import { distanceOf, rectangle, standingEdges, star } from "../fixture/polygons.ts";
import { fc } from "../fixture/property.ts";

const floorWith = (filletRadiusMm: number): Floor => floorOf({ dimensionsMm: [60, 150, 100], filletRadiusMm });
const turned = (body: Polygons): RotatedPart[] => [0, 90, 180, 270].map((turn) => rotatePart({ body }, turn));

function firstFits(
  parts: readonly RotatedPart[][],
  floor: Floor,
  spacingMm: number,
  obstacles: PlacedPart[],
): PlacedPart[] {
  const site = newOccupancyGrid(floor, spacingMm, obstacles);
  return parts.map((turns) => {
    const placed = firstFit(
      turns.map((part) => partPositions(part, site)),
      site,
      "front",
      () => {},
    );
    assert.ok(placed);
    return placed;
  });
}

const reachOf = (placed: readonly PlacedPart[]): number => Math.max(...placed.map(({ part, y }) => y + part.box.maxY));

test("the strip is shorter than by first fit, with exact spacing, on the floor, and equal in each run", () => {
  let shorter = 0;
  fc.assert(
    fc.property(
      fc.array(star(3, 11), { minLength: 4, maxLength: 11 }),
      star(3, 8),
      fc.constantFrom(0, 0.4, 2),
      fc.constantFrom(0, 12),
      (bodies, obstacle, spacingMm, filletRadiusMm) => {
        const floor = floorWith(filletRadiusMm);
        const obstacles = [{ part: rotatePart({ body: obstacle }, 0), x: 4.3, y: -50.2 }];
        const parts = bodies.map(turned);
        const start = firstFits(parts, floor, spacingMm, obstacles);
        const request = { floor, spacingMm, parts, obstacles, pixelMm: 0.5 };
        const nested = nestStrip(request, start, 150, noProgress);
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
          assert.ok(distanceBeyondFloor(floor, part.hull, part.box, x, y) <= 1e-6);
        }
        assert.deepEqual(nestStrip(request, start, 150, noProgress), nested);
      },
    ),
    { numRuns: 5 },
  );
  assert.ok(shorter >= 2, `shorter ${shorter} times`);
});

test("a strip that cannot be shorter is kept", () => {
  const floor = floorWith(0);
  const parts = [[rotatePart({ body: rectangle(20, 30) }, 0)]];
  const [{ y, part }] = nestStrip(
    { floor, spacingMm: 1, parts, obstacles: [], pixelMm: 1 },
    firstFits(parts, floor, 1, []),
    50,
    noProgress,
  );
  assert.ok(Math.abs(y + part.box.minY - floor.bounds.minY) < 1e-3);
});

test("strip packing stops when it is cancelled", () => {
  const floor = floorWith(0);
  const parts = Array.from({ length: 8 }, () => turned(rectangle(13, 17)));
  const start = firstFits(parts, floor, 1, []);
  const state = newTaskState();
  cancelTask(state);
  const request = { floor, spacingMm: 1, parts, obstacles: [], pixelMm: 1 };
  assert.throws(() => nestStrip(request, start, 100, taskProgress(state)), CancelledError);
});
