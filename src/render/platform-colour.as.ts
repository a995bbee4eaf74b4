// AssemblyScript, part of the kernel `resolve-kernel.as.ts`: the colour of the platform at a point of the screen.

/** The coordinates x and y of the platform, mm, as linear functions of the screen: a · x + b · y + c at (x, y), pixels. */
export let xA: f64;
export let xB: f64;
export let xC: f64;
export let yA: f64;
export let yB: f64;
export let yC: f64;
/** Whether the camera is above the plane of the platform. */
export let fromAbove: i32;
/** Size of the platform and radius of its rounded corners, mm. */
export let widthMm: f64;
export let depthMm: f64;
export let filletMm: f64;
/** Extents of a pixel on the platform along x and along y, mm. */
export let pixelXMm: f64;
export let pixelYMm: f64;
/** Opacity of the platform, and of its lines and its heavy lines along x and along y. */
export let platformOpacity: f64;
export let lineOpacityX: f64;
export let heavyOpacityX: f64;
export let lineOpacityY: f64;
export let heavyOpacityY: f64;
/** Linear light of the platform, and of its grid. */
export let platformR: f64;
export let platformG: f64;
export let platformB: f64;
export let gridR: f64;
export let gridG: f64;
export let gridB: f64;
/** The shadow: cells along x and y, their size, and the darkness of each (4 bytes). */
export let shadowColumns: i32;
export let shadowRows: i32;
export let cellMm: f64;
export let darkness: usize;

const EDGE_PX: f64 = 2.4;
const EDGE_OPACITY: f64 = 0.9;
const LINE_PX: f64 = 1;
const HEAVY_LINE_PX: f64 = 1.6;
const GRID_MM: f64 = 10;
/** Every fifth line is a heavy one. */
const HEAVY_EVERY: i32 = 5;
/** Share of the platform's light that a full shadow removes. */
const SHADOW_STRENGTH: f64 = 0.62;

/** The linear light and the opacity, 0 to 1, that {@link paint} has found. */
export let r: f64;
export let g: f64;
export let b: f64;
export let opacity: f64;

export function paintNothing(): void {
  opacity = 0;
}

/** The lines of the grid are one or two pixels wide at any scale. Without opacity the light is that of an earlier point. */
export function paint(screenX: f64, screenY: f64): void {
  const x = xA * screenX + xB * screenY + xC;
  const y = yA * screenX + yB * screenY + yC;
  // An upper bound of a pixel's extent on the platform in any direction, mm.
  const widestPixel = sqrt(pixelXMm * pixelXMm + pixelYMm * pixelYMm);
  const outsideMm = distanceOutside(x, y);
  const isAtEdge = abs(outsideMm) < (EDGE_PX + 1) * widestPixel;
  const outside = outsideMm / (isAtEdge ? pixelAcrossEdge(x, y) : widestPixel);
  const covered = min<f64>(1, max<f64>(0, 0.5 - outside));
  opacity = covered * platformOpacity;
  if (covered === 0) return;
  const edge = EDGE_OPACITY * min<f64>(1, max<f64>(0, EDGE_PX + 0.5 + outside));
  const lineX = lineAt(x, 1 / pixelXMm, lineOpacityX, heavyOpacityX);
  const lineY = lineAt(y, 1 / pixelYMm, lineOpacityY, heavyOpacityY);
  const line = max(edge, max(lineX, lineY));
  const lit = fromAbove ? 1 - SHADOW_STRENGTH * darknessAt(x + widthMm / 2, y + depthMm / 2) : 1;
  r = lit * (platformR + line * (gridR - platformR));
  g = lit * (platformG + line * (gridG - platformG));
  b = lit * (platformB + line * (gridB - platformB));
}

/** Signed distance of a point from the edge of the platform, mm; negative inside. */
function distanceOutside(x: f64, y: f64): f64 {
  const radius = min(filletMm, min(widthMm / 2, depthMm / 2));
  const across = abs(x) - widthMm / 2 + radius;
  const along = abs(y) - depthMm / 2 + radius;
  if (across > 0 && along > 0) return sqrt(across * across + along * along) - radius;
  return max(across, along) - radius;
}

/** Extent of a pixel on the platform, mm, perpendicular to the nearest edge. */
function pixelAcrossEdge(x: f64, y: f64): f64 {
  const across = max<f64>(0, abs(x) - widthMm / 2 + filletMm);
  const along = max<f64>(0, abs(y) - depthMm / 2 + filletMm);
  const norm = sqrt(across * across + along * along);
  const isAcross = abs(x) - widthMm / 2 > abs(y) - depthMm / 2;
  const u = norm > 0 ? (across / norm) * sign(x) : isAcross ? 1 : 0;
  const v = norm > 0 ? (along / norm) * sign(y) : isAcross ? 0 : 1;
  const a = u * xA + v * yA;
  const b = u * xB + v * yB;
  return sqrt(a * a + b * b);
}

function sign(value: f64): f64 {
  return value > 0 ? 1 : value < 0 ? -1 : 0;
}

/** Opacity of the nearest grid line in a pixel at `at` mm. One of the lines is at 0. */
function lineAt(at: f64, pixelsPerMm: f64, lineOpacity: f64, heavyOpacity: f64): f64 {
  const line = floor(at / GRID_MM + 0.5);
  const away = abs(at - GRID_MM * line) * pixelsPerMm - 0.5;
  if (away >= HEAVY_LINE_PX / 2) return 0;
  const light = lineOpacity * min<f64>(1, max<f64>(0, LINE_PX / 2 - away));
  if (<i32>line % HEAVY_EVERY !== 0) return light;
  return max(light, heavyOpacity * min<f64>(1, HEAVY_LINE_PX / 2 - away));
}

/** The darkness at a point, mm from the corner with the least x and y, interpolated bilinearly. */
function darknessAt(xMm: f64, yMm: f64): f64 {
  const x = min<f64>(<f64>shadowColumns - 1.001, max<f64>(0, xMm / cellMm - 0.5));
  const y = min<f64>(<f64>shadowRows - 1.001, max<f64>(0, yMm / cellMm - 0.5));
  const column = <i32>x;
  const row = <i32>y;
  const at = darkness + ((row * shadowColumns + column) << 2);
  const u = x - <f64>column;
  const v = y - <f64>row;
  const near = dark(at) + u * (dark(at + 4) - dark(at));
  const below = at + (shadowColumns << 2);
  const far = dark(below) + u * (dark(below + 4) - dark(below));
  return near + v * (far - near);
}

// @ts-ignore: a decorator of AssemblyScript.
@inline
function dark(at: usize): f64 {
  return <f64>load<f32>(at);
}
