import assert from "node:assert/strict";
import { test } from "node:test";
import { layerRegions } from "../../src/check/layer-region.ts";
import { type Pocket, emptyLayer, emptyRegionsOf, findPockets } from "../../src/geometry/pockets.ts";
import { expectedPockets } from "../fixture/expected-pockets.ts";
import { randomFrom } from "../fixture/random.ts";
import { type Bitmap, flooded, neighbours, randomBitmap, spanLayerOf } from "../fixture/span-layer.ts";

const THICKNESS_MM = 0.5;
const PIXEL_MM = 2;
const CELL_MM3 = PIXEL_MM * PIXEL_MM * THICKNESS_MM;

function pockets(layers: readonly Bitmap[]): Pocket[] {
  const [{ columns }] = layers;
  const boundariesMm = Float64Array.from({ length: layers.length + 1 }, (_, k) => k * THICKNESS_MM);
  const empty = layers.map((layer, index) => emptyLayer(spanLayerOf(layer, index), columns));
  return findPockets(emptyRegionsOf(empty, columns), boundariesMm, PIXEL_MM);
}

const bitmapsOf = (...layers: string[][]): Bitmap[] =>
  layers.map((rows) => ({
    columns: rows[0].length,
    rows: rows.length,
    pixels: Uint8Array.from(rows.join(""), (letter) => (letter === "#" ? 1 : 0)),
  }));

const ascending = (values: readonly number[]): number[] => values.toSorted((a, b) => a - b);
const sizesOf = (found: readonly Pocket[]): number[] => ascending(found.map(({ volumeMm3 }) => volumeMm3 / CELL_MM3));

test("pockets are those of a flood fill for every layer", () => {
  let [several, large] = [0, 0];
  for (let seed = 0; seed < 400; seed++) {
    const random = randomFrom(seed);
    const [columns, rows] = [3 + Math.floor(random() * 7), 3 + Math.floor(random() * 7)];
    const share = 0.35 + 0.4 * random();
    const layers = Array.from({ length: 1 + Math.floor(random() * 6) }, () =>
      randomBitmap(columns, rows, share, random),
    );
    const found = pockets(layers);
    const expected = expectedPockets(layers);
    assert.deepEqual(sizesOf(found), ascending(expected), `seed ${seed}`);
    if (expected.length > 3) several++;
    if (expected.some((size) => size > 6)) large++;
  }
  assert.ok(several > 50 && large > 10, `${several} with several, ${large} with large ones`);
});

test("the widest region of a pocket is a region of its layer, and not larger than the pocket", () => {
  const random = randomFrom(7);
  for (let run = 0; run < 100; run++) {
    const layers = Array.from({ length: 4 }, () => randomBitmap(9, 9, 0.6, random));
    for (const { widest, widestPixels, volumeMm3 } of pockets(layers)) {
      const { empty, regions } = emptyLayer(spanLayerOf(layers[widest.layer], widest.layer), 9);
      const [[, { spans }]] = layerRegions(empty, regions, (region) => region === widest.region);
      const pixels = spans.flatMap(({ row, start, end }) =>
        Array.from({ length: end - start }, (_, i) => row * 9 + start + i),
      );
      assert.equal(pixels.length, widestPixels);
      assert.ok(pixels.every((pixel) => layers[widest.layer].pixels[pixel] === 0));
      assert.ok(widestPixels * CELL_MM3 <= volumeMm3);
      const expected = flooded(
        81,
        (i) => layers[widest.layer].pixels[i] === 0,
        (i) => neighbours(i, 9, 9),
      );
      assert.deepEqual(
        expected.find(([first]) => first === pixels[0]),
        pixels,
      );
    }
  }
});

const FULL = ["#####", "#####", "#####"];
const PIT = ["#####", "#...#", "#####"];
const GAP = ["#####", "#....", "#####"];
const PITS = ["#####", "#.#.#", "#####"];

test("a pit is one pocket, whether or not a roof follows", () => {
  assert.deepEqual(sizesOf(pockets(bitmapsOf(FULL, PIT, PIT))), [6]);
  assert.deepEqual(sizesOf(pockets(bitmapsOf(FULL, PIT, PIT, FULL))), [6]);
  assert.deepEqual(sizesOf(pockets(bitmapsOf(PIT, PIT, FULL))), [6]);
});

test("a space that a later layer opens is a pocket, one that an earlier layer opened is none", () => {
  assert.deepEqual(sizesOf(pockets(bitmapsOf(FULL, PIT, GAP, FULL))), [3]);
  assert.deepEqual(sizesOf(pockets(bitmapsOf(FULL, GAP, PIT, FULL))), []);
});

test("two pits that a later layer connects are one pocket, unless that layer opens both", () => {
  assert.deepEqual(sizesOf(pockets(bitmapsOf(FULL, PITS, PIT))), [5]);
  assert.deepEqual(sizesOf(pockets(bitmapsOf(FULL, PITS, GAP))), [1, 1]);
});

test("a passage below a wall connects the spaces on both sides", () => {
  assert.deepEqual(sizesOf(pockets(bitmapsOf(FULL, PIT, PITS, FULL))), [5]);
  assert.deepEqual(sizesOf(pockets(bitmapsOf(FULL, GAP, PITS, FULL))), []);
});

test("layers count with their own thicknesses", () => {
  const [layer] = bitmapsOf(PIT).map(spanLayerOf);
  const stack = [layer, { ...layer, index: 1 }].map((one) => emptyLayer(one, 5));
  const [{ volumeMm3 }] = findPockets(emptyRegionsOf(stack, 5), Float64Array.of(0, 0.25, 1.25), 1);
  assert.equal(volumeMm3, 3 * 1.25);
});
