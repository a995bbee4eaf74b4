import type { Watch } from "../core/watch.ts";
import { type Layers, RELIEF_STEP } from "./layers.ts";

const ROWS_PER_REPORT = 32;
const FULL = 255;

/** Neighbours whose depth differs from a pixel's by so much, in pixels, count half as much as one that lies level with it. */
const HALF_RISE_PX = 2;

/**
 * Darkens the pixels by the light of the relief: each by that of the places around it, most by those of its own surface.
 * Source: J. Kopf, M. Cohen, D. Lischinski, M. Uyttendaele, "Joint Bilateral Upsampling" (2007).
 */
export function darken(layers: Layers, light: Uint8Array, watch: Watch): void {
  for (let row = 0; row < layers.height; row++) {
    if (row % ROWS_PER_REPORT === 0) watch.report(row / layers.height);
    darkenRow(layers, light, row);
  }
}

function darkenRow({ width, nearness, rgba, relief }: Layers, light: Uint8Array, row: number): void {
  const upper = Math.floor(row / RELIEF_STEP) * relief.width;
  const lower = Math.min(relief.height - 1, Math.ceil(row / RELIEF_STEP)) * relief.width;
  for (let column = 0; column < width; column++) {
    const pixel = row * width + column;
    const z = nearness[pixel];
    if (z === -Infinity) continue;
    const left = (column / RELIEF_STEP) | 0;
    const right = column % RELIEF_STEP === 0 || left + 1 === relief.width ? left : left + 1;
    const a = light[upper + left];
    const b = light[upper + right];
    const c = light[lower + left];
    const d = light[lower + right];
    let share = a;
    if (a !== b || a !== c || a !== d) {
      const wa = likeness(relief.nearness[upper + left], z);
      const wb = likeness(relief.nearness[upper + right], z);
      const wc = likeness(relief.nearness[lower + left], z);
      const wd = likeness(relief.nearness[lower + right], z);
      const weights = wa + wb + wc + wd;
      share = weights > 0 ? (wa * a + wb * b + wc * c + wd * d) / weights : FULL;
    }
    if (share === FULL) continue;
    share /= FULL;
    rgba[4 * pixel] = rgba[4 * pixel] * share;
    rgba[4 * pixel + 1] = rgba[4 * pixel + 1] * share;
    rgba[4 * pixel + 2] = rgba[4 * pixel + 2] * share;
  }
}

/** How much two places seem to belong to one surface: 1 when they lie level, nothing where nothing is. */
function likeness(near: number, z: number): number {
  const rise = (RELIEF_STEP * near - z) / HALF_RISE_PX;
  return 1 / (1 + rise * rise);
}
