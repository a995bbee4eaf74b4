import type { Watch } from "../core/watch.ts";
import type { Relief } from "./layers.ts";

/** Places to each side of the middle. The weights 1 2 3 4 3 2 1 even out any pattern that repeats after four. */
const RADIUS = 3;
/** Neighbours that lie deeper or nearer than the middle by as many steps per step of distance are another surface. */
const STEEPEST = 3;

const LINES_PER_REPORT = 64;

/** Blurs `light` within surfaces: it does not flow over the edges of bodies. */
export function soften(light: Uint8Array, { width, height, nearness }: Relief, watch: Watch): Uint8Array {
  const across = new Uint8Array(light.length);
  for (let row = 0; row < height; row++) {
    if (row % LINES_PER_REPORT === 0) watch.report((0.5 * row) / height);
    softenLine(light, nearness, row * width, 1, width, across);
  }
  const softened = new Uint8Array(light.length);
  for (let column = 0; column < width; column++) {
    if (column % LINES_PER_REPORT === 0) watch.report(0.5 + (0.5 * column) / width);
    softenLine(across, nearness, column, width, height, softened);
  }
  return softened;
}

function softenLine(
  light: Uint8Array,
  nearness: Float32Array,
  start: number,
  step: number,
  count: number,
  softened: Uint8Array,
): void {
  for (let place = 0; place < count; place++) {
    const at = start + place * step;
    const z = nearness[at];
    softened[at] = light[at];
    if (z === -Infinity) continue;
    const before = place < RADIUS ? place : RADIUS;
    const after = place + RADIUS < count ? RADIUS : count - 1 - place;
    let weights = RADIUS + 1;
    let sum = weights * light[at];
    for (let distance = 1; distance <= RADIUS; distance++) {
      const weight = RADIUS + 1 - distance;
      const steepest = STEEPEST * distance;
      const left = at - distance * step;
      const right = at + distance * step;
      if (distance <= before && nearness[left] <= z + steepest && nearness[left] >= z - steepest) {
        sum += weight * light[left];
        weights += weight;
      }
      if (distance <= after && nearness[right] <= z + steepest && nearness[right] >= z - steepest) {
        sum += weight * light[right];
        weights += weight;
      }
    }
    softened[at] = sum / weights + 0.5;
  }
}
