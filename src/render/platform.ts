import type { Progress } from "../core/progress.ts";
import type { BuildVolume } from "../geometry/build-volume.ts";
import type { Mat3 } from "../geometry/vector.ts";
import type { Affine } from "./camera.ts";
import { type Frame, toScreen } from "./framing.ts";
import {
  type TransformedBody,
  SAMPLES,
  facetCount,
  newSampleMemory,
  projectBodies,
  rasteriseBodies,
} from "./rasterise.ts";

/** A linear function of the screen: a · x + b · y + c at (x, y), pixels. */
export type LinearField = readonly [a: number, b: number, c: number];

/** The plane of the platform on the screen: its coordinates x and y, mm, and its nearness to the camera, pixels. */
export interface PlatformPlane {
  readonly x: LinearField;
  readonly y: LinearField;
  readonly nearness: LinearField;
  /** Whether the camera is above the plane. */
  readonly fromAbove: boolean;
}

/** Below this sine of the pitch the platform is only a line. */
const MIN_PITCH_SINE = 1e-3;

/** The platform's plane; undefined if it is seen edge-on. */
export function platformPlane(frame: Frame, view: Mat3): PlatformPlane | undefined {
  if (Math.abs(view[8]) < MIN_PITCH_SINE) return undefined;
  const {
    linear: [a, b, , d, e, , g, h],
    offset: [u, v],
  } = toScreen(frame, view);
  const det = a * e - b * d;
  const x: LinearField = [e / det, -b / det, (b * v - e * u) / det];
  const y: LinearField = [-d / det, a / det, (d * u - a * v) / det];
  const nearness: LinearField = [g * x[0] + h * y[0], g * x[1] + h * y[1], g * x[2] + h * y[2]];
  return { x, y, nearness, fromAbove: view[8] > 0 };
}

const GRID_MM = 10;
/** Every fifth line is a heavy one. */
const HEAVY_EVERY = 5;
const [LINE_OPACITY, HEAVY_LINE_OPACITY] = [0.45, 0.75];
/** Lines closer together than the first distance are left out; up to the second distance they fade in. */
const [CROWDED_PX, CLEAR_PX] = [4, 14];

/** From above, bodies below the platform show through slightly; from below, the bodies on it must stay visible. */
const [OPACITY_ABOVE, OPACITY_BELOW] = [0.93, 0.3];
/** The platform on the screen. */
export interface Platform {
  readonly plane: PlatformPlane;
  readonly shadow: PlatformShadow;
}

/**
 * What the scale decides of the platform (`platform-colour.as.ts` paints it): the extents of a pixel along x and y, and the opacities of the
 * platform and of the lines of its grid.
 */
export function platformLook({ x, y, fromAbove }: PlatformPlane) {
  const [pixelXMm, pixelYMm] = [lengthOf(x), lengthOf(y)];
  const opacityOf = (opacity: number, spacingMm: number, pixelMm: number): number =>
    opacity * Math.min(1, Math.max(0, (spacingMm / pixelMm - CROWDED_PX) / (CLEAR_PX - CROWDED_PX)));
  return {
    pixelXMm,
    pixelYMm,
    platformOpacity: fromAbove ? OPACITY_ABOVE : OPACITY_BELOW,
    lineOpacityX: opacityOf(LINE_OPACITY, GRID_MM, pixelXMm),
    heavyOpacityX: opacityOf(HEAVY_LINE_OPACITY, HEAVY_EVERY * GRID_MM, pixelXMm),
    lineOpacityY: opacityOf(LINE_OPACITY, GRID_MM, pixelYMm),
    heavyOpacityY: opacityOf(HEAVY_LINE_OPACITY, HEAVY_EVERY * GRID_MM, pixelYMm),
  };
}

const lengthOf = ([a, b]: LinearField): number => Math.sqrt(a * a + b * b);

/** Darkness of the platform under bodies, 0 to 1, on a grid: row by row along x from the least y, in shared memory. */
export interface PlatformShadow {
  readonly columns: number;
  readonly rows: number;
  readonly cellMm: number;
  readonly darkness: Float32Array;
}

/** Cells along the longer side. */
const SHADOW_CELLS = 320;
/** Height at which a surface darkens the platform half as much as one on the platform. */
const HALF_SHADOW_MM = 12;
/** Fraction of the progress for the projection of the vertices; the rasterisation takes the rest. */
const PROJECTED_SHARE = 0.2;
/** Radii of two blurs, a narrow and a wide one, that are averaged. */
const BLURS_MM = [1, 5] as const;

/** The shadow of diffuse light from above. */
export function platformShadow(
  bodies: readonly TransformedBody[],
  { dimensionsMm }: BuildVolume,
  progress: Progress,
): PlatformShadow {
  const [widthMm, depthMm] = dimensionsMm;
  const cellMm = Math.max(widthMm, depthMm) / SHADOW_CELLS;
  const [columns, rows] = [Math.ceil(widthMm / cellMm), Math.ceil(depthMm / cellMm)];
  const memory = newSampleMemory();
  const samples = memory.clear(columns, 0, rows, facetCount(bodies));
  const s = 1 / cellMm;
  // Seen from below: the lowest surface above each cell is the nearest.
  const fromBelow: Affine = { linear: [s, 0, 0, 0, s, 0, 0, 0, -1], offset: [(widthMm / 2) * s, (depthMm / 2) * s, 0] };
  const onScreen = projectBodies(bodies, fromBelow, progress.part(0, PROJECTED_SHARE));
  rasteriseBodies(onScreen, samples, progress.part(PROJECTED_SHARE, 1));
  const dark = new Float32Array(columns * rows);
  for (let at = 0; at < samples.nearness.length; at++) {
    const heightMm = Math.max(0, -samples.nearness[at]) / HALF_SHADOW_MM;
    dark[Math.floor(at / SAMPLES)] += 1 / (SAMPLES * (1 + heightMm * heightMm));
  }
  memory.release();
  const [firm, soft] = BLURS_MM.map((mm) => boxBlur(dark, columns, Math.max(1, Math.round(mm / cellMm))));
  const darkness = new Float32Array(new SharedArrayBuffer(dark.byteLength));
  for (let at = 0; at < darkness.length; at++) darkness[at] = (firm[at] + soft[at]) / 2;
  return { columns, rows, cellMm, darkness };
}

/** Two box blurs of `radius` cells in succession. Cells beyond the border are 0. */
function boxBlur(cells: Float32Array, columns: number, radius: number): Float32Array<ArrayBuffer> {
  const rows = cells.length / columns;
  const across = (input: Float32Array): Float32Array<ArrayBuffer> => {
    const output = new Float32Array(cells.length);
    for (let row = 0; row < rows; row++) blurLine(input, output, row * columns, 1, columns, radius);
    return output;
  };
  const along = (input: Float32Array): Float32Array<ArrayBuffer> => {
    const output = new Float32Array(cells.length);
    for (let column = 0; column < columns; column++) blurLine(input, output, column, columns, rows, radius);
    return output;
  };
  return along(across(along(across(cells))));
}

/** The moving mean of 2 · radius + 1 cells along a line of cells. */
function blurLine(
  input: Float32Array,
  output: Float32Array,
  start: number,
  step: number,
  count: number,
  radius: number,
): void {
  let sum = 0;
  for (let i = 0; i < Math.min(radius, count); i++) sum += input[start + i * step];
  for (let i = 0; i < count; i++) {
    if (i + radius < count) sum += input[start + (i + radius) * step];
    output[start + i * step] = sum / (2 * radius + 1);
    if (i >= radius) sum -= input[start + (i - radius) * step];
  }
}
