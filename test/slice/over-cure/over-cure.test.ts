import assert from "node:assert/strict";
import { test } from "node:test";
import { runAtOnce } from "../../../src/core/steps.ts";
import type { SpanLayer } from "../../../src/geometry/spans.ts";
import type { LayerRuns } from "../../../src/slice/raster/rasterise-layer.ts";
import {
  type LayerCure,
  type LayerDoses,
  cureReach,
  layerDoses,
  ratioOfPrintThrough,
} from "../../../src/slice/over-cure/cure-doses.ts";
import { drawAgainstOverCure } from "../../../src/slice/over-cure/draw-against-over-cure.ts";
import { grownSpans } from "../../../src/slice/over-cure/grown-spans.ts";
import { curedLayer } from "../../../src/slice/over-cure/cured-layer.ts";
import { islandSpans } from "../../../src/slice/over-cure/island-spans.ts";
import { denseLayer } from "../../fixture/dense-layer.ts";
import { fc } from "../../fixture/property.ts";
import { evenly } from "../../fixture/slices.ts";

const [WIDTH, HEIGHT] = [9, 3];

/** Runs of a dense picture. */
function runsOf(pixels: readonly number[], width = WIDTH): LayerRuns {
  const height = pixels.length / width;
  const runs: { row: number; start: number; end: number; value: number }[] = [];
  pixels.forEach((value, i) => {
    const [row, column] = [Math.floor(i / width), i % width];
    const last = runs.at(-1);
    if (value === 0) return;
    if (last && last.row === row && last.end === column && last.value === value) last.end++;
    else runs.push({ row, start: column, end: column + 1, value });
  });
  return {
    width,
    height,
    rowStarts: Uint32Array.from({ length: height + 1 }, (_, row) => runs.filter((run) => run.row < row).length),
    starts: Uint16Array.from(runs, ({ start }) => start),
    ends: Uint16Array.from(runs, ({ end }) => end),
    values: Uint8Array.from(runs, ({ value }) => value),
  };
}

const spansOf = (pixels: readonly boolean[], width = WIDTH): SpanLayer =>
  curedLayer(
    runsOf(
      pixels.map((is) => (is ? 255 : 0)),
      width,
    ),
    0,
  ).lit;

interface DenseLayer {
  readonly coverages: readonly number[];
  readonly supported: readonly boolean[];
  readonly islands: readonly boolean[];
}

/** The value of a pixel of layer k, by the definition in `draw-against-over-cure.ts`. */
function expectedValue(
  layers: readonly DenseLayer[],
  k: number,
  pixel: number,
  doses: LayerDoses,
  doseOf: Float64Array,
): number {
  const { depth, reach, above } = doses;
  const covered = (layer: number): number => layers[layer]!.coverages[pixel]!;
  const coverage = covered(k);
  if (coverage === 0 || layers[k]!.supported[pixel]) return coverage;
  // B(i) for i from 1 on; below a platform or an island, all is solid.
  const least = [Infinity, coverage];
  for (let [i, isHeld] = [2, false]; i <= depth + 2; i++) {
    const layer = k - i + 1;
    isHeld ||= layer < 0 || layers[layer + 1]!.islands[pixel]!;
    const own = isHeld || layers[layer]!.supported[pixel] ? 255 : covered(layer);
    least.push(Math.min(least[i - 1]!, own));
  }
  let count = 0;
  while (count < above.length - 1 && 2 * covered(k + count + 1) >= coverage) count++;
  const clamp = (dose: number): number => Math.min(1, Math.max(0, dose));
  const doseAt = (i: number): number => (i >= depth ? 1 : i === 0 ? 0 : clamp(reach[i]! - above[count]!));
  if (least[depth] === coverage) return coverage;
  let dose = 0;
  for (let i = 1; i <= depth; i++) dose += (doseAt(i) - doseAt(i - 1)) * doseOf[least[i]!]!;
  const last = least.findLastIndex((value) => value > 0);
  const isFlat = last > 1 && last <= depth && least[last + 1] === 0 && least[last - 1] === 255 && least[last]! < 255;
  if (isFlat) {
    const share = least[last]! / 255;
    dose = clamp(reach[last - 1]! * (reach[last]! / reach[last - 1]!) ** share - above[count]!);
  }
  const distances = Array.from(doseOf.subarray(0, coverage + 1), (own) => Math.abs(own - dose));
  return distances.indexOf(Math.min(...distances));
}

