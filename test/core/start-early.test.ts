import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { startEarly } from "../../src/core/start-early.ts";

async function* counting(count: number, made: number[]): AsyncGenerator<number> {
  for (let i = 0; i < count; i++) {
    made.push(i);
    yield i;
  }
}

test("the first value is made before it is taken, the others when they are", async () => {
  const made: number[] = [];
  const values = startEarly(counting(3, made));
  await nextTurn();
  assert.deepEqual(made, [0]);
  const taken: number[] = [];
  for await (const value of values) {
    taken.push(value);
    assert.equal(made.length, taken.length);
  }
  assert.deepEqual(taken, [0, 1, 2]);
});

test("a generator without values has none early either", async () => {
  assert.deepEqual(await Array.fromAsync(startEarly(counting(0, []))), []);
});

test("an error is thrown where the value is taken, and is no unhandled rejection where it never is", async () => {
  async function* failing(): AsyncGenerator<number> {
    yield await Promise.reject(new Error("broken"));
  }
  const taken = startEarly(failing());
  startEarly(failing());
  // Unhandled rejections fail the test.
  await nextTurn();
  await assert.rejects(taken.next(), /broken/);
});

test("a generator that is stopped before its first value is taken makes no more", async () => {
  const made: number[] = [];
  const values = startEarly(counting(3, made));
  await values.return?.();
  assert.deepEqual(made, [0]);
});
