import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { test } from "node:test";
import { operationFailed } from "../../../src/core/api-error.ts";
import { type PixelColumns, PngLayerDecoder } from "../../../src/job/zipped/png-layer-decoder.ts";
import { pictureOf } from "../../fixture/job/picture-of.ts";
import { type Samples, pngFile } from "../../fixture/job/png-file.ts";
import { slowRuns } from "../../fixture/long.ts";
import { fc } from "../../fixture/property.ts";

const decoderOf = (columns: number, rows: number, order: PixelColumns = "GREY"): PngLayerDecoder =>
  new PngLayerDecoder([columns, rows], order, operationFailed);

async function pixelsOf(picture: Samples, columns = picture.width, order: PixelColumns = "GREY"): Promise<number[]> {
  const runs = await decoderOf(columns, picture.height, order).decode(pngFile(picture));
  return [...pictureOf(runs).pixels];
}

const grey = (width: number, height: number, samples: ArrayLike<number>, more: Partial<Samples> = {}): Samples => ({
  width,
  height,
  bits: 8,
  colourType: 0,
  channels: 1,
  samples,
  ...more,
});

/** Rows of few different runs, many of them equal to the row above, as layers have. */
const someRows = fc
  .record({
    width: fc.integer({ min: 1, max: 70 }),
    rows: fc.array(
      fc.record({
        runs: fc.array(fc.tuple(fc.constantFrom(0, 255, 9, 128), fc.integer({ min: 1, max: 30 })), { maxLength: 6 }),
        times: fc.integer({ min: 1, max: 3 }),
      }),
      { minLength: 1, maxLength: 6 },
    ),
    filters: fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 5 }),
    pieceBytes: fc.integer({ min: 1, max: 40 }),
  })
  .map(({ width, rows, ...more }) => {
    const lines = rows.flatMap(({ runs, times }) => {
      const row = runs.flatMap(([value, length]) => Array.from({ length }, () => value));
      return Array.from({ length: times }, () => Array.from({ length: width }, (_, x) => row[x] ?? 0));
    });
    return { width, height: lines.length, samples: lines.flat(), more };
  });

test("8-bit grey is decoded exactly, with any filters and in any pieces", async () => {
  const property = fc.asyncProperty(someRows, async ({ width, height, samples, more }) => {
    assert.deepEqual(await pixelsOf(grey(width, height, samples, more)), samples);
  });
  await fc.assert(property, { numRuns: slowRuns(200) });
});

for (const bits of [1, 2, 4]) {
  test(`grey of ${bits} bits becomes values from 0 to 255`, async () => {
    const most = 2 ** bits - 1;
    const samples = Array.from({ length: 13 * 6 }, (_, i) => (i * 7 + (i >> 3)) % (most + 1));
    const picture = grey(13, 6, samples, { bits, filters: [0, 2, 1, 3, 4] });
    assert.deepEqual(
      await pixelsOf(picture),
      samples.map((sample) => (sample * 255) / most),
    );
  });
}

test("a palette, red, green and blue, and opacity become the grey that they show", async () => {
  const palette = [0, 0, 0, 255, 255, 255, 7, 7, 7, 200, 200, 200];
  const indices = [0, 1, 2, 3, 3, 1];
  const values = indices.map((index) => palette[3 * index]);
  for (const bits of [2, 8]) {
    assert.deepEqual(await pixelsOf(grey(3, 2, indices, { bits, colourType: 3, palette })), values);
  }
  const filters = [1, 4];
  const colours = values.flatMap((value) => [value, value, value]);
  const opaque = values.flatMap((value) => [value, value, value, 255]);
  const withAlpha = values.flatMap((value) => [value, 255]);
  assert.deepEqual(await pixelsOf(grey(3, 2, colours, { colourType: 2, channels: 3, filters })), values);
  assert.deepEqual(await pixelsOf(grey(3, 2, opaque, { colourType: 6, channels: 4, filters })), values);
  assert.deepEqual(await pixelsOf(grey(3, 2, withAlpha, { colourType: 4, channels: 2, filters })), values);
});

test("colours are three columns, in their order or the reverse, and the columns beyond the panel are left out", async () => {
  const picture = grey(2, 1, [10, 20, 30, 40, 50, 60], { colourType: 2, channels: 3 });
  assert.deepEqual(await pixelsOf(picture, 6, "RGB"), [10, 20, 30, 40, 50, 60]);
  assert.deepEqual(await pixelsOf(picture, 4, "RGB"), [10, 20, 30, 40]);
  assert.deepEqual(await pixelsOf(picture, 6, "BGR"), [30, 20, 10, 60, 50, 40]);
  assert.deepEqual(await pixelsOf(picture, 5, "BGR"), [30, 20, 10, 60, 50]);
});

test("a picture of another size, colour or kind is refused with the reason", async () => {
  const refused: [Samples, RegExp, PixelColumns?][] = [
    [grey(4, 2, new Uint8Array(8)), /has 4 × 2 pixels instead of 3 × 2/],
    [grey(3, 3, new Uint8Array(9)), /has 3 × 3 pixels instead of 3 × 2/],
    [grey(3, 2, new Uint8Array(6), { interlace: 1 }), /interlaced/],
    [grey(3, 2, new Uint8Array(6), { bits: 16 as number }), /16 bits of colour type 0/],
    [grey(3, 2, new Uint8Array(6), { colourType: 5 }), /8 bits of colour type 5/],
    [grey(3, 2, new Uint8Array(6), { colourType: 3 }), /lacks its palette/],
    [grey(3, 2, new Uint8Array(6), { filters: [5] }), /unknown filter \(5\)/],
    [grey(1, 2, new Uint8Array(2)), /no colours/, "RGB"],
  ];
  for (const [picture, why, order] of refused) {
    await assert.rejects(decoderOf(3, 2, order).decode(pngFile(picture)), why);
  }
});

test("rows that are missing or too many, and every wrong bit, are refused", async () => {
  const samples = Array.from({ length: 60 }, (_, i) => (i % 7 === 0 ? 255 : 0));
  const file = pngFile(grey(10, 6, samples));
  const decode = async (bytes: Uint8Array): Promise<unknown> => decoderOf(10, 6).decode(bytes);
  const withRows = (height: number): Uint8Array => {
    const other = pngFile(grey(10, height, new Uint8Array(10 * height)));
    // The header of six rows, and the data of others.
    return Buffer.concat([file.subarray(0, 33), other.subarray(33)]);
  };
  await assert.rejects(decode(withRows(5)), /lacks rows/);
  await assert.rejects(decode(withRows(7)), /too many rows/);
  for (let at = 0; at < file.length; at++) {
    const damaged = file.slice();
    damaged[at] ^= 1 << (at % 8);
    await assert.rejects(decode(damaged), { code: "OPERATION_FAILED" }, `byte ${at}`);
    await assert.rejects(decode(file.subarray(0, at)), { code: "OPERATION_FAILED" }, `cut to ${at} bytes`);
  }
});
