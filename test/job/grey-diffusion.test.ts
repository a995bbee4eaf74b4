import assert from "node:assert/strict";
import { test } from "node:test";
import { newGreyDiffuser } from "../../src/job/grey-diffusion.ts";
import { type PanelOptics, greyPalette, wantedDoses } from "../../src/job/grey-table.ts";
import { denseLayer } from "../fixture/dense-layer.ts";
import type { GreyPicture } from "../fixture/job/read-png-layer.ts";
import { runsOf } from "../fixture/job/runs-of.ts";
import { painted, someLayer } from "../fixture/job/some-layers.ts";
import { slowRuns } from "../fixture/long.ts";
import { fc } from "../fixture/property.ts";

const mixOf = (greyLevels: number, response = 3, more: Partial<PanelOptics> = {}) => {
  const optics = { response, greyLevels, leastGrey: 1, ...more };
  return { ...greyPalette(optics), wanted: wantedDoses(optics) };
};

const diffuse = newGreyDiffuser();
const diffused = (picture: GreyPicture, mix = mixOf(16)): Uint8Array => denseLayer(diffuse(runsOf(picture), mix));

test("black and white pixels stay, others get a grey of the panel", () => {
  for (const levels of [3, 8, 16]) {
    const mix = mixOf(levels, 2.2, { leastGrey: 30 });
    fc.assert(
      fc.property(someLayer, (picture) => {
        diffused(picture, mix).forEach((grey, at) => {
          const cover = picture.pixels[at]!;
          if (cover === 0 || cover === 255) assert.equal(grey, cover);
          else assert.ok(mix.greys.includes(grey) && (grey === 0 || grey >= 30));
        });
      }),
      { numRuns: slowRuns(60) },
    );
  }
});

test("a plate of one grey gets the dose that it should have, whatever the levels", () => {
  for (const levels of [3, 8, 16]) {
    for (const value of [20, 77, 128, 201, 250]) {
      const plate = diffused(
        painted(62, 62, (x, y) => (x % 61 === 0 || y % 61 === 0 ? 0 : value)),
        mixOf(levels),
      );
      const dose = plate.reduce((sum, grey) => sum + (grey / 255) ** 3, 0) / 3600;
      // What reaches the rim of the plate is lost.
      assert.ok(Math.abs(dose - value / 255) < 0.012, `${dose} for ${value} with ${levels} levels`);
    }
  }
});

test("where the panel has the dose of each pixel, nothing is left to be handed on", () => {
  const mix = mixOf(256, 1);
  fc.assert(
    fc.property(someLayer, (picture) => assert.deepEqual(diffused(picture, mix), picture.pixels)),
    { numRuns: slowRuns(60) },
  );
});

test("errors reach no pixel beyond black or white ones", () => {
  const mix = mixOf(3);
  // Between two black rows, the row of greys is as if it were alone.
  for (const wall of [0, 255]) {
    const rows = painted(30, 5, (x, y) => (y % 2 === 1 ? wall : 40 + 6 * x));
    const alone = painted(30, 5, (x, y) => (y === 2 ? 40 + 6 * x : 0));
    assert.deepEqual(diffused(rows, mix).subarray(60, 90), diffused(alone, mix).subarray(60, 90));
  }
});

test("a layer does not depend on those before it, and rows alternate in direction", () => {
  const layer = painted(50, 40, (x, y) => Math.max(0, Math.min(255, 9 * (x - 10) + 4 * y)));
  const before = diffused(layer);
  diffused(painted(90, 20, (x) => x + 1));
  diffused(painted(50, 40, (x, y) => (x * y) % 256));
  assert.deepEqual(diffused(layer), before);
  // A row from the right is the mirrored row from the left.
  const row = (at: number, isMirrored: boolean) =>
    painted(40, 2, (x, y) => (y === at ? 3 + 6 * (isMirrored ? 39 - x : x) : 0));
  const fromLeft = diffused(row(0, false)).subarray(0, 40);
  const fromRight = diffused(row(1, true)).subarray(40, 80);
  assert.deepEqual([...fromRight].toReversed(), [...fromLeft]);
});
