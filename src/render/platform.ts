import type { BuildVolume } from "../core/geometry.ts";
import { GRID, PLATFORM } from "./colour.ts";
import { type Ground, outsidePlatform, slopeAt, type Slope } from "./ground.ts";
import { darknessAt, type GroundShadow } from "./ground-shadow.ts";

const GRID_MM = 10;
/** Every so-manieth line is a heavy one. */
const HEAVY_EVERY = 5;
const [LINE_PX, HEAVY_LINE_PX, EDGE_PX] = [1, 1.6, 2.4];
const [LINE_OPACITY, HEAVY_LINE_OPACITY, EDGE_OPACITY] = [0.45, 0.75, 0.9];
/** Lines nearer to each other than the first are left out, than the second drawn fainter. */
const [CROWDED_PX, CLEAR_PX] = [4, 14];

/** What is below the platform shows through a little; seen from below it must not hide the bodies that stand on it. */
const [OPACITY_ABOVE, OPACITY_BELOW] = [0.93, 0.3];
/** Of the platform's light, at full darkness. */
const SHADOW = 0.62;

/** The platform at a place of the screen: its linear light, and how much of what lies behind it hides. */
export type PaintPlatform = (x: number, y: number, into: PlatformPaint) => void;

export interface PlatformPaint {
  r: number;
  g: number;
  b: number;
  opacity: number;
}

/** Draws the platform from its plane: the lines of its grid are a pixel or two wide at any size. */
export function newPlatform(ground: Ground, volume: BuildVolume, shadow: GroundShadow): PaintPlatform {
  const [pixelX, pixelY] = [lengthOf(ground.x), lengthOf(ground.y)];
  /** No direction of the platform puts more mm under a pixel. */
  const widestPixel = Math.sqrt(pixelX * pixelX + pixelY * pixelY);
  const opacity = ground.fromAbove ? OPACITY_ABOVE : OPACITY_BELOW;
  const [halfWidth, halfDepth] = [volume.dimensionsMm[0] / 2, volume.dimensionsMm[1] / 2];
  const linesX = linesOf(pixelX);
  const linesY = linesOf(pixelY);
  return (screenX, screenY, into) => {
    const x = slopeAt(ground.x, screenX, screenY);
    const y = slopeAt(ground.y, screenX, screenY);
    const outsideMm = outsidePlatform(volume, x, y);
    const isAtEdge = Math.abs(outsideMm) < (EDGE_PX + 1) * widestPixel;
    const outside = outsideMm / (isAtEdge ? pixelAcrossEdge(ground, volume, x, y) : widestPixel);
    const covered = Math.min(1, Math.max(0, 0.5 - outside));
    into.opacity = covered * opacity;
    if (covered === 0) return;
    const edge = EDGE_OPACITY * Math.min(1, Math.max(0, EDGE_PX + 0.5 + outside));
    const line = Math.max(edge, lineAt(x, linesX), lineAt(y, linesY));
    const lit = ground.fromAbove ? 1 - SHADOW * darknessAt(shadow, x + halfWidth, y + halfDepth) : 1;
    into.r = lit * (PLATFORM[0] + line * (GRID[0] - PLATFORM[0]));
    into.g = lit * (PLATFORM[1] + line * (GRID[1] - PLATFORM[1]));
    into.b = lit * (PLATFORM[2] + line * (GRID[2] - PLATFORM[2]));
  };
}

const lengthOf = ([a, b]: Slope): number => Math.sqrt(a * a + b * b);

/** The lines of the grid across one axis, one through 0. */
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

/** How much of a pixel at `at` mm the nearest of the lines covers. */
function lineAt(at: number, { pixelsPerMm, opacity, heavyOpacity }: Lines): number {
  const line = Math.floor(at / GRID_MM + 0.5);
  const away = Math.abs(at - GRID_MM * line) * pixelsPerMm - 0.5;
  if (away >= HEAVY_LINE_PX / 2) return 0;
  const light = opacity * Math.min(1, Math.max(0, LINE_PX / 2 - away));
  return line % HEAVY_EVERY === 0 ? Math.max(light, heavyOpacity * Math.min(1, HEAVY_LINE_PX / 2 - away)) : light;
}

/** How many mm of the platform lie under a pixel, straight across its nearest edge. */
function pixelAcrossEdge(
  ground: Ground,
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
  return lengthOf([u * ground.x[0] + v * ground.y[0], u * ground.x[1] + v * ground.y[1], 0]);
}
