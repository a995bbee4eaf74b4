import assert from "node:assert/strict";
import { test } from "node:test";
import { releaseArrays, wholeArrays } from "../../src/core/typed-arrays.ts";

test("arrays that span all of their memory are found in nested values; partial arrays and shared memory are not", () => {
  const [whole, other] = [Uint8Array.of(1, 2, 3), new Float64Array(4)];
  const shared = new Uint8Array(new SharedArrayBuffer(8));
  const value = { a: [whole, { b: other }], part: new Uint8Array(8).subarray(2), shared, text: "x", none: undefined };
  assert.deepEqual(
    wholeArrays(value).map(({ buffer }) => buffer),
    [whole.buffer, other.buffer],
  );
});

test("released arrays are empty; shared memory stays, and a second release changes nothing", () => {
  const [own, shared] = [new Float32Array(5), new Float32Array(new SharedArrayBuffer(20))];
  releaseArrays(own, shared);
  releaseArrays(own, shared);
  assert.deepEqual([own.length, shared.length], [0, 5]);
});
