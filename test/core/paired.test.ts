import assert from "node:assert/strict";
import { test } from "node:test";
import { paired } from "../../src/core/paired.ts";

test("elements at equal indices become pairs, undefined ones as well", () => {
  assert.deepEqual(paired(["a", "b", "c"], [1, undefined, 3]), [
    ["a", 1],
    ["b", undefined],
    ["c", 3],
  ]);
  assert.deepEqual(paired([{ x: 1 }], Float64Array.of(0.5)), [[{ x: 1 }, 0.5]]);
  assert.deepEqual(paired([], []), []);
});

test("lists of different lengths are refused", () => {
  assert.throws(() => paired([1, 2], [1]), /^Error: 2 elements cannot be paired with 1\.$/);
  assert.throws(() => paired([], [1]), /^Error: 0 elements cannot be paired with 1\.$/);
});
