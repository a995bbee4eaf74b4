import assert from "node:assert/strict";
import { test } from "node:test";
import { overlapsOf, pixelsOf, regionsOf, touchesOf } from "../../src/slice/regions.ts";
import { randomFrom } from "../fixture/altered.ts";
import { flooded, neighbours, paint, pixelsAround, randomBitmap, spanLayerOf } from "../fixture/span-layer.ts";

const SHARES = [0, 0.2, 0.5, 0.6, 0.8, 1];

test("regions are what flooding finds, in the order of their first pixels", () => {
  const random = randomFrom(3);
  for (let run = 0; run < 200; run++) {
    const [columns, rows] = [1 + Math.floor(random() * 14), 1 + Math.floor(random() * 14)];
    const bitmap = randomBitmap(columns, rows, SHARES[run % SHARES.length], random);
    const layer = spanLayerOf(bitmap);
    const [joint, besides] = run % 2 === 0 ? (["SIDES", neighbours] as const) : (["CORNERS", pixelsAround] as const);
    const regions = regionsOf(layer, joint);
    const parts = flooded(
      columns * rows,
      (i) => bitmap.pixels[i] === 1,
      (i) => besides(i, columns, rows),
    );
    const expected = new Int32Array(columns * rows).fill(-1);
    parts.forEach((part, number) => part.forEach((pixel) => (expected[pixel] = number)));
    assert.equal(regions.count, parts.length);
    assert.deepEqual(
      paint(layer, columns, (span) => regions.regionOf[span]),
      expected,
    );
    assert.deepEqual(
      [...pixelsOf(layer, regions)],
      parts.map((part) => part.length),
    );
  }
});

test("spans that meet in a corner alone are of two regions, by their sides", () => {
  const { count } = regionsOf(spanLayerOf({ columns: 2, rows: 2, pixels: Uint8Array.of(1, 0, 0, 1) }));
  assert.equal(count, 2);
});

test("what touches a layer, be it at a corner, is what lies over it grown by a pixel", () => {
  const random = randomFrom(5);
  for (let run = 0; run < 200; run++) {
    const [columns, rows] = [1 + Math.floor(random() * 20), 1 + Math.floor(random() * 6)];
    const [a, b] = [0, 0].map(() => randomBitmap(columns, rows, 0.1 + 0.3 * random(), random));
    const layer = spanLayerOf(a);
    const touched = new Set<number>();
    touchesOf(layer, spanLayerOf(b), (span) => touched.add(span));
    const expected = new Set<number>();
    paint(layer, columns, (span) => span).forEach((span, pixel) => {
      const isTouched = [pixel, ...pixelsAround(pixel, columns, rows)].some((i) => b.pixels[i] === 1);
      if (span >= 0 && isTouched) expected.add(span);
    });
    assert.deepEqual([...touched].sort(), [...expected].sort());
  }
});

test("a layer over another is told every pair of spans with columns in common, and how many", () => {
  const random = randomFrom(4);
  for (let run = 0; run < 200; run++) {
    const [columns, rows] = [1 + Math.floor(random() * 20), 1 + Math.floor(random() * 6)];
    const [a, b] = [1, 2].map((step) => spanLayerOf(randomBitmap(columns, rows, SHARES[(run * step) % 6], random)));
    const expected = new Map<string, number>();
    const [paintedA, paintedB] = [a, b].map((layer) => paint(layer, columns, (span) => span));
    paintedA.forEach((span, pixel) => {
      const key = `${span} ${paintedB[pixel]}`;
      if (span >= 0 && paintedB[pixel] >= 0) expected.set(key, (expected.get(key) ?? 0) + 1);
    });
    const told: [string, number][] = [];
    overlapsOf(a, b, (span, other, pixels) => told.push([`${span} ${other}`, pixels]));
    assert.deepEqual(told.sort(), [...expected].sort());
  }
});
