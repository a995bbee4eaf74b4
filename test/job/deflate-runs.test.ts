import assert from "node:assert/strict";
import { test } from "node:test";
import { fc } from "../fixture/property.ts";
import { type CodeLengthRun, codeLengthRuns } from "../../src/job/deflate-runs.ts";

/** Decodes the runs, RFC 1951, section 3.2.7. */
function expanded(runs: readonly CodeLengthRun[]): number[] {
  const lengths: number[] = [];
  for (const {
    symbol,
    extra: [extra, bits],
  } of runs) {
    assert.ok(extra < 2 ** bits);
    assert.equal(bits, { 16: 2, 17: 3, 18: 7 }[symbol] ?? 0);
    const [value, times] = { 16: [lengths.at(-1)!, 3 + extra], 17: [0, 3 + extra], 18: [0, 11 + extra] }[symbol] ?? [
      symbol,
      1,
    ];
    for (let i = 0; i < times; i++) lengths.push(value);
  }
  return lengths;
}

const someLengths = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 15 }), fc.integer({ min: 1, max: 300 })), { maxLength: 20 })
  .map((runs) => Uint8Array.from(runs.flatMap(([value, times]) => Array.from({ length: times }, () => value))));

test("the runs decode to the lengths", () => {
  fc.assert(fc.property(someLengths, (lengths) => assert.deepEqual(expanded(codeLengthRuns(lengths)), [...lengths])));
});

test("a long repetition takes few runs", () => {
  assert.equal(codeLengthRuns(new Uint8Array(276)).length, 2);
  assert.equal(codeLengthRuns(new Uint8Array(13).fill(8)).length, 3);
});
