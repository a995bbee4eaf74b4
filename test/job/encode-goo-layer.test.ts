import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { test } from "node:test";
import { fc } from "../fixture/property.ts";
import { encodeGooLayer, encodePrzLayer } from "../../src/job/goo/encode-goo-layer.ts";
import type { LayerRuns } from "../../src/slice/raster/rasterise-layer.ts";
import { readGooPixels } from "../fixture/job/read-goo.ts";
import type { GreyPicture } from "../fixture/job/read-png-layer.ts";
import { runsOf } from "../fixture/job/runs-of.ts";
import { ODD_LAYERS, painted, someLayer } from "../fixture/job/some-layers.ts";

function assertRoundTrip(picture: GreyPicture): void {
  const pixels = readGooPixels(encodeGooLayer(runsOf(picture)), picture.pixels.length);
  assert.equal(Buffer.compare(pixels, picture.pixels), 0);
}

test("a decoded layer equals the original", () => {
  fc.assert(fc.property(someLayer, assertRoundTrip), { numRuns: 300 });
});

for (const [name, picture] of Object.entries(ODD_LAYERS)) {
  test(`a decoded layer equals the original: ${name}`, () => assertRoundTrip(picture));
}

/** The chunks of a picture with one row, as hexadecimal text. */
function chunksOf(...runs: readonly (readonly [value: number, length: number])[]): string {
  const row = runs.flatMap(([value, length]) => Array.from({ length }, () => value));
  return Buffer.from(encodeGooLayer(runsOf(painted(row.length, 1, (x) => row[x]))).subarray(1, -1)).toString("hex");
}

/** A layer of `count` pixels with one value, without an array of pixels. */
function plainLayer(count: number, value: number): LayerRuns {
  const width = 1 + [...Array(60_000).keys()].findLast((less) => count % (less + 1) === 0)!;
  const height = count / width;
  return {
    width,
    height,
    rowStarts: Uint32Array.from({ length: height + 1 }, (_, row) => (value > 0 ? row : 0)),
    starts: new Uint16Array(height),
    ends: new Uint16Array(height).fill(width),
    values: new Uint8Array(height).fill(value),
  };
}

test("the examples of the specification are encoded", () => {
  const empty = encodeGooLayer(plainLayer(0x555_657f, 0));
  assert.equal(Buffer.from(empty.subarray(1, -1)).toString("hex"), "3f555657");
  const grey = encodeGooLayer(plainLayer(0xbbc_c15d, 0xaa));
  assert.equal(Buffer.from(grey.subarray(1, -1)).toString("hex"), "7daabbcc15");
  assert.equal(chunksOf([100, 1], [102, 255]), "416492ff");
});

test("a run takes the fewest bytes that its length allows", () => {
  assert.equal(chunksOf([0, 15]), "0f");
  assert.equal(chunksOf([0, 16]), "1001");
  assert.equal(chunksOf([255, 4095]), "dfff");
  assert.equal(chunksOf([255, 4096]), "e00100");
  assert.equal(chunksOf([7, 1]), "87");
  assert.equal(chunksOf([200, 15], [190, 15]), "4fc84fbe");
  assert.equal(chunksOf([200, 15], [190, 16]), "4fc8ba10");
  assert.equal(chunksOf([200, 15], [190, 256]), "4fc850be10");
  assert.equal(chunksOf([200, 1], [215, 1], [231, 1]), "41c88f41e7");
  assert.equal(chunksOf([254, 1], [255, 1], [254, 1]), "41fec1a1");
});

test("layers of .prz files have no differences, which would be shorter", () => {
  const greys = painted(300, 1, (x) => (x === 0 ? 100 : x < 200 ? 102 : 250));
  assert.equal(Buffer.from(encodePrzLayer(runsOf(greys)).subarray(1, -1)).toString("hex"), "416457660c54fa06");
  const kinds = new Set<number>();
  fc.assert(
    fc.property(someLayer, (picture) => {
      const pixels = readGooPixels(encodePrzLayer(runsOf(picture)), picture.pixels.length, (kind) => kinds.add(kind));
      assert.equal(Buffer.compare(pixels, picture.pixels), 0);
    }),
    { numRuns: 60 },
  );
  assert.deepEqual(kinds, new Set([0, 1, 3]));
});

test("the checksum is the inverse of the sum of the chunks", () => {
  assert.deepEqual(
    [...encodeGooLayer(runsOf(painted(3, 1, (x) => [0, 255, 100][x])))],
    [0x55, 0x01, 0xc1, 0x41, 0x64, 0x98],
  );
});

test("a run longer than 28 bits is split", () => {
  const count = 65_000 * 5000;
  const data = encodeGooLayer(plainLayer(count, 0));
  const most = 2 ** 28 - 1;
  const rest = count - most;
  const hex = (rest >> 4).toString(16).padStart(6, "0");
  assert.equal(Buffer.from(data.subarray(1, -1)).toString("hex"), `3fffffff3${(rest % 16).toString(16)}${hex}`);
});
