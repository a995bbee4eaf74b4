import type { Watch } from "../core/watch.ts";
import { FACING_ONE, type Relief } from "./layers.ts";

/** How far shadows reach, as a share of the relief's larger side, and how dark they get. */
const REACH = 0.05;
const STRENGTH = 1.4;
/** What is nearer than this share of the reach counts no more than what is there: so few taps do not find it evenly. */
const NEAR = 0.12;
/** Surfaces rising less than this above the plane of the point, in steps of the relief, cast nothing on it. */
const BIAS = 0.3;

const TAPS = 12;
/** Turns of the spiral on which the taps lie. */
const TURNS = 5;
/** Neighbours look at different places: a pattern of so many by so many, which `soften` evens out. */
const PATTERN = 4;

const ROWS_PER_REPORT = 16;
const UNSHADED = 255;

/**
 * How much of the light from all around reaches each place, 255 for all: what rises around a point shuts it out.
 * Source: M. McGuire, M. Mara, D. Luebke, "Scalable Ambient Obscurance" (2012), its estimator over taps on a spiral.
 */
export function ambientLight({ width, height, nearness, facing }: Relief, watch: Watch): Uint8Array {
  const reach = Math.max(2, REACH * Math.max(width, height));
  const reach2 = reach * reach;
  const near2 = NEAR * NEAR * reach2;
  const taps = spirals(reach);
  const light = new Uint8Array(width * height).fill(UNSHADED);
  for (let y = 0; y < height; y++) {
    if (y % ROWS_PER_REPORT === 0) watch.report(y / height);
    for (let x = 0; x < width; x++) {
      const at = y * width + x;
      const z = nearness[at];
      if (z === -Infinity) continue;
      const nx = facing[2 * at] / FACING_ONE;
      const ny = facing[2 * at + 1] / FACING_ONE;
      const nz = Math.sqrt(Math.max(0, 1 - nx * nx - ny * ny));
      const first = ((y % PATTERN) * PATTERN + (x % PATTERN)) * TAPS * 2;
      let shut = 0;
      for (let tap = first; tap < first + 2 * TAPS; tap += 2) {
        const dx = taps[tap];
        const dy = taps[tap + 1];
        const u = x + dx;
        const v = y + dy;
        if (u < 0 || v < 0 || u >= width || v >= height) continue;
        const dz = nearness[v * width + u] - z;
        const rise = dx * nx + dy * ny + dz * nz - BIAS;
        if (!(rise > 0)) continue;
        const distance2 = dx * dx + dy * dy + dz * dz;
        if (distance2 >= reach2) continue;
        const fade = 1 - distance2 / reach2;
        shut += (fade * fade * fade * rise) / (distance2 + near2);
      }
      light[at] = UNSHADED * Math.max(0, 1 - (STRENGTH * reach * shut) / TAPS) + 0.5;
    }
  }
  return light;
}

/** Whole steps to the taps of each place of the pattern: x, y of each. */
function spirals(reach: number): Int32Array {
  const steps = new Int32Array(PATTERN * PATTERN * TAPS * 2);
  for (let cell = 0; cell < PATTERN * PATTERN; cell++) {
    // Seven has no divisor in common with the number of places, so it shuffles their turns, so that no row or column has a trend.
    const start = ((cell * 7) % (PATTERN * PATTERN)) / (PATTERN * PATTERN);
    for (let tap = 0; tap < TAPS; tap++) {
      const share = (tap + 0.5) / TAPS;
      const angle = 2 * Math.PI * (start + TURNS * share);
      steps[2 * (cell * TAPS + tap)] = Math.round(reach * share * Math.cos(angle));
      steps[2 * (cell * TAPS + tap) + 1] = Math.round(reach * share * Math.sin(angle));
    }
  }
  return steps;
}
