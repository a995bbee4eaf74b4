import assert from "node:assert/strict";
import { test } from "node:test";
import { memoize } from "../../src/core/memoize.ts";

test("the work runs once for each object, whatever its result, and again if it threw an error", () => {
  let calls = 0;
  const sizeOf = memoize((list: readonly number[]) => {
    calls++;
    if (list.length === 2) throw new Error("two");
    return list.length === 0 ? undefined : list.length;
  });
  const [none, one, two] = [[], [1], [1, 2]];
  for (let i = 0; i < 3; i++) assert.deepEqual([sizeOf(none), sizeOf(one)], [undefined, 1]);
  assert.equal(calls, 2);
  for (let i = 0; i < 2; i++) assert.throws(() => sizeOf(two), /two/);
  assert.equal(calls, 4);
  assert.equal(sizeOf([1]), 1);
  assert.equal(calls, 5);
});

test("other arguments are those of the first call, and do not affect the result", () => {
  const seen: string[] = [];
  const firstOf = memoize((list: readonly number[], caller: string) => {
    seen.push(caller);
    return list[0];
  });
  const [a, b] = [[1], [2]];
  assert.deepEqual([firstOf(a, "first"), firstOf(a, "second"), firstOf(b, "third")], [1, 1, 2]);
  assert.deepEqual(seen, ["first", "third"]);
});
