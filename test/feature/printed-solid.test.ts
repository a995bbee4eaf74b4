import assert from "node:assert/strict";
import { test } from "node:test";
import type { Light, Picture } from "../fixture/print-quality/printed-edges.ts";
import {
  type PrintedJob,
  cureDepthMm,
  curedColumns,
  exposureAt,
  printThroughMm,
} from "../fixture/print-quality/printed-solid.ts";

const RESIN = { penetrationMm: 0.15, exposureRatio: 2.3 };
const LAYER_MM = 0.05;
const LIGHT: Light = { doseOf: (grey) => grey / 255, blurPx: 0.5 };

const SIDE = 24;
const MIDDLE = SIDE / 2;

/** Pixels of one grey within `margin` of the border of the picture. */
function square(grey: number, margin = 4): Picture {
  const isLit = (at: number): boolean => at >= margin && at < SIDE - margin;
  const pixels = Uint8Array.from({ length: SIDE * SIDE }, (_, i) =>
    isLit(i % SIDE) && isLit(Math.floor(i / SIDE)) ? grey : 0,
  );
  return { width: SIDE, height: SIDE, pixels };
}

const jobOf = (greys: readonly number[], exposures?: readonly number[]): PrintedJob => ({
  pictures: greys.map((grey) => square(grey)),
  boundariesMm: Float64Array.from({ length: greys.length + 1 }, (_, k) => k * LAYER_MM),
  exposures,
});

/** Intervals of the column above the middle of the pictures. */
const middleOf = (job: PrintedJob) => curedColumns(job, LIGHT, RESIN, [MIDDLE], [MIDDLE])(0, 0);

const isNear = (actual: number | undefined, expected: number, tolerance = 1e-6): void =>
  assert.ok(Math.abs((actual ?? NaN) - expected) < tolerance, `${actual} instead of ${expected}`);

test("one exposure cures down to the depth of the working curve", () => {
  for (const [grey, exposure] of [
    [255, 1],
    [153, 1],
    [255, 3],
  ] as const) {
    const job = jobOf([0, 0, 0, 0, 0, 0, grey], [1, 1, 1, 1, 1, 1, exposure]);
    const [[from, to] = [], ...others] = middleOf(job);
    assert.equal(others.length, 0);
    isNear(to, 7 * LAYER_MM);
    isNear(from, 7 * LAYER_MM - cureDepthMm(RESIN, (grey / 255) * exposure));
  }
  assert.deepEqual(middleOf(jobOf([0, 0, 255 * 0.43])), []);
});

test("the doses of a thick body add up below its lower face", () => {
  const empty = 20;
  const job = jobOf(Array.from({ length: 120 }, (_, k) => (k < empty ? 0 : 255)));
  const [[from, to] = [], ...others] = middleOf(job);
  assert.equal(others.length, 0);
  isNear(to, 120 * LAYER_MM);
  const printThrough = printThroughMm(RESIN, LAYER_MM);
  isNear(printThrough, 0.264, 0.001);
  isNear(from, empty * LAYER_MM - printThrough);
});

test("layers with too little light to bond are apart", () => {
  const dim = Math.exp(LAYER_MM / 2 / RESIN.penetrationMm) / RESIN.exposureRatio;
  const pictures = [square(255), square(0), square(0)];
  const job = {
    ...jobOf([0, 0, 0]),
    pictures: [...pictures, square(255)],
    boundariesMm: [0, 0.05, 0.3, 0.6, 0.65],
    exposures: [1, 1, 1, dim],
  };
  const intervals = middleOf(job);
  assert.equal(intervals.length, 2);
  isNear(intervals[0]?.[0], 0);
  isNear(intervals[0]?.[1], 0.05);
  isNear(intervals[1]?.[0], 0.65 - LAYER_MM / 2);
});

test("the columns end where the dose at points is the least that cures", () => {
  const job = jobOf([0, 0, 0, 0, 80, 0, 200, 255, 255, 90], [8, 6, 4, 2, 1, 1, 1, 1, 1, 1]);
  const [xs, ys] = [
    [3.7, 4.1, 9.3, 12],
    [4.2, 4.6, 11.5],
  ];
  const columns = curedColumns(job, LIGHT, RESIN, xs, ys);
  let count = 0;
  xs.forEach((x, column) =>
    ys.forEach((y, row) => {
      const intervals = columns(column, row);
      for (let z = 0.0013; z < 0.5; z += 0.0031) {
        const isCured = exposureAt(job, LIGHT, RESIN, [x, y, z]) >= 1;
        assert.equal(
          intervals.some(([from, to]) => z >= from && z <= to),
          isCured,
          `(${x}, ${y}, ${z})`,
        );
        count += Number(isCured);
      }
    }),
  );
  assert.ok(count > 300);
});

test("a straight edge of one layer is where the blurred dose falls to the share that cures", () => {
  const job = jobOf([0, 0, 0, 0, 255]);
  const xs = Array.from({ length: 2001 }, (_, k) => 3.5 + k / 2000);
  const columns = curedColumns(job, LIGHT, RESIN, xs, [MIDDLE]);
  const edge = xs[xs.findIndex((_, column) => columns(column, 0).length > 0)];
  // σ · Φ⁻¹(1 − 1/2.3) = 0.5 · 0.1640 pixels beyond the edge of the white pixels.
  isNear(edge, 4 - 0.5 * 0.164, 0.001);
});
