import assert from "node:assert/strict";
import { test } from "node:test";
import { longTest } from "../fixture/long.ts";
import { ORIGIN } from "../fixture/print-quality/panel-job.ts";
import { PIXEL_MM, edgeErrors, meanOf, rmsOf, worstOf } from "../fixture/print-quality/printed-plate.ts";

const GAMMA = 3;
const RESPONSE = { value: GAMMA, ...ORIGIN };
const blurOf = (blurPx: number) => ({ value: blurPx * PIXEL_MM, ...ORIGIN });

const ANGLES_DEG = [0, 7, 14, 22.5, 30, 38, 45];
const ALONG_PX = [-7.3, 0.2, 6.6];

const errorsOf = (angleDeg: number, optics: object | undefined, blurPx = 0.5, alongPx = ALONG_PX): Promise<number[]> =>
  edgeErrors({ angleDeg, optics, light: { doseOf: (grey) => (grey / 255) ** GAMMA, blurPx }, alongPx });

test("edges of all angles are printed within 0.05 pixels of their places, those along an axis within 0.01", async () => {
  for (const angle of ANGLES_DEG) {
    const worst = worstOf(await errorsOf(angle, { response: RESPONSE, blur_mm: blurOf(0.5) }));
    assert.ok(worst <= (angle === 0 ? 0.01 : 0.05), `${worst} pixels at ${angle}°`);
  }
});

test("without the figures of the panel, edges are a quarter of a pixel inside", async () => {
  for (const angle of [0, 22.5]) {
    const errors = await errorsOf(angle, undefined);
    const [worst, mean] = [worstOf(errors), meanOf(errors)];
    assert.ok(worst > 0.3 && mean < -0.15 && mean > -0.35, `${worst}, mean ${mean} pixels at ${angle}°`);
  }
});

test("the response alone brings edges within 0.1 pixels", async () => {
  for (const angle of [0, 22.5]) {
    const worst = worstOf(await errorsOf(angle, { response: RESPONSE }));
    assert.ok(worst <= 0.1, `${worst} pixels at ${angle}°`);
  }
});

/** Root mean squares of the edges of all angles. */
async function rmsOfLevels(levels: number, blurPx: number, diffusion: boolean, angles = ANGLES_DEG): Promise<number> {
  const grey_levels = { value: levels, ...ORIGIN };
  const optics = { response: RESPONSE, blur_mm: blurOf(blurPx), grey_levels, diffusion };
  const alongPx = Array.from({ length: 11 }, (_, k) => 1.37 * (k - 5));
  const errors: number[] = [];
  for (const angle of angles) errors.push(...(await errorsOf(angle, optics, blurPx, alongPx)));
  return rmsOf(errors);
}

/**
 * Root mean squares in pixels that a prototype had with other angles and offsets, for doses that are the coverages: with the nearest level, and
 * with diffusion. The last one is not reached: 0.041.
 */
const PROTOTYPE = [
  { levels: 16, blurPx: 0.3, nearestPx: 0.096, diffusedPx: 0.092 },
  { levels: 16, blurPx: 0.5, nearestPx: 0.05, diffusedPx: 0.042 },
  { levels: 16, blurPx: 0.7, nearestPx: 0.038, diffusedPx: 0.025 },
  { levels: 8, blurPx: 0.3, nearestPx: 0.109, diffusedPx: 0.116 },
  { levels: 8, blurPx: 0.5, nearestPx: 0.068, diffusedPx: 0.062 },
  { levels: 8, blurPx: 0.7, nearestPx: 0.058, diffusedPx: 0.04, isMissed: true },
] as const;

for (const { levels, blurPx, nearestPx, diffusedPx, ...row } of PROTOTYPE) {
  longTest(`${levels} levels, a blur of ${blurPx} pixels: diffusion does what it did in a prototype`, async () => {
    const [nearest, diffused] = [await rmsOfLevels(levels, blurPx, false), await rmsOfLevels(levels, blurPx, true)];
    const figures = `${diffused} instead of ${nearest} pixels`;
    assert.ok(diffused / nearest <= diffusedPx / nearestPx, figures);
    assert.ok(diffused <= diffusedPx || "isMissed" in row, figures);
  });
}

test("diffusion of 16 levels brings edges nearer to their places", async () => {
  const [nearest, diffused] = [await rmsOfLevels(16, 0.7, false, [7]), await rmsOfLevels(16, 0.7, true, [7])];
  assert.ok(diffused < 0.025 && diffused < 0.85 * nearest, `${diffused} instead of ${nearest} pixels`);
});