const fewLayers = 14;
const uniform = (thicknessMm: number, cure: Partial<LayerCure> = {}, count = fewLayers): [LayerCure, Float64Array] => [
  { penetrationMm: 0.15, exposureRatio: 2.3, exposures: new Float64Array(count).fill(1), ...cure },
  evenly(count, thicknessMm),
];

/** Solids whose pixels begin, end and change now and then. */
const layersArbitrary = fc
  .array(
    fc.array(
      fc.record({
        coverage: fc.oneof(
          { weight: 4, arbitrary: fc.constant(255) },
          { weight: 3, arbitrary: fc.constant(0) },
          { weight: 2, arbitrary: fc.integer({ min: 1, max: 254 }) },
        ),
        times: fc.integer({ min: 1, max: 9 }),
        isSupported: fc.integer({ min: 0, max: 9 }),
        isIsland: fc.integer({ min: 0, max: 9 }),
      }),
      { minLength: fewLayers, maxLength: fewLayers },
    ),
    { minLength: WIDTH * HEIGHT, maxLength: WIDTH * HEIGHT },
  )
  .map((columns): DenseLayer[] => {
    const repeated = columns.map((column) => column.flatMap((one) => Array.from({ length: one.times }, () => one)));
    return Array.from({ length: fewLayers }, (_, k) => ({
      coverages: repeated.map((column) => column[k]!.coverage),
      supported: repeated.map((column) => column[k]!.isSupported === 0),
      islands: repeated.map((column) => column[k]!.coverage > 0 && column[k]!.isIsland === 0),
    }));
  });

test("layers of any columns, supports and islands have the doses that the definition says, in any chunks", () => {
  const cures = [
    { penetrationMm: 0.15, exposureRatio: 2.3 },
    { penetrationMm: 0.08, exposureRatio: 5 },
    {
      penetrationMm: 0.2,
      exposureRatio: 1.3,
      exposures: Float64Array.from({ length: fewLayers }, (_, k) => Math.max(1, 6 - k)),
    },
  ];
  const doseOf = Float64Array.from({ length: 256 }, (_, value) => (value / 255) ** 1.3);
  fc.assert(
    fc.property(
      layersArbitrary,
      fc.constantFrom(...cures),
      fc.integer({ min: 1, max: 5 }),
      fc.boolean(),
      (dense, given, chunk, isKept) => {
        const [cure, boundariesMm] = uniform(0.05, given);
        const plain = isKept
          ? dense
          : dense.map((one) => ({
              ...one,
              supported: one.supported.map(() => false),
              islands: one.islands.map(() => false),
            }));
        const layers = plain.map(({ coverages, supported, islands }, k) => ({
          ...curedLayer(runsOf(coverages), k, isKept ? spansOf(supported) : undefined),
          islands: isKept ? spansOf(islands) : undefined,
        }));
        const doses = layers.map((_, k) => layerDoses(cure, boundariesMm, k));
        const drawn = layers.flatMap((_, from) => {
          if (from % chunk > 0) return [];
          const range = { from, end: Math.min(from + chunk, fewLayers) };
          return drawAgainstOverCure(
            { layers, range, doses: doses.slice(range.from, range.end), doseOfCoverage: doseOf },
            () => {},
          );
        });
        drawn.forEach((runs, k) => {
          const expected = plain[k]!.coverages.map((_, pixel) => expectedValue(plain, k, pixel, doses[k]!, doseOf));
          assert.deepEqual([...denseLayer(runs)], expected, `layer ${k}`);
        });
      },
    ),
    { numRuns: 60 },
  );
});

