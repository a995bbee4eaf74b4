import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { test } from "node:test";
import { deflateSync } from "node:zlib";
import fc from "fast-check";
import { adlerOf } from "../../../../src/format/job/png/adler-of.ts";

type Run = readonly [value: number, length: number];

const sum = (runs: readonly Run[]): number =>
  adlerOf({
    values: Uint8Array.from(runs, ([value]) => value),
    lengths: Uint32Array.from(runs, ([, length]) => length),
    size: runs.length,
  });

/** The same sum as zlib puts it at the end of its streams. */
const zlibSum = (runs: readonly Run[]): number =>
  deflateSync(Buffer.concat(runs.map(([value, length]) => Buffer.alloc(length, value))))
    .subarray(-4)
    .readUInt32BE();

/** By modular arithmetic in whole numbers, for lengths that no buffer holds. */
function exactSum(runs: readonly Run[]): number {
  let [a, b] = [1n, 0n];
  for (const [value, length] of runs.map((run) => run.map(BigInt))) {
    b = (b + length * a + (value * length * (length + 1n)) / 2n) % 65_521n;
    a = (a + value * length) % 65_521n;
  }
  return Number((b << 16n) | a);
}

const value = fc.integer({ min: 0, max: 255 });
const someRuns = (most: number) => fc.array(fc.tuple(value, fc.integer({ min: 1, max: most })), { maxLength: 50 });

test("the sum is zlib's", () => {
  fc.assert(fc.property(someRuns(5000), (runs) => assert.equal(sum(runs), zlibSum(runs))));
});

test("the sum is exact for bytes by the thousand million", () => {
  const dark = fc.tuple(fc.constant(0), fc.integer({ min: 1, max: 2 ** 26 }));
  const light = fc.tuple(value, fc.integer({ min: 1, max: 2 ** 16 }));
  const runs = fc.array(fc.oneof(dark, light), { minLength: 30, maxLength: 60, size: "max" });
  fc.assert(fc.property(runs, (runs) => assert.equal(sum(runs), exactSum(runs))));
  const most = Array.from({ length: 2000 }, (_, i): Run => (i % 2 ? [0, 2 ** 21] : [255, 2 ** 16]));
  assert.equal(sum(most), exactSum(most));
});
