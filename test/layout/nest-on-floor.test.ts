import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress } from "../../src/core/progress.ts";
import { distanceBeyondFloor, floorOf } from "../../src/layout/floor.ts";
import { nestOnFloor } from "../../src/layout/nest-on-floor.ts";
import { rotatePart } from "../../src/layout/part.ts";
import { longTest, slowRuns } from "../fixture/long.ts";
import { distanceOf, polygons, rectangle, standingEdges, star } from "../fixture/polygons.ts";
import { fc } from "../fixture/property.ts";

const turns = [0, 90, 180, 270];

longTest("parts keep the spacing to each other and to obstacles inside the rounded floor", () => {
  const numRuns = slowRuns(8);
  let complete = 0;
  fc.assert(
    fc.property(
      fc.array(star(3, 12), { minLength: 2, maxLength: 12 }),
      star(4, 9),
      fc.constantFrom(0, 1.3),
      fc.constantFrom(0, 20),
      (bodies, obstacle, spacingMm, filletRadiusMm) => {
        const floor = floorOf({ dimensionsMm: [70, 60, 50], filletRadiusMm });
        const obstacles = [{ part: rotatePart({ body: obstacle }, 0), x: -10.1, y: 3.3 }];
        const parts = bodies.map((body) => turns.map((turn) => rotatePart({ body }, turn)));
        const nested = nestOnFloor({ floor, spacingMm, parts, obstacles, pixelMm: 0.5 }, 300, noProgress);
        if (!nested) return;
        complete++;
        assert.equal(nested.length, bodies.length);
        const edges = [...nested, ...obstacles].map((one) => standingEdges(one));
        for (const [i, a] of edges.entries()) {
          for (const b of edges.slice(0, i)) {
            const gap = distanceOf(a, b);
            assert.ok(gap > 0 && gap >= spacingMm - 1e-6, `${gap} mm apart`);
          }
        }
        for (const { part, x, y } of nested) assert.ok(distanceBeyondFloor(floor, part.hull, part.box, x, y) <= 1e-6);
      },
    ),
    { numRuns },
  );
  assert.ok(complete >= numRuns / 2, `${complete} complete`);
});

test("wedges that fit only in opposite directions are placed so, and parts that cannot fit give no result", () => {
  const wedge = polygons([
    [0, 0],
    [30, 0],
    [4, 50],
    [0, 50],
  ]);
  const parts = Array.from({ length: 4 }, () => [0, 180].map((turn) => rotatePart({ body: wedge }, turn)));
  const request = (width: number) => ({
    floor: floorOf({ dimensionsMm: [width, 52, 50], filletRadiusMm: 0 }),
    spacingMm: 0.5,
    parts,
    obstacles: [],
    pixelMm: 0.5,
  });
  const nested = nestOnFloor(request(76), 1000, noProgress);
  assert.deepEqual(
    nested?.map(({ part }) => part.turnDeg).toSorted((a, b) => a - b),
    [0, 0, 180, 180],
  );
  assert.equal(nestOnFloor(request(60), 300, noProgress), undefined);
  assert.equal(
    nestOnFloor({ ...request(76), parts: [[rotatePart({ body: rectangle(77, 5) }, 0)]] }, 300, noProgress),
    undefined,
  );
});
