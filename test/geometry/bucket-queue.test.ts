import assert from "node:assert/strict";
import { test } from "node:test";
import { BucketQueue } from "../../src/geometry/bucket-queue.ts";
import { randomFrom } from "../fixture/random.ts";

test("items leave from the lowest bucket, the last added one first, also while others are added", () => {
  const random = randomFrom(5);
  for (let round = 0; round < 20; round++) {
    const queue = new BucketQueue();
    const expected: { item: number; bucket: number }[] = [];
    const buckets = 1 + Math.floor(2000 * random());
    for (let step = 0; step < 1500; step++) {
      if (random() < (step < 1000 ? 0.6 : 0.3)) {
        const bucket = Math.floor(buckets * random());
        queue.add(step, bucket);
        expected.push({ item: step, bucket });
        continue;
      }
      const lowest = Math.min(...expected.map(({ bucket }) => bucket));
      const at = expected.findLastIndex(({ bucket }) => bucket === lowest);
      assert.equal(queue.take(), expected[at]?.item ?? -1);
      if (at < 0) continue;
      assert.equal(queue.bucket, lowest);
      expected.splice(at, 1);
    }
  }
});
