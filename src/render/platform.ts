import type { Progress } from "../core/progress.ts";
import type { BuildVolume } from "../geometry/build-volume.ts";
import type { Mat3 } from "../geometry/vector.ts";
import type { Affine } from "./camera.ts";
import { GRID, PLATFORM } from "./colour.ts";
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

const evaluateField = (field: LinearField, x: number, y: number): number => field[0] * x + field[1] * y + field[2];

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

/** Signed distance of a point from the edge of the platform, mm; negative inside. */
function distanceOutsidePlatform({ dimensionsMm, filletRadiusMm }: BuildVolume, x: number, y: number): number {
  const width = dimensionsMm[0];
  const depth = dimensionsMm[1];
  const r = Math.min(filletRadiusMm, width / 2, depth / 2);
  const across = Math.abs(x) - width / 2 + r;
  const along = Math.abs(y) - depth / 2 + r;
  if (across > 0 && along > 0) return Math.sqrt(across * across + along * along) - r;
  return Math.max(across, along) - r;
}

const GRID_MM = 10;
/** Every fifth line is a heavy one. */
const HEAVY_EVERY = 5;
const [LINE_PX, HEAVY_LINE_PX, EDGE_PX] = [1, 1.6, 2.4];
const [LINE_OPACITY, HEAVY_LINE_OPACITY, EDGE_OPACITY] = [0.45, 0.75, 0.9];
/** Lines closer together than the first distance are left out; up to the second distance they fade in. */
const [CROWDED_PX, CLEAR_PX] = [4, 14];

/** From above, bodies below the platform show through slightly; from below, the bodies on it must stay visible. */
const [OPACITY_ABOVE, OPACITY_BELOW] = [0.93, 0.3];
/** Share of the platform's light that a full shadow removes. */
const SHADOW_STRENGTH = 0.62;

/** Computes the colour of the platform at a point of the screen. */
export type PlatformPainter = (x: number, y: number, into: PlatformColour) => void;

/** Linear light and opacity, 0 to 1. */
export interface PlatformColour {
  r: number;
  g: number;
  b: number;
  opacity: number;
}

/** A painter of the platform. The lines of its grid are one or two pixels wide at any scale. */
export function newPlatformPainter(plane: PlatformPlane, volume: BuildVolume, shadow: PlatformShadow): PlatformPainter {
  const [pixelX, pixelY] = [lengthOf(plane.x), lengthOf(plane.y)];
  /** An upper bound of a pixel's extent on the platform in any direction, mm. */
  const widestPixel = Math.sqrt(pixelX * pixelX + pixelY * pixelY);
  const opacity = plane.fromAbove ? OPACITY_ABOVE : OPACITY_BELOW;
  const [halfWidth, halfDepth] = [volume.dimensionsMm[0] / 2, volume.dimensionsMm[1] / 2];
  const linesX = linesOf(pixelX);
  const linesY = linesOf(pixelY);
  return (screenX, screenY, into) => {
    const x = evaluateField(plane.x, screenX, screenY);
    const y = evaluateField(plane.y, screenX, screenY);
    const outsideMm = distanceOutsidePlatform(volume, x, y);
    const isAtEdge = Math.abs(outsideMm) < (EDGE_PX + 1) * widestPixel;
    const outside = outsideMm / (isAtEdge ? pixelAcrossEdge(plane, volume, x, y) : widestPixel);
    const covered = Math.min(1, Math.max(0, 0.5 - outside));
    into.opacity = covered * opacity;
    if (covered === 0) return;
    const edge = EDGE_OPACITY * Math.min(1, Math.max(0, EDGE_PX + 0.5 + outside));
    const line = Math.max(edge, lineAt(x, linesX), lineAt(y, linesY));
    const lit = plane.fromAbove ? 1 - SHADOW_STRENGTH * darknessAt(shadow, x + halfWidth, y + halfDepth) : 1;
    into.r = lit * (PLATFORM[0] + line * (GRID[0] - PLATFORM[0]));
    into.g = lit * (PLATFORM[1] + line * (GRID[1] - PLATFORM[1]));
    into.b = lit * (PLATFORM[2] + line * (GRID[2] - PLATFORM[2]));
  };
}

const lengthOf = ([a, b]: LinearField): number => Math.sqrt(a * a + b * b);

/** The grid lines across one axis. One of them is at 0. */
interface Lines {
  readonly pixelsPerMm: number;
  readonly opacity: number;
  readonly heavyOpacity: number;
}

function linesOf(pixelMm: number): Lines {
  const clear = (spacingMm: number): number =>
    Math.min(1, Math.max(0, (spacingMm / pixelMm - CROWDED_PX) / (CLEAR_PX - CROWDED_PX)));
  return {
    pixelsPerMm: 1 / pixelMm,
    opacity: LINE_OPACITY * clear(GRID_MM),
    heavyOpacity: HEAVY_LINE_OPACITY * clear(HEAVY_EVERY * GRID_MM),
  };
}

/** Opacity of the nearest grid line in a pixel at `at` mm. */
function lineAt(at: number, { pixelsPerMm, opacity, heavyOpacity }: Lines): number {
  const line = Math.floor(at / GRID_MM + 0.5);
  const away = Math.abs(at - GRID_MM * line) * pixelsPerMm - 0.5;
  if (away >= HEAVY_LINE_PX / 2) return 0;
  const light = opacity * Math.min(1, Math.max(0, LINE_PX / 2 - away));
  return line % HEAVY_EVERY === 0 ? Math.max(light, heavyOpacity * Math.min(1, HEAVY_LINE_PX / 2 - away)) : light;
}

/** Extent of a pixel on the platform, mm, perpendicular to the nearest edge. */
function pixelAcrossEdge(
  plane: PlatformPlane,
  { dimensionsMm: [width, depth], filletRadiusMm }: BuildVolume,
  x: number,
  y: number,
): number {
  const across = Math.max(0, Math.abs(x) - width / 2 + filletRadiusMm);
  const along = Math.max(0, Math.abs(y) - depth / 2 + filletRadiusMm);
  const norm = Math.sqrt(across * across + along * along);
  const isAcross = Math.abs(x) - width / 2 > Math.abs(y) - depth / 2;
  const [u, v] =
    norm > 0 ? [(across / norm) * Math.sign(x), (along / norm) * Math.sign(y)] : [isAcross ? 1 : 0, isAcross ? 0 : 1];
  return lengthOf([u * plane.x[0] + v * plane.y[0], u * plane.x[1] + v * plane.y[1], 0]);
}

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

/** The darkness at a point, mm from the corner with the least x and y, interpolated bilinearly. */
function darknessAt({ columns, rows, cellMm, darkness }: PlatformShadow, xMm: number, yMm: number): number {
  const x = Math.min(columns - 1.001, Math.max(0, xMm / cellMm - 0.5));
  const y = Math.min(rows - 1.001, Math.max(0, yMm / cellMm - 0.5));
  const column = x | 0;
  const row = y | 0;
  const at = row * columns + column;
  const u = x - column;
  const v = y - row;
  const near = darkness[at] + u * (darkness[at + 1] - darkness[at]);
  const far = darkness[at + columns] + u * (darkness[at + columns + 1] - darkness[at + columns]);
  return near + v * (far - near);
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
