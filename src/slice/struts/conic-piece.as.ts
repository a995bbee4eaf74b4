// AssemblyScript, part of the kernel `strut-kernel.as.ts`: a convex piece of a strut in the plane of a layer.

/**
 * A piece is where a conic and a linear form hold, in raster coordinates: xx·x² + 2·xy·x·y + yy·y² + 2·x1·x + 2·y1·y + c ≤ 0 and
 * low ≤ l0 + lx·x + ly·y ≤ high. Frustum and cylinder: their cone, between the planes of their ends. Ball: no planes.
 * Numbers of 8 bytes, in this order: xx, xy, yy, x1, y1, c, l0, lx, ly, low, high, and the extent in y: top, bottom.
 */
export const PIECE_BYTES: usize = 104;

/** A leading coefficient of less is 0: the row then runs along the axis of a cylinder, or along a side of a cone. The form is in pixels². */
const LEAST_CURVATURE: f64 = 1e-10;
/** No limit of the linear form. */
export const NO_LIMIT: f64 = 1e300;

/** The interval of the last cut: none if `left` is not below `right`. */
export let left: f64 = 0;
export let right: f64 = 0;

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
  store<f64>(at, xx);
  store<f64>(at, xy, 8);
  store<f64>(at, yy, 16);
  store<f64>(at, x1, 24);
  store<f64>(at, y1, 32);
  store<f64>(at, c, 40);
  store<f64>(at, l0, 48);
  store<f64>(at, lx, 56);
  store<f64>(at, ly, 64);
  store<f64>(at, low, 72);
  store<f64>(at, high, 80);
  store<f64>(at, NO_LIMIT, 88);
  store<f64>(at, -NO_LIMIT, 96);
  // A row touches the conic where the discriminant of its equation in x is 0: a quadratic equation in y.
  if (xx !== 0) {
    const a = xy * xy - xx * yy;
    const b = xy * x1 - xx * y1;
    const d = b * b - a * (x1 * x1 - xx * c);
    if (a !== 0 && d >= 0) {
      const root = sqrt(d);
      extendTo(at, (-b - root) / a);
      extendTo(at, (-b + root) / a);
    }
  }
  if (low > -NO_LIMIT) extendAlong(at, low);
  if (high < NO_LIMIT) extendAlong(at, high);
  return load<f64>(at, 88) < load<f64>(at, 96);
}

// @ts-ignore: a decorator of AssemblyScript.
@inline
function extend(at: usize, y: f64): void {
  if (y < load<f64>(at, 88)) store<f64>(at, y, 88);
  if (y > load<f64>(at, 96)) store<f64>(at, y, 96);
}

/** Extends the piece to the point at which the row y touches the conic, if that is between the planes. */
function extendTo(at: usize, y: f64): void {
  const x = -(load<f64>(at, 24) + y * load<f64>(at, 8)) / load<f64>(at);
  const l = load<f64>(at, 48) + x * load<f64>(at, 56) + y * load<f64>(at, 64);
  if (l >= load<f64>(at, 72) && l <= load<f64>(at, 80)) extend(at, y);
}

/** Extends the piece to the chord on which the linear form is `limit`. */
function extendAlong(at: usize, limit: f64): void {
  const lx = load<f64>(at, 56);
  const ly = load<f64>(at, 64);
  const norm2 = lx * lx + ly * ly;
  if (norm2 === 0) return;
  const foot = (limit - load<f64>(at, 48)) / norm2;
  const x0 = foot * lx;
  const y0 = foot * ly;
  const norm = sqrt(norm2);
  const ux = ly / norm;
  const uy = -lx / norm;
  const xx = load<f64>(at);
  const xy = load<f64>(at, 8);
  const yy = load<f64>(at, 16);
  const x1 = load<f64>(at, 24);
  const y1 = load<f64>(at, 32);
  const a = xx * ux * ux + 2 * xy * ux * uy + yy * uy * uy;
  const b = (xx * x0 + xy * y0 + x1) * ux + (xy * x0 + yy * y0 + y1) * uy;
  const c = xx * x0 * x0 + 2 * xy * x0 * y0 + yy * y0 * y0 + 2 * (x1 * x0 + y1 * y0) + load<f64>(at, 40);
  const d = b * b - a * c;
  if (a <= 0 || d < 0) return;
  const root = sqrt(d);
  extend(at, y0 + (uy * (-b - root)) / a);
  extend(at, y0 + (uy * (-b + root)) / a);
}

/** Cuts the piece with the row at y: the interval is {@link left} to {@link right}. */
export function cutPiece(at: usize, y: f64): void {
  left = -NO_LIMIT;
  right = NO_LIMIT;
  const lx = load<f64>(at, 56);
  const l = load<f64>(at, 48) + y * load<f64>(at, 64);
  const low = load<f64>(at, 72);
  const high = load<f64>(at, 80);
  if (lx !== 0) {
    const toLow = low > -NO_LIMIT ? (low - l) / lx : lx > 0 ? -NO_LIMIT : NO_LIMIT;
    const toHigh = high < NO_LIMIT ? (high - l) / lx : lx > 0 ? NO_LIMIT : -NO_LIMIT;
    left = min(toLow, toHigh);
    right = max(toLow, toHigh);
  } else if (l < low || l > high) {
    right = -NO_LIMIT;
    return;
  }
  const a = load<f64>(at);
  const b = load<f64>(at, 24) + y * load<f64>(at, 8);
  const c = load<f64>(at, 40) + y * (2 * load<f64>(at, 32) + y * load<f64>(at, 16));
  if (a === 0) {
    if (abs(b) < LEAST_CURVATURE) {
      if (c > 0) right = -NO_LIMIT;
    } else if (b > 0) right = min(right, -c / (2 * b));
    else left = max(left, -c / (2 * b));
    return;
  }
  const d = b * b - a * c;
  if (a > 0) {
    if (d < 0) {
      right = -NO_LIMIT;
      return;
    }
    const root = sqrt(d);
    left = max(left, (-b - root) / a);
    right = min(right, (-b + root) / a);
    return;
  }
  if (d <= 0) return;
  // The row leaves one cone and enters the opposite one: between the planes is only one of the two.
  const root = sqrt(d);
  const before = min(right, (-b + root) / a);
  const after = max(left, (-b - root) / a);
  if (before - left > right - after) right = before;
  else left = after;
}
