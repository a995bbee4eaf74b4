// AssemblyScript: a part of `depths.as.ts`.

/** Facets that are no higher than this share of their longest side have no plane to speak of: of a sliver rounding turns it. */
const FLAT_SLIVER: f64 = 1e-3;
/** Facets of less area than this share of the square on their sides are lines but for rounding, as in `mesh/bvh/point-to-facet`. */
const SLIVER: f64 = 1e-10;

/**
 * Bytes of a facet's record, a cache line: its corners, its unit normal, how far its plane is along that, as singles; then the numbers of the
 * search and the tile that had it last.
 */
export const RECORD: usize = 64;
export const PLANE: usize = 36;
export const SEARCHED: usize = 52;
export const GATHERED: usize = 56;

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

/** Fills the planes of so many records in, from their corners; 0, 0, 0 and 0 for a facet without area, or nearly so. */
export function preparePlanes(records: usize, count: i32): void {
  for (let i = 0, at = records; i < count; i++, at += RECORD) {
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
    if (size < FLAT_SLIVER * max(squared(bx, by, bz), squared(cx, cy, cz))) continue;
    store<f32>(at + PLANE, <f32>(nx / size));
    store<f32>(at + PLANE + 4, <f32>(ny / size));
    store<f32>(at + PLANE + 8, <f32>(nz / size));
    store<f32>(at + PLANE + 12, <f32>((single(at, 0) * nx + single(at, 1) * ny + single(at, 2) * nz) / size));
  }
}

/** Squared distance to the facet of a record: what `mesh/bvh/point-to-facet` does, from where it comes. */
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
