import assert from "node:assert/strict";
import { test } from "node:test";
import { addFaintRegions } from "../../src/check/faint-regions.ts";
import { randomFrom } from "../fixture/random.ts";
import { flooded, paint, pixelsAround, randomBitmap, spanLayerOf } from "../fixture/span-layer.ts";

test("regions without a pixel in the layer are added to it, others stay unchanged", () => {
  const random = randomFrom(5);
  const [columns, rows] = [24, 16];
  for (let round = 0; round < 40; round++) {
    const touched = randomBitmap(columns, rows, 0.1 + 0.4 * random(), random);
    const share = random();
    const drawn = { columns, rows, pixels: touched.pixels.map((solid) => (random() < share ? solid : 0)) };
    const expected = drawn.pixels.slice();
    const besides = (at: number): number[] => pixelsAround(at, columns, rows);
    for (const region of flooded(columns * rows, (at) => touched.pixels[at] === 1, besides)) {
      if (region.every((at) => drawn.pixels[at] === 0)) for (const at of region) expected[at] = 1;
    }
    const found = addFaintRegions(spanLayerOf(drawn, 3), spanLayerOf(touched, 3));
    assert.equal(found.index, 3);
    assert.deepEqual(
      Uint8Array.from(
        paint(found, columns, () => 1),
        (painted) => (painted === 1 ? 1 : 0),
      ),
      expected,
    );
  }
});
