import assert from "node:assert/strict";
import { test } from "node:test";
import { newIndexSet } from "../../src/geometry/index-set.ts";
import { fc } from "../fixture/property.ts";

test("a set of indices finds the first member from any index on, and starts again after the end", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 2500 }),
      fc.boolean(),
      fc.array(fc.record({ index: fc.nat(), isAdded: fc.boolean(), from: fc.nat() }), { maxLength: 30 }),
      (count, isFull, steps) => {
        const set = newIndexSet(count, isFull);
        const known = new Set(isFull ? Array.from({ length: count }, (_, i) => i) : []);
        for (const { index, isAdded, from } of steps) {
          if (isAdded) set.add(index % count);
          else set.remove(index % count);
          if (isAdded) known.add(index % count);
          else known.delete(index % count);
          const sorted = [...known].sort((a, b) => a - b);
          assert.equal(set.firstFrom(from % count), sorted.find((member) => member >= from % count) ?? sorted[0]);
        }
      },
    ),
    { numRuns: 60 },
  );
});
