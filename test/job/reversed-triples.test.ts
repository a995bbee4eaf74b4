import assert from "node:assert/strict";
import { test } from "node:test";
import { reversedTriples } from "../../src/job/reversed-triples.ts";
import type { GreyPicture } from "../fixture/job/read-png-layer.ts";
import { runsOf } from "../fixture/job/runs-of.ts";
import { ODD_LAYERS, someLayer } from "../fixture/job/some-layers.ts";
import { fc } from "../fixture/property.ts";

/** Each pixel of the layer is in the column of its triple that is opposite, and the runs are those of these pixels. */
function assertReversed(picture: GreyPicture): void {
  const width = 3 * Math.ceil(picture.width / 3);
  const pixels = new Uint8Array(width * picture.height);
  for (const [at, value] of picture.pixels.entries()) {
    const x = at % picture.width;
    pixels[Math.floor(at / picture.width) * width + x + 2 - 2 * (x % 3)] = value;
  }
  const expected = runsOf({ width, height: picture.height, pixels });
  const { rowStarts, ...reversed } = reversedTriples(runsOf(picture));
  const runs = expected.rowStarts[picture.height];
  assert.deepEqual([reversed.width, reversed.height], [width, picture.height]);
  assert.deepEqual([...rowStarts.subarray(0, picture.height + 1)], [...expected.rowStarts]);
  for (const name of ["starts", "ends", "values"] as const) {
    assert.deepEqual([...reversed[name].subarray(0, runs)], [...expected[name].subarray(0, runs)]);
  }
}

test("the columns of each three are in reverse order", () => {
  fc.assert(fc.property(someLayer, assertReversed), { numRuns: 200 });
});

test("the columns of each three are in reverse order in odd layers", () => {
  for (const picture of Object.values(ODD_LAYERS)) if (picture.pixels.length < 100_000) assertReversed(picture);
});
