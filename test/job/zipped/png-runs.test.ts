import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { test } from "node:test";
import { constants, deflateSync, inflateRawSync } from "node:zlib";
import { type PngFile, readPng } from "../../../src/codec/png-reader.ts";
import { operationFailed } from "../../../src/core/api-error.ts";
import { encodePngLayer } from "../../../src/job/encode-png-layer.ts";
import { PngRunReader } from "../../../src/job/zipped/png-runs.ts";
import { pictureOf } from "../../fixture/job/picture-of.ts";
import { type Samples, pngFile, pngOfData } from "../../fixture/job/png-file.ts";
import { type GreyPicture, readPngLayer } from "../../fixture/job/read-png-layer.ts";
import { runsOf } from "../../fixture/job/runs-of.ts";
import { ODD_LAYERS, painted, ring, someLayer } from "../../fixture/job/some-layers.ts";
import { slowRuns } from "../../fixture/long.ts";
import { fc } from "../../fixture/property.ts";
import { randomFrom } from "../../fixture/random.ts";

const reader = new PngRunReader();
const parsed = (file: Uint8Array): PngFile => readPng(file, operationFailed);

/** The picture, or undefined where the reader leaves it to zlib. */
function read(png: PngFile): GreyPicture | undefined {
  const runs = reader.read(png, png.width);
  return runs && pictureOf(runs);
}

const samplesOf = (picture: GreyPicture, more: Partial<Samples> = {}): Samples => ({
  width: picture.width,
  height: picture.height,
  samples: picture.pixels,
  bits: 8,
  colourType: 0,
  channels: 1,
  ...more,
});

function assertSame(found: GreyPicture | undefined, expected: GreyPicture): void {
  assert.ok(found, "left to zlib");
  assert.deepEqual([found.width, found.height], [expected.width, expected.height]);
  assert.equal(Buffer.compare(found.pixels, expected.pixels), 0);
}

test("every picture of this program's encoder is read without inflating it", () => {
  const property = fc.property(someLayer, (picture) =>
    assertSame(read(parsed(encodePngLayer(runsOf(picture)))), picture),
  );
  fc.assert(property, { numRuns: slowRuns(300) });
  for (const picture of Object.values(ODD_LAYERS)) assertSame(read(parsed(encodePngLayer(runsOf(picture)))), picture);
});

test("more runs than there is room for, and a small picture after it", () => {
  const many = painted(700, 500, (x, y) => ((x ^ y) & 1) * 200);
  assertSame(read(parsed(encodePngLayer(runsOf(many)))), many);
  assertSame(read(parsed(encodePngLayer(runsOf(ring(30, 20, 8, 3))))), ring(30, 20, 8, 3));
  // Rows equal to the row above take no data: 200 runs in each.
  const stripes = painted(400, 3000, (x) => (x % 2) * 255);
  assertSame(read(parsed(encodePngLayer(runsOf(stripes)))), stripes);
});

test("zlib's data of runs alone, without compression and with fixed codes are read", () => {
  const { Z_RLE, Z_FIXED, Z_HUFFMAN_ONLY } = constants;
  const options = [{ strategy: Z_RLE }, { strategy: Z_RLE, memLevel: 1 }, { strategy: Z_HUFFMAN_ONLY }, { level: 0 }];
  const property = fc.property(
    someLayer,
    fc.constantFrom(...options),
    fc.integer({ min: 1, max: 50 }),
    (picture, deflate, pieceBytes) =>
      assertSame(read(parsed(pngFile(samplesOf(picture, { deflate, pieceBytes })))), picture),
  );
  fc.assert(property, { numRuns: slowRuns(200) });
  // Fixed codes of zlib have other distances, except in a picture of one value.
  const full = painted(300, 1, () => 7);
  assertSame(read(parsed(pngFile(samplesOf(full, { deflate: { strategy: Z_FIXED } })))), full);
});

test("other filters and distances are left to zlib", () => {
  const pattern = painted(64, 4, (x) => (x % 5) * 40);
  assert.equal(read(parsed(pngFile(samplesOf(pattern)))), undefined);
  for (const filter of [1, 2, 3, 4]) {
    const deflate = { strategy: constants.Z_RLE };
    assert.equal(read(parsed(pngFile(samplesOf(pattern, { deflate, filters: [filter] })))), undefined);
  }
});

test("damaged data are left to zlib, or have the pixels that inflating them gives", () => {
  const random = randomFrom(11);
  const picture = ring(60, 40, 17, 6);
  const { data: pieces } = parsed(encodePngLayer(runsOf(picture)).slice());
  const seed = Buffer.concat(pieces);
  let readable = 0;
  for (let trial = 0; trial < slowRuns(4000); trial++) {
    const data = Buffer.from(seed.subarray(0, trial % 5 === 0 ? Math.floor(random() * seed.length) : seed.length));
    for (let k = 0; k < 1 + (trial % 3); k++) data[Math.floor(random() * data.length)] ^= 1 << Math.floor(8 * random());
    const header = { width: 60, height: 40, bits: 8, colourType: 0 };
    const found = read(parsed(pngOfData(header, [data])));
    if (found === undefined) continue;
    readable++;
    const lines = inflateRawSync(data.subarray(2));
    assertSame(found, readPngLayer(pngOfData(header, [deflateSync(lines)])));
  }
  assert.ok(readable > 0, "some damaged data are readable");
});
