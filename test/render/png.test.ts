import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
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
      const found = readPng(Buffer.concat(encodePng({ width, height, rgba })));
      assert.deepEqual([found.width, found.height], [width, height]);
      assert.deepEqual(
        found.rgb,
        Uint8Array.from(rgba).filter((_, i) => i % 4 < 3),
      );
    }),
  );
});
