import assert from "node:assert/strict";
import { test } from "node:test";
import {
  connectedRegions,
  forOverlappingSpans,
  forTouchingRegions,
  forTouchingSpans,
  halveResolution,
  regionPixels,
  spreadMarks,
  subtractSpans,
  touchingSpans,
} from "../../src/geometry/spans.ts";
import { flooded, neighbours, paint, pixelsAround, randomBitmap, spanLayerOf } from "../fixture/span-layer.ts";
import { randomFrom } from "../fixture/random.ts";

const random = randomFrom(4);
const [COLUMNS, ROWS] = [26, 14];

test("the difference of two layers has the pixels that the second lacks, each once and in order", () => {
  for (let round = 0; round < 200; round++) {
    const [a, b] = [0.2 + 0.7 * random(), random()].map((share) => randomBitmap(COLUMNS, ROWS, share, random));
    const found: number[] = [];
    subtractSpans(spanLayerOf(a), round % 10 === 0 ? undefined : spanLayerOf(b), (row, from, to) => {
      for (let column = from; column < to; column++) found.push(row * COLUMNS + column);
    });
    const expected = [...a.pixels.keys()].filter(
      (at) => a.pixels[at] === 1 && (round % 10 === 0 || b.pixels[at] === 0),
    );
    assert.deepEqual(found, expected);
  }
});

test("at half resolution a pixel is solid if any of its four pixels is", () => {
  for (let round = 0; round < 200; round++) {
    const bitmap = randomBitmap(COLUMNS, ROWS, random() ** 2, random);
    const half = halveResolution(spanLayerOf(bitmap, 7));
    assert.equal(half.index, 7);
    const found = [...paint(half, COLUMNS / 2, () => 1)].map((value) => value === 1);
    const expected = found.map((_, at) => {
      const corner = 2 * (at % (COLUMNS / 2)) + 2 * COLUMNS * Math.floor(at / (COLUMNS / 2));
      return [0, 1, COLUMNS, COLUMNS + 1].some((step) => bitmap.pixels[corner + step] === 1);
    });
    assert.deepEqual(found, expected);
    // Spans are separate: none begins where another ends.
    for (let row = 0; row < ROWS / 2; row++) {
      for (let i = half.rowStarts[row] + 1; i < half.rowStarts[row + 1]; i++)
        assert.ok(half.starts[i] > half.ends[i - 1]);
    }
  }
});

const SHARES = [0, 0.2, 0.5, 0.6, 0.8, 1];

test("regions are those of a flood fill, in the order of their first pixels", () => {
  const random = randomFrom(3);
  for (let run = 0; run < 200; run++) {
    const [columns, rows] = [1 + Math.floor(random() * 14), 1 + Math.floor(random() * 14)];
    const bitmap = randomBitmap(columns, rows, SHARES[run % SHARES.length], random);
    const layer = spanLayerOf(bitmap);
    const [joint, besides] = run % 2 === 0 ? (["SIDES", neighbours] as const) : (["CORNERS", pixelsAround] as const);
    const regions = connectedRegions(layer, joint);
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
      [...regionPixels(layer, regions)],
      parts.map((part) => part.length),
    );
  }
});

test("spans that touch only at a corner are two regions if sides connect", () => {
  const { count } = connectedRegions(spanLayerOf({ columns: 2, rows: 2, pixels: Uint8Array.of(1, 0, 0, 1) }));
  assert.equal(count, 2);
});

test("spans touch a layer if they overlap the layer dilated by a pixel; corners count", () => {
  const random = randomFrom(5);
  for (let run = 0; run < 200; run++) {
    const [columns, rows] = [1 + Math.floor(random() * 20), 1 + Math.floor(random() * 6)];
    const [a, b] = [0, 0].map(() => randomBitmap(columns, rows, 0.1 + 0.3 * random(), random));
    const layer = spanLayerOf(a);
    const touched = new Set<number>();
    forTouchingSpans(layer, spanLayerOf(b), (span) => touched.add(span));
    const expected = new Set<number>();
    paint(layer, columns, (span) => span).forEach((span, pixel) => {
      const isTouched = [pixel, ...pixelsAround(pixel, columns, rows)].some((i) => b.pixels[i] === 1);
      if (span >= 0 && isTouched) expected.add(span);
    });
    assert.deepEqual([...touched].sort(), [...expected].sort());
    const marked = [...touchingSpans(layer, spanLayerOf(b)).entries()].flatMap(([span, is]) => (is === 1 ? span : []));
    assert.deepEqual(
      marked,
      [...expected].sort((p, q) => p - q),
    );
  }
});

test("regions of two layers touch if one overlaps the other dilated by a pixel; pairs come in the order of their spans", () => {
  const random = randomFrom(7);
  for (let run = 0; run < 200; run++) {
    const [columns, rows] = [1 + Math.floor(random() * 20), 1 + Math.floor(random() * 6)];
    const [a, b] = [0, 0].map(() => {
      const layer = spanLayerOf(randomBitmap(columns, rows, 0.1 + 0.5 * random(), random));
      return { layer, ...connectedRegions(layer, "CORNERS") };
    });
    const found = new Set<string>();
    forTouchingRegions(a, b, (region, other) => found.add(`${region} ${other}`));
    const below = paint(b.layer, columns, (span) => b.regionOf[span]);
    const expected = new Set<string>();
    paint(a.layer, columns, (span) => a.regionOf[span]).forEach((region, pixel) => {
      if (region < 0) return;
      for (const i of [pixel, ...pixelsAround(pixel, columns, rows)])
        if (below[i] >= 0) expected.add(`${region} ${below[i]}`);
    });
    assert.deepEqual([...found].sort(), [...expected].sort());
    const bySpans = new Set<string>();
    forTouchingSpans(a.layer, b.layer, (span, other) => bySpans.add(`${a.regionOf[span]} ${b.regionOf[other]}`));
    assert.deepEqual([...found], [...bySpans]);
  }
});

test("marks spread only within regions, and over all spans with a direct path to a mark to the front or back", () => {
  const random = randomFrom(6);
  let [whole, partly] = [0, 0];
  for (let run = 0; run < 300; run++) {
    const [columns, rows] = [1 + Math.floor(random() * 14), 1 + Math.floor(random() * 14)];
    const layer = spanLayerOf(randomBitmap(columns, rows, 0.2 + 0.4 * random(), random));
    const seeds = Uint8Array.from(layer.starts, () => (random() < 0.6 ? 1 : 0));
    const marks = seeds.slice();
    assert.equal(spreadMarks(layer, marks), !marks.includes(0));
    const { count, regionOf } = connectedRegions(layer, "CORNERS");
    for (let region = 0; region < count; region++) {
      const members = [...regionOf.keys()].filter((span) => regionOf[span] === region);
      const isSeeded = members.some((span) => seeds[span] === 1);
      for (const span of members) assert.ok(marks[span] >= seeds[span] && (isSeeded || marks[span] === 0));
      if (isSeeded && members.every((span) => marks[span] === 1)) whole++;
      else if (isSeeded) partly++;
    }
  }
  // Paths that turn back and forth are rare.
  assert.ok(whole > 50 * partly, `${whole} whole, ${partly} partly`);
});

test("every pair of overlapping spans of two layers is visited with the number of shared columns", () => {
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
    const visited: [string, number][] = [];
    forOverlappingSpans(a, b, (span, other, pixels) => visited.push([`${span} ${other}`, pixels]));
    assert.deepEqual(visited.sort(), [...expected].sort());
  }
});
