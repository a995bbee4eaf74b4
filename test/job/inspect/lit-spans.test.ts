import assert from "node:assert/strict";
import { test } from "node:test";
import type { SpanLayer } from "../../../src/geometry/spans.ts";
import { coarseGrid, coarsen } from "../../../src/job/inspect/coarse-spans.ts";
import { litLayer } from "../../../src/job/inspect/lit-spans.ts";
import { sampledGrid, sampledSpans } from "../../../src/job/inspect/sampled-spans.ts";
import { runsOf } from "../../fixture/job/runs-of.ts";
import { someLayer } from "../../fixture/job/some-layers.ts";
import { slowRuns } from "../../fixture/long.ts";
import { fc } from "../../fixture/property.ts";

// Each against loops over all pixels.

/** The solid pixels of a layer; asserts that its spans are in order and do not touch. */
function solidPixels({ rowStarts, starts, ends }: SpanLayer): string[] {
  const found: string[] = [];
  for (let row = 0; row + 1 < rowStarts.length; row++) {
    for (let span = rowStarts[row]; span < rowStarts[row + 1]; span++) {
      assert.ok(starts[span] < ends[span] && (span === rowStarts[row] || ends[span - 1] < starts[span]), "spans touch");
      for (let column = starts[span]; column < ends[span]; column++) found.push(`${column} ${row}`);
    }
  }
  return found;
}

const byName = (a: string, b: string): number => (a < b ? -1 : 1);

test("the lit pixels of a layer and their sums are those of the picture", () => {
  const property = fc.property(someLayer, (picture) => {
    const { width, height, pixels } = picture;
    const { spans, sums } = litLayer(runsOf(picture), 3);
    const lit = [...pixels.keys()].filter((at) => pixels[at] > 0).map((at) => [at % width, Math.floor(at / width)]);
    assert.equal(spans.index, 3);
    assert.deepEqual(
      solidPixels(spans),
      lit.map(([x, y]) => `${x} ${y}`),
    );
    assert.deepEqual(sums, {
      lit: lit.length,
      values: pixels.reduce((sum, value) => sum + value, 0),
      border: lit.filter(([x, y]) => x === 0 || y === 0 || x === width - 1 || y === height - 1).length,
    });
  });
  fc.assert(property, { numRuns: slowRuns(30) });
});

const pitches = fc.tuple(
  fc.double({ min: 0.02, max: 0.09, noNaN: true }),
  fc.double({ min: 0.02, max: 0.09, noNaN: true }),
);

test("a coarse pixel is solid if it contains the middle of a lit pixel", () => {
  const property = fc.property(someLayer, pitches, (picture, pitch) => {
    const { width, height, pixels } = picture;
    const grid = coarseGrid([width, height], pitch, 0.1);
    const expected = new Set<string>();
    for (const [at, value] of pixels.entries()) {
      const [x, y] = [at % width, Math.floor(at / width)];
      const [column, row] = [((x + 0.5) * pitch[0]) / 0.1, ((y + 0.5) * pitch[1]) / 0.1].map(
        (to) => 1 + Math.floor(to),
      );
      if (value > 0) expected.add(`${column} ${row}`);
      assert.ok(column < grid.columns - 1 && row < grid.rows - 1, "the grid has no empty pixel at its end");
    }
    const coarse = coarsen(litLayer(runsOf(picture), 0).spans, grid);
    assert.equal(coarse.rowStarts.length, grid.rows + 1);
    assert.deepEqual(solidPixels(coarse).sort(byName), [...expected].sort(byName));
  });
  fc.assert(property, { numRuns: slowRuns(30) });
});

test("a sample is solid if its pixel has the least value", () => {
  const property = fc.property(someLayer, pitches, fc.integer({ min: 1, max: 255 }), (picture, pitch, least) => {
    const { width, height, pixels } = picture;
    const grid = sampledGrid([width, height], pitch, 0.1);
    const [columns, rows] = [[...grid.columns], [...grid.rows]];
    assert.ok(columns.every((column) => column < width) && rows.every((row) => row < height));
    const expected = rows.flatMap((row, y) =>
      columns.flatMap((column, x) => (pixels[row * width + column] >= least ? [`${x} ${y}`] : [])),
    );
    assert.deepEqual(solidPixels(sampledSpans(runsOf(picture), 0, grid, least)), expected);
    const areaMm2 = width * pitch[0] * height * pitch[1];
    assert.ok(Math.abs(grid.sampleMm2 * columns.length * rows.length - areaMm2) < 1e-9 * areaMm2);
  });
  fc.assert(property, { numRuns: slowRuns(30) });
});

test("pictures of large pixels are sampled whole", () => {
  const grid = sampledGrid([5, 3], [0.2, 0.11], 0.1);
  assert.deepEqual(
    [[...grid.columns], [...grid.rows]],
    [
      [0, 1, 2, 3, 4],
      [0, 1, 2],
    ],
  );
});
