import assert from "node:assert/strict";
import { test } from "node:test";
import { countDifferences } from "../../../src/job/inspect/compare-runs.ts";
import { runsOf } from "../../fixture/job/runs-of.ts";
import { someLayer } from "../../fixture/job/some-layers.ts";
import { slowRuns } from "../../fixture/long.ts";
import { fc } from "../../fixture/property.ts";

test("the differences of two pictures are those of their pixels", () => {
  const edits = fc.array(fc.tuple(fc.nat(), fc.nat({ max: 40 }), fc.integer({ min: 0, max: 255 })), { maxLength: 5 });
  const property = fc.property(someLayer, edits, (picture, changes) => {
    const pixels = picture.pixels.slice();
    for (const [at, length, value] of changes) {
      const from = at % pixels.length;
      pixels.fill(value, from, from + length);
    }
    const differences = [...pixels].map((value, at) => Math.abs(value - picture.pixels[at]));
    const expected = { pixels: differences.filter((one) => one > 0).length, largest: Math.max(0, ...differences) };
    const [a, b] = [runsOf(picture), runsOf({ ...picture, pixels })];
    assert.deepEqual(countDifferences(a, b), expected);
    assert.deepEqual(countDifferences(b, a), expected);
  });
  fc.assert(property, { numRuns: slowRuns(60) });
});
