import assert from "node:assert/strict";
import { test } from "node:test";
import { slowRuns } from "../fixture/long.ts";
import { fc } from "../fixture/property.ts";
import { noProgress } from "../../src/core/progress.ts";
import {
  NO_FACET,
  SAMPLES,
  SAMPLE_X,
  type Samples,
  newSampleMemory,
  rasteriseBody,
} from "../../src/render/rasterise.ts";

const [WIDTH, ROWS] = [24, 6];

const newSamples = (facetCount: number): Samples => newSampleMemory().clear(WIDTH, 0, ROWS, facetCount);

/** Index of the sample in a pixel column and a thin row. */
const sampleAt = (column: number, row: number): number =>
  (Math.floor(row / SAMPLES) * WIDTH + column) * SAMPLES + (row % SAMPLES);

const coordinate = (most: number) =>
  fc.oneof(fc.double({ min: -4, max: most + 4, noNaN: true }).map(Math.fround), fc.integer({ min: 0, max: most }));
const point = fc.tuple(coordinate(WIDTH), coordinate(ROWS * SAMPLES), fc.integer({ min: -20, max: 20 }));
const soups = fc.array(fc.tuple(point, point, point), { minLength: 1, maxLength: 12 });

/** Nearness of the triangle at (x, y); undefined outside of it and nearer than `slack` to its edges. */
function nearnessAt(corners: readonly (readonly number[])[], x: number, y: number, slack: number): number | undefined {
  const [a, b, c] = corners as [number[], number[], number[]];
  const cut = (p: number[], q: number[]): number => (p[0] - x) * (q[1] - y) - (q[0] - x) * (p[1] - y);
  const [u, v, w] = [cut(b, c), cut(c, a), cut(a, b)];
  const area = u + v + w;
  if (Math.abs(area) < 1e-3) return undefined;
  if (![u, v, w].every((part) => part / area > slack)) return undefined;
  return (u * a[2] + v * b[2] + w * c[2]) / area;
}

test("each sample has the facet that a ray hits first", () => {
  fc.assert(
    fc.property(soups, (soup) => {
      const samples = newSamples(100 + soup.length);
      const points = Float32Array.from(soup.flat(2));
      const triangles = Uint32Array.from({ length: points.length / 3 }, (_, i) => i);
      rasteriseBody({ points, triangles, firstFacet: 100, isSolid: false }, samples, noProgress);
      const shown = new Set(samples.facets.filter((facet) => facet !== NO_FACET));
      assert.ok([...shown].every((facet) => samples.seen[facet] === 1));
      for (let row = 0; row < ROWS * SAMPLES; row++) {
        for (let column = 0; column < WIDTH; column++) {
          const at = sampleAt(column, row);
          const x = column + SAMPLE_X[row % SAMPLES];
          const surely = soup.map((corners) => nearnessAt(corners, x, row, 1e-6));
          const perhaps = soup.map((corners) => nearnessAt(corners, x, row, -1e-6));
          const least = Math.max(...surely.map((near) => near ?? -Infinity));
          assert.ok(samples.nearness[at] >= least - 1e-3, `sample ${column}, ${row} shows what lies behind`);
          if (samples.facets[at] === NO_FACET) continue;
          const shown = perhaps[samples.facets[at] - 100];
          const isSliver = shown === undefined && Math.abs(twiceAreaOf(soup[samples.facets[at] - 100])) < 0.05;
          assert.ok(isSliver || Math.abs(shown! - samples.nearness[at]) < 1e-2, `sample ${column}, ${row}`);
        }
      }
    }),
    { numRuns: slowRuns(300) },
  );
});

const twiceAreaOf = ([a, b, c]: readonly (readonly number[])[]): number =>
  (b![0] - a![0]) * (c![1] - a![1]) - (c![0] - a![0]) * (b![1] - a![1]);

test("the end of a sliver does not fill a whole row", () => {
  const samples = newSamples(1);
  const points = Float32Array.of(0, -8.695652650203556e-5, 0, 2, 0, 0, 1, 1.401298464324817e-45, 0);
  rasteriseBody({ points, triangles: Uint32Array.of(0, 1, 2), firstFacet: 0, isSolid: false }, samples, noProgress);
  assert.ok(samples.facets.filter((facet) => facet !== NO_FACET).length <= 1);
});

test("facets with a common edge leave no gap and share no sample", () => {
  const inside = fc.tuple(
    fc.double({ min: 1, max: WIDTH - 1, noNaN: true }),
    fc.double({ min: 1, max: ROWS * SAMPLES - 1, noNaN: true }),
  );
  fc.assert(
    fc.property(inside, ([x, y]) => {
      // A fan of four facets over the whole of the samples and beyond.
      const points = Float32Array.of(-1, -1, 0, WIDTH + 1, -1, 0, WIDTH + 1, 40, 0, -1, 40, 0, x, y, 5);
      const fan = [
        [0, 1, 4],
        [1, 2, 4],
        [2, 3, 4],
        [3, 0, 4],
      ];
      const counts = new Uint8Array(WIDTH * ROWS * SAMPLES);
      for (const facet of fan) {
        const samples = newSamples(1);
        rasteriseBody(
          { points, triangles: Uint32Array.from(facet), firstFacet: 0, isSolid: false },
          samples,
          noProgress,
        );
        samples.facets.forEach((shown, at) => (counts[at] += shown === NO_FACET ? 0 : 1));
      }
      assert.ok(counts.every((count) => count === 1));
    }),
  );
});

test("hidden facets are not marked as seen", () => {
  const samples = newSamples(3);
  const points = Float32Array.of(
    1,
    1,
    5,
    20,
    1,
    5,
    1,
    20,
    5,
    1,
    1,
    0,
    20,
    1,
    0,
    1,
    20,
    0,
    40,
    1,
    9,
    50,
    1,
    9,
    40,
    20,
    9,
  );
  const triangles = Uint32Array.of(0, 1, 2, 3, 4, 5, 6, 7, 8);
  rasteriseBody({ points, triangles, firstFacet: 0, isSolid: false }, samples, noProgress);
  assert.deepEqual([...samples.seen], [1, 0, 0]);
});

test("samples in reused memory are empty", () => {
  const memory = newSampleMemory();
  for (const [width, rows, facetCount] of [
    [WIDTH, ROWS, 5],
    [9, 2, 3],
    [50, 7, 9],
  ] as const) {
    const samples = memory.clear(width, 0, rows, facetCount);
    assert.deepEqual([samples.facets.length, samples.seen.length], [width * rows * SAMPLES, facetCount]);
    assert.ok(samples.nearness.every((near) => near === -Infinity));
    assert.ok(samples.facets.every((facet) => facet === NO_FACET) && samples.seen.every((seen) => seen === 0));
    const points = Float32Array.of(-9, -9, 1, 99, -9, 1, -9, 99, 1);
    rasteriseBody({ points, triangles: Uint32Array.of(0, 1, 2), firstFacet: 0, isSolid: false }, samples, noProgress);
    assert.ok(samples.facets.includes(0) && samples.seen[0] === 1);
    if (width === 9) memory.release();
  }
});
