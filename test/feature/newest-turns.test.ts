import assert from "node:assert/strict";
import { test } from "node:test";
import { NewestTurns } from "../../src/feature/support-preview/newest-turns.ts";

/** Work that ends when the test says so. */
function stopped(turns: NewestTurns, key: string) {
  const gate = Promise.withResolvers<string>();
  const seen = { began: false };
  const result = turns.run(key, () => {
    seen.began = true;
    return gate.promise;
  });
  return { ...gate, seen, result };
}

test("of the work that waits for a turn of its key only the newest runs; other keys do not wait", async () => {
  const turns = new NewestTurns();
  const [first, second, third] = ["a", "a", "a"].map((key) => stopped(turns, key));
  const other = stopped(turns, "b");
  await assert.rejects(second.result, { code: "OPERATION_CANCELLED", message: /newer preview/ });
  assert.deepEqual(
    [first, second, third, other].map(({ seen }) => seen.began),
    [true, false, false, true],
  );
  first.resolve("first");
  assert.equal(await first.result, "first");
  third.resolve("third");
  assert.equal(await third.result, "third");
  assert.equal(second.seen.began, false);
});

test("work that fails gives its turn to the next", async () => {
  const turns = new NewestTurns();
  const first = stopped(turns, "a");
  const next = stopped(turns, "a");
  first.reject(new Error("broken"));
  await assert.rejects(first.result, /broken/);
  next.resolve("next");
  assert.equal(await next.result, "next");
  const later = stopped(turns, "a");
  later.resolve("later");
  assert.equal(await later.result, "later");
});
