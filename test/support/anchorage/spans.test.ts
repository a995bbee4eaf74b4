import assert from "node:assert/strict";
import { test } from "node:test";
import { halved } from "../../../src/support/anchorage/halved.ts";
import { spanGaps } from "../../../src/support/anchorage/span-gaps.ts";
import { randomFrom } from "../../fixture/altered.ts";
import { paint, randomBitmap, spanLayerOf } from "../../fixture/span-layer.ts";

const random = randomFrom(4);
const [COLUMNS, ROWS] = [26, 14];

test("the gaps of a layer are its pixels that another lacks, each once and in order", () => {
  for (let round = 0; round < 200; round++) {
    const [a, b] = [0.2 + 0.7 * random(), random()].map((share) => randomBitmap(COLUMNS, ROWS, share, random));
    const found: number[] = [];
    spanGaps(spanLayerOf(a), round % 10 === 0 ? undefined : spanLayerOf(b), (row, from, to) => {
      for (let column = from; column < to; column++) found.push(row * COLUMNS + column);
    });
    const expected = [...a.pixels.keys()].filter(
      (at) => a.pixels[at] === 1 && (round % 10 === 0 || b.pixels[at] === 0),
    );
    assert.deepEqual(found, expected);
  }
});

test("a halved layer is solid where any of four pixels is", () => {
  for (let round = 0; round < 200; round++) {
    const bitmap = randomBitmap(COLUMNS, ROWS, random() ** 2, random);
    const half = halved(spanLayerOf(bitmap, 7));
    assert.equal(half.index, 7);
    const found = [...paint(half, COLUMNS / 2, () => 1)].map((value) => value === 1);
    const expected = found.map((_, at) => {
      const corner = 2 * (at % (COLUMNS / 2)) + 2 * COLUMNS * Math.floor(at / (COLUMNS / 2));
      return [0, 1, COLUMNS, COLUMNS + 1].some((step) => bitmap.pixels[corner + step] === 1);
    });
    assert.deepEqual(found, expected);
    // Spans stay apart: none begins where another ends.
    for (let row = 0; row < ROWS / 2; row++) {
      for (let i = half.rowStarts[row] + 1; i < half.rowStarts[row + 1]; i++)
        assert.ok(half.starts[i] > half.ends[i - 1]);
    }
  }
});
