import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress } from "../../src/core/progress.ts";
import { nearbyBoxPairs } from "../../src/geometry/box-pairs.ts";
import { fc } from "../fixture/property.ts";

/** Whole numbers, so that boxes often touch, or are apart by exactly the reach. */
const interval = fc.tuple(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 6 }));
const boxes = fc
  .array(fc.tuple(interval, interval, interval), { maxLength: 40 })
  .map((sides) =>
    Float64Array.from(sides.flatMap((axes) => [...axes.map(([low]) => low), ...axes.map(([low, size]) => low + size)])),
  );

test("the pairs are those of a comparison of all boxes, each once", () => {
  fc.assert(
    fc.property(boxes, fc.integer({ min: 0, max: 3 }), (all, reachMm) => {
      const count = all.length / 6;
      const expected: string[] = [];
      for (let a = 0; a < count; a++) {
        for (let b = a + 1; b < count; b++) {
          const isNear = [0, 1, 2].every(
            (axis) =>
              all[6 * a + axis] - all[6 * b + 3 + axis] <= reachMm &&
              all[6 * b + axis] - all[6 * a + 3 + axis] <= reachMm,
          );
          if (isNear) expected.push(`${a} ${b}`);
        }
      }
      const found = [...nearbyBoxPairs(all, reachMm, noProgress)].map(
        ([a, b]) => `${Math.min(a, b)} ${Math.max(a, b)}`,
      );
      assert.deepEqual(found.sort(), expected.sort());
    }),
    { numRuns: 300 },
  );
});
