import assert from "node:assert/strict";
import { test } from "node:test";
import { bucketBy } from "../../src/geometry/bucket-by.ts";
import { fc } from "../fixture/property.ts";

const BUCKETS = 6;
const keys = fc.array(fc.integer({ min: -1, max: BUCKETS - 1 }), { maxLength: 40 });

test("each bucket contains the indices of its key, ascending; negative keys are in no bucket", () => {
  fc.assert(
    fc.property(keys, (list) => {
      const { starts, items } = bucketBy(Int32Array.from(list), BUCKETS);
      assert.equal(starts.length, BUCKETS + 1);
      const found = Array.from({ length: BUCKETS }, (_, bucket) => [
        ...items.subarray(starts[bucket], starts[bucket + 1]),
      ]);
      const expected = Array.from({ length: BUCKETS }, (_, bucket) =>
        [...list.keys()].filter((index) => list[index] === bucket),
      );
      assert.deepEqual(found, expected);
    }),
  );
});
