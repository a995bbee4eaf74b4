import assert from "node:assert/strict";
import { test } from "node:test";
import { fittedRuns } from "../../../src/job/fit/fitted-runs.ts";
import { type Turn, turnBetween, turnToAbove, turnedRuns } from "../../../src/job/fit/turned-runs.ts";
import { layerImageSize, worldToRaster } from "../../../src/slice/pixel-grid.ts";
import { denseLayer } from "../../fixture/dense-layer.ts";
import type { GreyPicture } from "../../fixture/job/read-png-layer.ts";
import { runsOf } from "../../fixture/job/runs-of.ts";
import { painted, someLayer } from "../../fixture/job/some-layers.ts";
import { slowRuns } from "../../fixture/long.ts";
import { fc } from "../../fixture/property.ts";
import { gridOf } from "../../fixture/slices.ts";

const WAYS = [false, true].flatMap((portrait) => [false, true].map((mirrorX) => ({ portrait, mirrorX })));

const turned = (picture: GreyPicture, turn: Turn): GreyPicture => {
  const runs = turnedRuns(runsOf(picture), turn);
  return { width: runs.width, height: runs.height, pixels: denseLayer(runs) };
};

test("pictures of every machine become the picture seen from above, and that of any other machine", () => {
  // On a platform of 5 × 3 pixels of 1 mm, each with a value of its own.
  const valueAt = (xMm: number, yMm: number): number => 1 + Math.floor(xMm + 2.5) + 5 * Math.floor(yMm + 1.5);
  const above = painted(5, 3, (x, y) => valueAt(x - 2, 1 - y));
  const pictureOf = (way: (typeof WAYS)[number]): GreyPicture => {
    const grid = { ...gridOf(5, 3, 1), ...way };
    const { axes, scale, offset } = worldToRaster(grid);
    const [width, height] = layerImageSize(grid).pixels;
    return painted(width, height, (column, row) => {
      const place = [0, 0];
      [column + 0.5, row + 0.5].forEach((at, i) => (place[axes[i]] = (at - offset[i]) / scale[i]));
      return valueAt(place[0], place[1]);
    });
  };
  for (const from of WAYS) {
    assert.deepEqual(turned(pictureOf(from), turnToAbove(from)), above, JSON.stringify(from));
    for (const to of WAYS) {
      const what = `${JSON.stringify(from)} to ${JSON.stringify(to)}`;
      assert.deepEqual(turned(pictureOf(from), turnBetween(from, to)), pictureOf(to), what);
    }
  }
});

const panel = (columns: number, rows: number, pixelMm = 0.05) =>
  ({ pixels: [columns, rows], pixelMm: [pixelMm, pixelMm] }) as const;

test("a picture is centred on a larger or smaller panel of the same pixels, and cut pixels are counted", () => {
  const sizes = fc.tuple(fc.integer({ min: 1, max: 80 }), fc.integer({ min: 1, max: 40 }));
  const property = fc.property(someLayer, sizes, (picture, [columns, rows]) => {
    const { width, height, pixels } = picture;
    const [right, down] = [Math.floor((columns - width) / 2), Math.floor((rows - height) / 2)];
    const { runs, cut } = fittedRuns(runsOf(picture), panel(width, height), panel(columns, rows));
    const at = (x: number, y: number): number =>
      x < 0 || y < 0 || x >= width || y >= height ? 0 : pixels[y * width + x];
    const expected = painted(columns, rows, (x, y) => at(x - right, y - down)).pixels;
    assert.deepEqual(denseLayer(runs), expected);
    const lit = (all: Uint8Array): number => all.filter((value) => value > 0).length;
    assert.equal(cut, lit(pixels) - lit(expected));
  });
  fc.assert(property, { numRuns: slowRuns(40) });
});

test("a picture on other pixels keeps its light, and each pixel has the mean of what it covers", () => {
  const pitches = fc.tuple(fc.constantFrom(0.02, 0.035, 0.05, 0.11), fc.constantFrom(0.03, 0.05, 0.08));
  const property = fc.property(someLayer, pitches, (picture, [fromMm, toMm]) => {
    const { width, height, pixels } = picture;
    const [columns, rows] = [width, height].map((count) => Math.ceil((count * fromMm) / toMm) + 2);
    const { runs, cut } = fittedRuns(runsOf(picture), panel(width, height, fromMm), panel(columns, rows, toMm));
    assert.equal(cut, 0);
    const found = denseLayer(runs);
    // By the overlaps of all pairs of pixels.
    const scale = fromMm / toMm;
    const [left, top] = [(columns - width * scale) / 2, (rows - height * scale) / 2];
    const overlap = (a: number, b: number): number => Math.max(0, Math.min(a + 1, b + scale) - Math.max(a, b));
    for (let trial = 0; trial < 30; trial++) {
      const at = (trial * 7919) % found.length;
      const [x, y] = [at % columns, Math.floor(at / columns)];
      let sum = 0;
      for (let row = 0; row < height; row++) {
        const down = overlap(y, top + row * scale);
        if (down === 0) continue;
        for (let column = 0; column < width; column++) {
          sum += down * overlap(x, left + column * scale) * pixels[row * width + column];
        }
      }
      assert.ok(Math.abs(found[at] - sum) <= 0.5 + 1e-6, `${x}, ${y}: ${found[at]}, not ${sum}`);
    }
  });
  fc.assert(property, { numRuns: slowRuns(25) });
});

test("light that a panel of other pixels would cut is counted", () => {
  const full = painted(20, 10, () => 255);
  const { cut } = fittedRuns(runsOf(full), panel(20, 10, 0.05), panel(8, 5, 0.1));
  // 1 mm × 0.5 mm on 0.8 mm × 0.5 mm.
  assert.equal(cut, 2 * 2 * 10);
});