test("the doses of a column cure down to its lower face, at any thickness and exposure of its layers", () => {
  const count = 80;
  const boundariesMm = Float64Array.from({ length: count + 1 }, (_, k) => 0.04 * k + 0.01 * Math.sin(k));
  const exposures = Float64Array.from({ length: count }, (_, k) => 1 + 3 * Math.max(0, 1 - k / 30));
  const cure = { penetrationMm: 0.13, exposureRatio: 2.7, exposures };
  const doseOf = (k: number, face: number, top: number): number => {
    const { depth, reach, above } = layerDoses(cure, boundariesMm, k);
    const i = k - face + 1;
    return i >= depth ? 1 : Math.min(1, Math.max(0, reach[i]! - above[Math.min(above.length - 1, top - 1 - k)]!));
  };
  for (const [face, top] of [
    [3, 80],
    [20, 80],
    [40, 80],
    [50, 58],
    [50, 62],
  ] as const) {
    let sum = 0;
    for (let k = face; k < top; k++) {
      sum +=
        cure.exposureRatio *
        exposures[k]! *
        doseOf(k, face, top) *
        Math.exp(-(boundariesMm[k + 1]! - boundariesMm[face]!) / cure.penetrationMm);
    }
    assert.ok(Math.abs(sum - 1) < 0.03, `${sum} over layer ${face}, up to layer ${top}`);
  }
});

test("a ratio that follows from the print-through makes thick bodies cure so far", () => {
  const ratio = ratioOfPrintThrough(0.264, 0.15, 0.05);
  assert.ok(Math.abs(ratio - 2.3) < 0.005, `${ratio}`);
});

test("all that a layer depends on is within its reach, which ascends", () => {
  const count = 60;
  const boundariesMm = Float64Array.from({ length: count + 1 }, (_, k) => (k < 20 ? 0.1 * k : 2 + 0.02 * (k - 20)));
  const cure = { penetrationMm: 0.1, exposureRatio: 3, exposures: new Float64Array(count).fill(1) };
  const { firsts, ends } = runAtOnce(cureReach(cure, boundariesMm));
  for (let k = 0; k < count; k++) {
    const { depth, above } = layerDoses(cure, boundariesMm, k);
    assert.ok(firsts[k]! <= Math.max(0, k - depth) && ends[k]! >= k + above.length);
    if (k > 0) assert.ok(firsts[k]! >= firsts[k - 1]! && ends[k]! >= ends[k - 1]!);
  }
});

test("figures by which light cures through hundreds of layers are refused with the way out", () => {
  const [cure, boundariesMm] = uniform(0.02, { penetrationMm: 3 }, 600);
  assert.throws(() => runAtOnce(cureReach(cure, boundariesMm)), /more than 256 layers.*over_cure to false/);
});

test("the margin of supports is a square around each of their pixels", () => {
  const rows = 8;
  fc.assert(
    fc.property(
      fc.array(fc.boolean(), { minLength: 12 * rows, maxLength: 12 * rows }),
      fc.integer({ min: 0, max: 3 }),
      (pixels, distance) => {
        const isNear = (i: number): boolean =>
          pixels.some(
            (is, k) =>
              is &&
              Math.abs((k % 12) - (i % 12)) <= distance &&
              Math.abs(Math.floor(k / 12) - Math.floor(i / 12)) <= distance,
          );
        const grown = grownSpans(spansOf(pixels, 12), 12, distance);
        assert.deepEqual(
          { ...grown, index: 0 },
          {
            ...spansOf(
              pixels.map((_, i) => isNear(i)),
              12,
            ),
          },
        );
      },
    ),
    { numRuns: 60 },
  );
});

test("islands are the regions that touch nothing below, not even at a corner", () => {
  const below = spansOf([true, ...Array.from({ length: 17 }, () => false)], 6);
  // One region touches at a corner, the other does not.
  const layer = spansOf([0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 1, 0, 0, 0, 0, 0, 1, 0].map(Boolean), 6);
  const islands = islandSpans(layer, below);
  assert.deepEqual(islands && [...islands.starts], [3, 4]);
  assert.deepEqual(islands && [...islands.rowStarts], [0, 0, 1, 2]);
  assert.equal(islandSpans(below, below), undefined);
});
