import type { Progress } from "../core/progress.ts";
import { FACING_ONE, type FrameBuffer, GBUFFER_STEP, type GBuffer } from "./frame-buffer.ts";

/** Radius of the occlusion, as a share of the larger side of the G-buffer. */
const REACH = 0.05;
const STRENGTH = 1.4;
/** Nearer occluders count as if they were at this share of the radius: few taps sample them unevenly. */
const NEAR = 0.12;
/** Surfaces that rise less than this above the tangent plane of a point, in pixels of the G-buffer, do not occlude it. */
const BIAS = 0.3;

const TAPS = 12;
/** Turns of the spiral of the taps. */
const TURNS = 5;
/** The taps differ within tiles of this many pixels per side; {@link blurAmbientOcclusion} averages the pattern. */
const PATTERN = 4;

const ROWS_PER_REPORT = 16;
/** Light of points that nothing occludes. */
const UNSHADED = 255;

/**
 * The share of ambient light that reaches each point, 0 to 255: surfaces that rise around a point occlude it.
 * Source: M. McGuire, M. Mara, D. Luebke, "Scalable Ambient Obscurance" (2012), its estimator over taps on a spiral.
 */
export function ambientOcclusion({ width, height, nearness, facing }: GBuffer, progress: Progress): Uint8Array {
  const reach = Math.max(2, REACH * Math.max(width, height));
  const reach2 = reach * reach;
  const near2 = NEAR * NEAR * reach2;
  const taps = spirals(reach);
  const light = new Uint8Array(width * height).fill(UNSHADED);
  for (let y = 0; y < height; y++) {
    if (y % ROWS_PER_REPORT === 0) progress.report(y / height);
    for (let x = 0; x < width; x++) {
      const at = y * width + x;
      const z = nearness[at];
      if (z === -Infinity) continue;
      const nx = facing[2 * at] / FACING_ONE;
      const ny = facing[2 * at + 1] / FACING_ONE;
      const nz = Math.sqrt(Math.max(0, 1 - nx * nx - ny * ny));
      const first = ((y % PATTERN) * PATTERN + (x % PATTERN)) * TAPS * 2;
      let occluded = 0;
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
        occluded += (fade * fade * fade * rise) / (distance2 + near2);
      }
      light[at] = UNSHADED * Math.max(0, 1 - (STRENGTH * reach * occluded) / TAPS) + 0.5;
    }
  }
  return light;
}

/** Offsets in whole pixels, x, y, to the taps of each pixel of a tile. */
function spirals(reach: number): Int32Array {
  const steps = new Int32Array(PATTERN * PATTERN * TAPS * 2);
  for (let cell = 0; cell < PATTERN * PATTERN; cell++) {
    // 7 and the number of pixels are coprime: the angles are permuted, without a trend along rows or columns.
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

/** Radius of the blur. The weights 1 2 3 4 3 2 1 average any pattern with period 4. */
const RADIUS = 3;
/** Neighbours whose depth differs by more than this per pixel of distance belong to another surface. */
const MAX_SLOPE = 3;

const LINES_PER_REPORT = 64;

/** Blurs the light within surfaces, but not across the edges of bodies: a separable bilateral filter. */
export function blurAmbientOcclusion(
  light: Uint8Array,
  { width, height, nearness }: GBuffer,
  progress: Progress,
): Uint8Array {
  const across = new Uint8Array(light.length);
  for (let row = 0; row < height; row++) {
    if (row % LINES_PER_REPORT === 0) progress.report((0.5 * row) / height);
    blurLine(light, nearness, row * width, 1, width, across);
  }
  const blurred = new Uint8Array(light.length);
  for (let column = 0; column < width; column++) {
    if (column % LINES_PER_REPORT === 0) progress.report(0.5 + (0.5 * column) / width);
    blurLine(across, nearness, column, width, height, blurred);
  }
  return blurred;
}

function blurLine(
  light: Uint8Array,
  nearness: Float32Array,
  start: number,
  step: number,
  count: number,
  blurred: Uint8Array,
): void {
  for (let place = 0; place < count; place++) {
    const at = start + place * step;
    const z = nearness[at];
    blurred[at] = light[at];
    if (z === -Infinity) continue;
    const before = place < RADIUS ? place : RADIUS;
    const after = place + RADIUS < count ? RADIUS : count - 1 - place;
    let weights = RADIUS + 1;
    let sum = weights * light[at];
    for (let distance = 1; distance <= RADIUS; distance++) {
      const weight = RADIUS + 1 - distance;
      const steepest = MAX_SLOPE * distance;
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
    blurred[at] = sum / weights + 0.5;
  }
}

/** Depth difference, pixels, at which a neighbour has half the weight of one at the same depth. */
const HALF_RISE_PX = 2;

/**
 * Multiplies the pixels by the light of the G-buffer, upsampled with weights by depth, so that a pixel gets the light of the surface
 * that it shows. Source: J. Kopf, M. Cohen, D. Lischinski, M. Uyttendaele, "Joint Bilateral Upsampling" (2007).
 */
export function applyAmbientOcclusion(frameBuffer: FrameBuffer, light: Uint8Array, progress: Progress): void {
  for (let row = 0; row < frameBuffer.height; row++) {
    if (row % ROWS_PER_REPORT === 0) progress.report(row / frameBuffer.height);
    applyToRow(frameBuffer, light, row);
  }
}

function applyToRow({ width, nearness, rgba, gBuffer }: FrameBuffer, light: Uint8Array, row: number): void {
  const upper = Math.floor(row / GBUFFER_STEP) * gBuffer.width;
  const lower = Math.min(gBuffer.height - 1, Math.ceil(row / GBUFFER_STEP)) * gBuffer.width;
  for (let column = 0; column < width; column++) {
    const pixel = row * width + column;
    const z = nearness[pixel];
    if (z === -Infinity) continue;
    const left = (column / GBUFFER_STEP) | 0;
    const right = column % GBUFFER_STEP === 0 || left + 1 === gBuffer.width ? left : left + 1;
    const a = light[upper + left];
    const b = light[upper + right];
    const c = light[lower + left];
    const d = light[lower + right];
    let share = a;
    if (a !== b || a !== c || a !== d) {
      const wa = depthSimilarity(gBuffer.nearness[upper + left], z);
      const wb = depthSimilarity(gBuffer.nearness[upper + right], z);
      const wc = depthSimilarity(gBuffer.nearness[lower + left], z);
      const wd = depthSimilarity(gBuffer.nearness[lower + right], z);
      const weights = wa + wb + wc + wd;
      share = weights > 0 ? (wa * a + wb * b + wc * c + wd * d) / weights : UNSHADED;
    }
    if (share === UNSHADED) continue;
    share /= UNSHADED;
    rgba[4 * pixel] = rgba[4 * pixel] * share;
    rgba[4 * pixel + 1] = rgba[4 * pixel + 1] * share;
    rgba[4 * pixel + 2] = rgba[4 * pixel + 2] * share;
  }
}

/** Weight of a neighbour by its depth: 1 at equal depth, 0 where there is no surface. */
function depthSimilarity(near: number, z: number): number {
  const rise = (GBUFFER_STEP * near - z) / HALF_RISE_PX;
  return 1 / (1 + rise * rise);
}
