import assert from "node:assert/strict";
import { test } from "node:test";
import { wireMm, wireMm2, wirePercent, wireS, wireVolume } from "../../src/scene/wire-numbers.ts";
import { fc } from "../fixture/property.ts";

const DECIMALS = [
  [wireMm, 6],
  [wireMm2, 4],
  [wireVolume, 6],
  [wireS, 1],
  [wirePercent, 3],
] as const;

for (const [rounded, decimals] of DECIMALS) {
  test(`a number with ${decimals} decimals is near the value, has no more decimals, and stays when rounded again`, () => {
    fc.assert(
      fc.property(fc.double({ min: -1e6, max: 1e6, noNaN: true }), (value) => {
        const result = rounded(value);
        assert.ok(Math.abs(result - value) <= 0.5001 * 10 ** -decimals);
        assert.equal(Number(result.toFixed(decimals)), result);
        assert.ok(Object.is(rounded(result), result) && !Object.is(result, -0));
      }),
    );
  });
}

test("rounding errors of sums disappear", () => {
  assert.equal(wireS(2357.8750000000014), 2357.9);
  assert.equal(wireVolume(0.1 + 0.2), 0.3);
  assert.ok(Object.is(wireMm(-1e-12), 0));
});
