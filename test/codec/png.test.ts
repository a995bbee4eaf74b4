import assert from "node:assert/strict";
import { test } from "node:test";
import { type Progress, noProgress } from "../../src/core/progress.ts";
import { encodePng } from "../../src/codec/png.ts";
import { fc } from "../fixture/property.ts";
import { readPng } from "../fixture/read-png.ts";

test("a decoded PNG equals the picture", () => {
  const side = fc.integer({ min: 1, max: 40 });
  fc.assert(
    fc.property(side, side, fc.boolean(), fc.infiniteStream(fc.nat(255)), (width, height, isSmooth, noise) => {
      const values = noise[Symbol.iterator]();
      const rgba = Uint8ClampedArray.from({ length: 4 * width * height }, (_, i) =>
        i % 4 === 3 ? 255 : isSmooth ? (i + Math.floor(i / width)) % 256 : values.next().value!,
      );
      const found = readPng(Buffer.concat(encodePng({ width, height, rgba }, noProgress)));
      assert.deepEqual([found.width, found.height], [width, height]);
      assert.deepEqual(
        found.rgb,
        Uint8Array.from(rgba).filter((_, i) => i % 4 < 3),
      );
    }),
  );
});

test("a decoded PNG of several strips equals the picture", () => {
  const [width, height] = [700, 900];
  // Rows repeat after 7, within the window of deflate, so that strips refer to earlier strips; the last rows are noise.
  const rgba = new Uint8ClampedArray(4 * width * height).fill(255);
  let state = 1;
  for (let at = 0; at < rgba.length; at++) {
    if (at % 4 === 3) continue;
    const row = Math.floor(at / (4 * width));
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    rgba[at] = row < 7 || row > 880 ? state >>> 24 : rgba[at - 7 * 4 * width];
  }
  const shares: number[] = [];
  const progress: Progress = {
    report: (share) => void shares.push(share),
    part: () => progress,
    silent: () => progress,
  };
  const found = readPng(Buffer.concat(encodePng({ width, height, rgba }, progress)));
  assert.deepEqual(
    found.rgb,
    Uint8Array.from(rgba).filter((_, i) => i % 4 < 3),
  );
  assert.ok(shares.length > 2);
});
