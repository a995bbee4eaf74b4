import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { test } from "node:test";
import { crc32, deflateSync, inflateRawSync } from "node:zlib";
import { fc } from "../fixture/property.ts";
import { must } from "../../src/core/must.ts";
import { encodePngLayer, packedPngLayer } from "../../src/job/encode-png-layer.ts";
import { type GreyPicture, readPngLayer, readPngSamples } from "../fixture/job/read-png-layer.ts";
import { runsOf } from "../fixture/job/runs-of.ts";
import { randomFrom } from "../fixture/random.ts";
import { slowRuns } from "../fixture/long.ts";
import { ODD_LAYERS, painted, ring, someLayer } from "../fixture/job/some-layers.ts";

function assertRoundTrip(picture: GreyPicture): void {
  const { width, height, pixels } = readPngLayer(encodePngLayer(runsOf(picture)));
  assert.deepEqual([width, height], [picture.width, picture.height]);
  // deepEqual of large arrays takes seconds.
  assert.equal(Buffer.compare(pixels, picture.pixels), 0);
}

test("a decoded layer equals the original", () => {
  fc.assert(fc.property(someLayer, assertRoundTrip), { numRuns: 300 });
});

for (const [name, picture] of Object.entries(ODD_LAYERS)) {
  test(`a decoded layer equals the original: ${name}`, () => assertRoundTrip(picture));
}

const assertOpaqueGreys = (picture: GreyPicture): void =>
  assertGreySamples(picture, encodePngLayer(runsOf(picture), "rgba"));

function assertGreySamples({ width, height, pixels }: GreyPicture, png: Uint8Array): void {
  const read = readPngSamples(png, 6);
  assert.deepEqual([read.width, read.height], [width, height]);
  const expected = Buffer.alloc(4 * pixels.length, 255);
  for (const [at, value] of pixels.entries()) expected.fill(value, 4 * at, 4 * at + 3);
  assert.equal(Buffer.compare(read.samples, expected), 0);
}

test("a layer as opaque greys of four channels is decoded exactly", () => {
  fc.assert(fc.property(someLayer, assertOpaqueGreys), { numRuns: slowRuns(100) });
  for (const name of ["a single white pixel", "a chequerboard", "every grey value, moved from row to row"]) {
    assertOpaqueGreys(must(ODD_LAYERS[name], name));
  }
});

test("a large layer as opaque greys is deflated again only where that pays, and decoded exactly", () => {
  const random = randomFrom(31);
  const noise = painted(400, 700, () => Math.floor(256 * random()));
  const tiles = painted(1000, 900, (x, y) => noise.pixels[(y % 90) * 400 + (x % 50)]);
  for (const [picture, method] of [
    [noise, 0],
    [tiles, 8],
  ] as const) {
    const { pieces, ...packed } = packedPngLayer(runsOf(picture), "rgba");
    const png = packed.method === 8 ? inflateRawSync(Buffer.concat(pieces)) : Buffer.concat(pieces);
    assert.deepEqual(packed, { method, crc: crc32(png), size: png.length });
    assert.ok(png.length > 2 ** 18);
    assertGreySamples(picture, png);
  }
});

test("a layer after a larger one is encoded correctly", () => {
  for (const picture of [ring(900, 700, 300, 250), painted(5, 5, () => 3), painted(40, 9, (x) => x)]) {
    assertRoundTrip(picture);
  }
});

test("the runs' arrays may hold more than the layer", () => {
  const picture = ring(60, 50, 20, 10);
  const runs = runsOf(picture);
  const longer = {
    ...runs,
    starts: Uint16Array.of(...runs.starts, 7, 8, 9),
    ends: Uint16Array.of(...runs.ends, 8, 9, 10),
    values: Uint8Array.of(...runs.values, 1, 2, 3),
  };
  assert.deepEqual(readPngLayer(encodePngLayer(longer)).pixels, picture.pixels);
});

/** Size of the same unfiltered rows by zlib. */
function zlibBytes({ width, height, pixels }: GreyPicture, level: number): number {
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y++) rows.set(pixels.subarray(y * width, (y + 1) * width), y * (width + 1) + 1);
  return deflateSync(rows, { level }).length;
}

/** Three walls with different slopes and widths, their edges one pixel wide. */
function leaning(x: number, y: number): number {
  const cover = (at: number, slope: number, half: number): number => half + 0.5 - Math.abs(x - at - slope * y);
  const most = Math.max(cover(300, Math.SQRT1_2, 40.3), cover(900, -Math.LN2 / 3, 21.7), cover(1500, Math.E / 30, 9.9));
  return Math.round(255 * Math.min(1, Math.max(0, most)));
}

/** Typical layers of parts: empty, round walls, straight walls, slanted walls. */
const SLICES: Readonly<Record<string, GreyPicture>> = {
  empty: painted(4000, 2500, () => 0),
  tube: ring(2000, 1500, 600, 560),
  walls: painted(2000, 1500, (x, y) => (y > 200 && y < 1200 && x % 500 < 90 ? 255 : 0)),
  leaning: painted(2000, 1500, (x, y) => (y < 100 || y > 1400 ? 0 : leaning(x, y))),
};

for (const [name, picture] of Object.entries(SLICES)) {
  test(`the file is at most a twentieth larger than by zlib at any level: ${name}`, () => {
    const size = encodePngLayer(runsOf(picture)).length;
    for (const level of [6, 9]) {
      const other = zlibBytes(picture, level);
      assert.ok(size < 1.05 * other, `${size} bytes, zlib at level ${level} ${other}`);
    }
  });
}

test("an empty layer takes two bits per 258 pixels, the minimum of deflate", () => {
  const pixels = 2501 * 4000;
  const size = encodePngLayer(runsOf(painted(4000, 2500, () => 0))).length;
  assert.ok(size < pixels / 258 / 4 + 120, `${size} bytes`);
});

test("the checksum of a bright layer of tens of millions of pixels is that of zlib", () => {
  const { width, height, pixels } = readPngLayer(
    encodePngLayer(runsOf(painted(7680, 4320, (x) => (x === 9 ? 0 : 255)))),
  );
  assert.deepEqual([width, height, pixels[8], pixels[9], pixels.at(-1)], [7680, 4320, 255, 0, 255]);
});
