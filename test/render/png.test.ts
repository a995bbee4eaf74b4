import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { unwatched, type Watch } from "../../src/core/watch.ts";
import { encodePng } from "../../src/render/png.ts";
import { readPng } from "../fixture/read-png.ts";

test("a picture survives PNG to the bit", () => {
  const side = fc.integer({ min: 1, max: 40 });
  fc.assert(
    fc.property(side, side, fc.boolean(), fc.infiniteStream(fc.nat(255)), (width, height, isSmooth, noise) => {
      const values = noise[Symbol.iterator]();
      const rgba = Uint8ClampedArray.from({ length: 4 * width * height }, (_, i) =>
        i % 4 === 3 ? 255 : isSmooth ? (i + Math.floor(i / width)) % 256 : values.next().value!,
      );
      const found = readPng(Buffer.concat(encodePng({ width, height, rgba }, unwatched)));
      assert.deepEqual([found.width, found.height], [width, height]);
      assert.deepEqual(
        found.rgb,
        Uint8Array.from(rgba).filter((_, i) => i % 4 < 3),
      );
    }),
  );
});

test("a large picture survives the strips it is deflated in, whatever they hold", () => {
  const [width, height] = [700, 900];
  // Rows repeat after 7, within the window of deflate, so strips point into those before them; the last lines are noise.
  const rgba = new Uint8ClampedArray(4 * width * height).fill(255);
  let state = 1;
  for (let at = 0; at < rgba.length; at++) {
    if (at % 4 === 3) continue;
    const row = Math.floor(at / (4 * width));
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    rgba[at] = row < 7 || row > 880 ? state >>> 24 : rgba[at - 7 * 4 * width]!;
  }
  const shares: number[] = [];
  const watch: Watch = { report: (share) => void shares.push(share), part: () => watch };
  const found = readPng(Buffer.concat(encodePng({ width, height, rgba }, watch)));
  assert.deepEqual(
    found.rgb,
    Uint8Array.from(rgba).filter((_, i) => i % 4 < 3),
  );
  assert.ok(shares.length > 2);
});
