import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import type { Picture } from "../../src/codec/png.ts";
import { animatedWebp, encodeWebp } from "../../src/codec/webp.ts";
import { webpParts } from "../fixture/webp-parts.ts";

/** A gradient from dark to light; blue is multiplied by `tint`. */
function slope(width: number, height: number, tint = 1): Picture {
  const rgba = new Uint8ClampedArray(4 * width * height).fill(255);
  for (let at = 0; at < width * height; at++) {
    const grey = 255 * ((at % width) / width + Math.floor(at / width) / height) * 0.5;
    rgba.set([grey, grey, tint * grey], 4 * at);
  }
  return { width, height, rgba };
}

const require = createRequire(import.meta.url);

/** The decoder of the package: libwebp. */
async function decode(file: Uint8Array): Promise<{ width: number; height: number; data: Uint8ClampedArray }> {
  const path = require.resolve("@jsquash/webp/decode.js");
  const { init, default: decodeWebp } = await import(pathToFileURL(path).href);
  const wasm = readFileSync(new URL("codec/dec/webp_dec.wasm", pathToFileURL(path)));
  const scope = globalThis as unknown as { ImageData?: unknown };
  // The decoder passes its pixels to the constructor `ImageData` of browsers.
  scope.ImageData ??= function ImageData(data: Uint8ClampedArray, width: number, height: number) {
    return { data, width, height };
  };
  await init(await WebAssembly.compile(wasm));
  return decodeWebp(file.slice().buffer);
}

test("a decoded WebP is close to the picture", async () => {
  for (const [width, height] of [
    [64, 48],
    [17, 33],
    [1, 1],
  ] as const) {
    const picture = slope(width, height, 0.5);
    const file = await encodeWebp(picture, "still");
    assert.deepEqual(webpParts(file), { width, height, frames: [] });
    const decoded = await decode(file);
    assert.deepEqual([decoded.width, decoded.height], [width, height]);
    const difference = picture.rgba.reduce((sum, value, i) => sum + Math.abs(value - decoded.data[i]), 0);
    assert.ok(difference / picture.rgba.length < 3, `differs by ${difference / picture.rgba.length}`);
  }
});

test("an animation has all frames at the canvas's size, with their duration, and loops forever", async () => {
  const files = await Promise.all([1, 0.9, 0.1, 0.5, 0].map((tint) => encodeWebp(slope(50, 31, tint), "moving")));
  const { frames, ...canvas } = webpParts(Buffer.concat([...animatedWebp(files, 50, 31, 40)]));
  assert.deepEqual(canvas, { width: 50, height: 31, loops: 0 });
  assert.equal(frames.length, 5);
  for (const frame of frames) {
    assert.deepEqual(frame, { x: 0, y: 0, width: 50, height: 31, ms: 40, streamWidth: 50, streamHeight: 31 });
  }
});
