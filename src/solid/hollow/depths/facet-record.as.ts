// AssemblyScript: a part of `depths.as.ts`.

/** Facets that are no higher than this share of their longest side have no plane to speak of: of a sliver rounding turns it. */
const FLAT_SLIVER: f64 = 1e-3;
/** Facets of less area than this share of the square on their sides are lines but for rounding, as in `mesh/bvh/point-to-facet`. */
const SLIVER: f64 = 1e-10;

/**
 * Bytes of a facet's record, a cache line: its corners; its plane, which is its unit normal and how far along that it is; numbers of
 * the search and the tile that had it last; the radius of a ball around its middle. Lengths are singles.
 */
export const RECORD: usize = 64;
export const PLANE: usize = 36;
export const SEARCHED: usize = 52;
export const GATHERED: usize = 56;
export const RADIUS: usize = 60;

/** A radius is rounded to single precision, and no smaller for it. */
const ROUNDED_UP: f64 = 1 + 1e-7;

/**
 * Bytes of a facet's bounds, as doubles: its plane as in its record, then the middle and the radius of a ball around it. They tell
 * nothing that the record does not, but one after the other they are looked through in three quarters of the time.
 */
export const BOUNDS: usize = 64;

/** What {@link measured} tells: on a facet of corners a, b, c the place a + v · (b − a) + w · (c − a). */
export let onV: f64;
export let onW: f64;

@inline
export function single(record: usize, number: usize): f64 {
  return <f64>load<f32>(record + (number << 2));
}

@inline
export function squared(x: f64, y: f64, z: f64): f64 {
  return x * x + y * y + z * z;
}

/** A coordinate of the middle of a facet's corners. */
@inline
export function middle(record: usize, axis: usize): f64 {
  return (single(record, axis) + single(record, axis + 3) + single(record, axis + 6)) / 3;
}

/** Fills in of so many records what follows from their corners. */
export function prepare(records: usize, count: i32): void {
  for (let i = 0, at = records; i < count; i++, at += RECORD) {
    preparePlane(at);
    prepareRadius(at);
  }
}

/** 0, 0, 0 and 0 for a facet without area, or nearly so. */
function preparePlane(at: usize): void {
  const bx = single(at, 3) - single(at, 0);
  const by = single(at, 4) - single(at, 1);
  const bz = single(at, 5) - single(at, 2);
  const cx = single(at, 6) - single(at, 0);
  const cy = single(at, 7) - single(at, 1);
  const cz = single(at, 8) - single(at, 2);
  const nx = by * cz - bz * cy;
  const ny = bz * cx - bx * cz;
  const nz = bx * cy - by * cx;
  const size = Math.sqrt(squared(nx, ny, nz));
  if (size < FLAT_SLIVER * max(squared(bx, by, bz), squared(cx, cy, cz))) return;
  store<f32>(at, <f32>(nx / size), PLANE);
  store<f32>(at, <f32>(ny / size), PLANE + 4);
  store<f32>(at, <f32>(nz / size), PLANE + 8);
  store<f32>(at, <f32>((single(at, 0) * nx + single(at, 1) * ny + single(at, 2) * nz) / size), PLANE + 12);
}

function prepareRadius(at: usize): void {
  let square: f64 = 0;
  for (let corner: usize = 0; corner < 9; corner += 3) {
    const dx = single(at, corner) - middle(at, 0);
    const dy = single(at, corner + 1) - middle(at, 1);
    const dz = single(at, corner + 2) - middle(at, 2);
    square = max(square, squared(dx, dy, dz));
  }
  store<f32>(at, <f32>(Math.sqrt(square) * ROUNDED_UP), RADIUS);
}

/** Squared distance to the facet of a record: the same as `mesh/bvh/point-to-facet`, which tells the source. */
export function measured(at: usize, x: f64, y: f64, z: f64): f64 {
  const px = x - single(at, 0);
  const py = y - single(at, 1);
  const pz = z - single(at, 2);
  const bx = single(at, 3) - single(at, 0);
  const by = single(at, 4) - single(at, 1);
  const bz = single(at, 5) - single(at, 2);
  const cx = single(at, 6) - single(at, 0);
  const cy = single(at, 7) - single(at, 1);
  const cz = single(at, 8) - single(at, 2);
  const bb = squared(bx, by, bz);
  const bc = bx * cx + by * cy + bz * cz;
  const cc = squared(cx, cy, cz);
  const pb = px * bx + py * by + pz * bz;
  const pc = px * cx + py * cy + pz * cz;
  const determinant = bb * cc - bc * bc;
  onV = pb * cc - pc * bc;
  onW = pc * bb - pb * bc;
  if (determinant > SLIVER * bb * cc && onV >= 0 && onW >= 0 && onV + onW <= determinant) {
    onV /= determinant;
    onW /= determinant;
  } else {
    let t = bb > 0 ? min(1.0, max(0.0, pb / bb)) : 0.0;
    onV = t;
    onW = 0;
    let best = squared(px - t * bx, py - t * by, pz - t * bz);
    t = cc > 0 ? min(1.0, max(0.0, pc / cc)) : 0.0;
    const alongC = squared(px - t * cx, py - t * cy, pz - t * cz);
    if (alongC < best) {
      best = alongC;
      onV = 0;
      onW = t;
    }
    const ee = bb - 2 * bc + cc;
    t = ee > 0 ? min(1.0, max(0.0, (pc - pb - bc + bb) / ee)) : 0.0;
    const s = 1 - t;
    if (squared(px - s * bx - t * cx, py - s * by - t * cy, pz - s * bz - t * cz) < best) {
      onV = s;
      onW = t;
    }
  }
  return squared(px - onV * bx - onW * cx, py - onV * by - onW * cy, pz - onV * bz - onW * cz);
}
