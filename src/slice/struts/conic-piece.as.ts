// AssemblyScript, part of the kernel `strut-kernel.as.ts`: a convex piece of a strut in the plane of a layer.

import { greater, lesser } from "../raster/coverage.as";

/**
 * A piece is where a conic and a linear form hold, in raster coordinates: xx·x² + 2·xy·x·y + yy·y² + 2·x1·x + 2·y1·y + c ≤ 0 and
 * low ≤ l0 + lx·x + ly·y ≤ high. Frustum and cylinder: their cone, between the planes of their ends. Ball: no planes.
 *
 * In memory, 8 bytes each: the kind; the extent in y, top and bottom; m0, m1, d0, d1, d2; the linear form's limits in x at y, as two linear
 * functions of y; xx. Of an ellipse the interval at y is m ± √d with m = m0 + m1·y, d = d0 + d1·y + d2·y². Of the others, m is half the coefficient of
 * x in the equation of the row, and d the constant one.
 */
export const PIECE_BYTES: usize = 104;
/** Kinds of conics in a row: an ellipse; a cylinder along it or a parabola; a hyperbola or a cone around it. */
const ELLIPSE = 0;
const PARABOLA = 1;
const HYPERBOLA = 2;

/** A leading coefficient of less is 0: the row then runs along the axis of a cylinder, or along a side of a cone. The form is in pixels². */
const LEAST_CURVATURE: f64 = 1e-10;
/** No limit of the linear form. */
export const NO_LIMIT: f64 = 1e300;

/** The interval of the last cut: none if `left` is not below `right`. */
export let left: f64 = 0;
export let right: f64 = 0;

let top: f64;
let bottom: f64;

// @ts-ignore: a decorator of AssemblyScript.
@inline
function extend(y: f64): void {
  top = min(top, y);
  bottom = max(bottom, y);
}

/** Writes a piece, and returns whether it has an extent in y. */
export function writePiece(
  at: usize,
  xx: f64,
  xy: f64,
  yy: f64,
  x1: f64,
  y1: f64,
  c: f64,
  l0: f64,
  lx: f64,
  ly: f64,
  low: f64,
  high: f64,
): bool {
  if (abs(xx) < LEAST_CURVATURE) xx = 0;
  top = NO_LIMIT;
  bottom = -NO_LIMIT;
  // A row touches the conic where the discriminant of its equation in x is 0: a quadratic equation in y.
  if (xx !== 0) {
    const a = xy * xy - xx * yy;
    const b = xy * x1 - xx * y1;
    const d = b * b - a * (x1 * x1 - xx * c);
    if (a !== 0 && d >= 0) {
      const root = sqrt(d);
      for (let sign = -1; sign <= 1; sign += 2) {
        const y = (-b + <f64>sign * root) / a;
        const l = l0 - (lx * (x1 + y * xy)) / xx + ly * y;
        if (l >= low && l <= high) extend(y);
      }
    }
  }
  const norm = sqrt(lx * lx + ly * ly);
  if (norm > 0) {
    // The chords on the planes of the ends.
    const ux = ly / norm;
    const uy = -lx / norm;
    const a = xx * ux * ux + 2 * xy * ux * uy + yy * uy * uy;
    for (let side = 0; side < 2; side++) {
      const limit = side === 0 ? low : high;
      if (abs(limit) >= NO_LIMIT || a <= 0) continue;
      const x0 = (-uy * (limit - l0)) / norm;
      const y0 = (ux * (limit - l0)) / norm;
      const b = (xx * x0 + xy * y0 + x1) * ux + (xy * x0 + yy * y0 + y1) * uy;
      const d = b * b - a * (xx * x0 * x0 + 2 * xy * x0 * y0 + yy * y0 * y0 + 2 * (x1 * x0 + y1 * y0) + c);
      if (d < 0) continue;
      extend(y0 + (uy * (-b - sqrt(d))) / a);
      extend(y0 + (uy * (-b + sqrt(d))) / a);
    }
  }
  if (!(top < bottom)) return false;
  store<f64>(at, top, 8);
  store<f64>(at, bottom, 16);
  store<i32>(at, xx > 0 ? ELLIPSE : xx === 0 ? PARABOLA : HYPERBOLA);
  if (xx > 0) {
    const b0 = x1 / xx;
    const b1 = xy / xx;
    store<f64>(at, -b0, 24);
    store<f64>(at, -b1, 32);
    store<f64>(at, b0 * b0 - c / xx, 40);
    store<f64>(at, 2 * (b0 * b1 - y1 / xx), 48);
    store<f64>(at, b1 * b1 - yy / xx, 56);
  } else {
    store<f64>(at, x1, 24);
    store<f64>(at, xy, 32);
    store<f64>(at, c, 40);
    store<f64>(at, 2 * y1, 48);
    store<f64>(at, yy, 56);
  }
  store<f64>(at, xx, 96);
  // A piece whose linear form is constant along rows is limited by its extent in y alone.
  writeLimit(at + 64, lx > 0 ? low : high, l0, lx, ly, -NO_LIMIT);
  writeLimit(at + 80, lx > 0 ? high : low, l0, lx, ly, NO_LIMIT);
  return true;
}

function writeLimit(at: usize, limit: f64, l0: f64, lx: f64, ly: f64, none: f64): void {
  const isFinite = lx !== 0 && abs(limit) < NO_LIMIT;
  store<f64>(at, isFinite ? (limit - l0) / lx : none);
  store<f64>(at, isFinite ? -ly / lx : 0, 8);
}

// @ts-ignore: a decorator of AssemblyScript.
@inline
export function pieceTop(at: usize): f64 {
  return load<f64>(at, 8);
}

// @ts-ignore: a decorator of AssemblyScript.
@inline
export function pieceBottom(at: usize): f64 {
  return load<f64>(at, 16);
}

/** Cuts the piece with the row at y: the interval is {@link left} to {@link right}. */
// @ts-ignore: a decorator of AssemblyScript.
@inline
export function cutPiece(at: usize, y: f64): void {
  const m = load<f64>(at, 24) + y * load<f64>(at, 32);
  const d = load<f64>(at, 40) + y * (load<f64>(at, 48) + y * load<f64>(at, 56));
  const from = load<f64>(at, 64) + y * load<f64>(at, 72);
  const to = load<f64>(at, 80) + y * load<f64>(at, 88);
  if (load<i32>(at) === ELLIPSE) {
    // Rounding may make the ends of an ellipse negative: its interval there is a point.
    const root = sqrt(greater(d, 0));
    left = greater(from, m - root);
    right = lesser(to, m + root);
  } else cutOpen(at, m, d, from, to);
}

/** Cuts a piece whose conic is no ellipse in the row: {@link cutPiece}. */
function cutOpen(at: usize, b: f64, c: f64, from: f64, to: f64): void {
  left = from;
  right = to;
  if (load<i32>(at) === PARABOLA) {
    if (abs(b) < LEAST_CURVATURE) {
      if (c > 0) right = -NO_LIMIT;
    } else if (b > 0) right = min(right, -c / (2 * b));
    else left = max(left, -c / (2 * b));
    return;
  }
  const a = load<f64>(at, 96);
  const d = b * b - a * c;
  if (d <= 0) return;
  // The row leaves one cone and enters the opposite one: between the planes is only one of the two.
  const root = sqrt(d);
  const before = min(right, (-b + root) / a);
  const after = max(left, (-b - root) / a);
  if (before - left > right - after) right = before;
  else left = after;
}
