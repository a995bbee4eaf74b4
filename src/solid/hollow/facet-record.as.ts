// AssemblyScript. Part of `depth-kernel.as.ts`: the record of a facet in memory, and the distance from a point to a
// facet.

/**
 * Bytes of a facet's record, one cache line. 32-bit floats: the three corners, the plane (unit normal and its distance
 * from the origin). 32-bit integers: the last search and the last tile that used the facet. A 32-bit float: the radius
 * of a ball around the centroid.
 */
export const RECORD_BYTES: usize = 64;
export const PLANE: usize = 36;
export const LAST_SEARCH: usize = 52;
export const LAST_TILE: usize = 56;
export const RADIUS: usize = 60;

/**
 * A facet lower than this share of its longest side gets the plane 0, 0, 0, 0: the normal of a sliver is rounding
 * noise.
 */
const MIN_HEIGHT_SHARE: f64 = 1e-3;
/**
 * Facets of less area than this share of the square on their sides count as segments, as in `squaredDistanceToTriangle`
 * of `mesh/bvh/`.
 */
const MIN_AREA_SHARE: f64 = 1e-10;
/** Rounding the radius to single precision must not make it smaller. */
const ROUND_UP: f64 = 1 + 1e-7;

@inline
export function single(record: usize, index: usize): f64 {
  return <f64>load<f32>(record + (index << 2));
}

@inline
export function squaredLength(x: f64, y: f64, z: f64): f64 {
  return x * x + y * y + z * z;
}

/** A product takes a fraction of the time of a quotient. */
const THIRD: f64 = 1 / 3.0;

/** One coordinate of the centroid of a facet. */
@inline
export function centroid(record: usize, axis: usize): f64 {
  return (single(record, axis) + single(record, axis + 3) + single(record, axis + 6)) * THIRD;
}

/** Computes plane and radius of `count` records from their corners. */
export function prepareRecords(records: usize, count: i32): void {
  for (let i = 0, record = records; i < count; i++, record += RECORD_BYTES) {
    preparePlane(record);
    prepareRadius(record);
  }
}

function preparePlane(record: usize): void {
  const bx = single(record, 3) - single(record, 0);
  const by = single(record, 4) - single(record, 1);
  const bz = single(record, 5) - single(record, 2);
  const cx = single(record, 6) - single(record, 0);
  const cy = single(record, 7) - single(record, 1);
  const cz = single(record, 8) - single(record, 2);
  const nx = by * cz - bz * cy;
  const ny = bz * cx - bx * cz;
  const nz = bx * cy - by * cx;
  const length = Math.sqrt(squaredLength(nx, ny, nz));
  if (length < MIN_HEIGHT_SHARE * max(squaredLength(bx, by, bz), squaredLength(cx, cy, cz))) return;
  store<f32>(record, <f32>(nx / length), PLANE);
  store<f32>(record, <f32>(ny / length), PLANE + 4);
  store<f32>(record, <f32>(nz / length), PLANE + 8);
  const offset = (single(record, 0) * nx + single(record, 1) * ny + single(record, 2) * nz) / length;
  store<f32>(record, <f32>offset, PLANE + 12);
}

function prepareRadius(record: usize): void {
  let squared: f64 = 0;
  for (let corner: usize = 0; corner < 9; corner += 3) {
    const dx = single(record, corner) - centroid(record, 0);
    const dy = single(record, corner + 1) - centroid(record, 1);
    const dz = single(record, corner + 2) - centroid(record, 2);
    squared = max(squared, squaredLength(dx, dy, dz));
  }
  store<f32>(record, <f32>(Math.sqrt(squared) * ROUND_UP), RADIUS);
}

/**
 * Second result of {@link squaredDistance}: the closest point of the facet a, b, c is a + v · (b − a) + w · (c − a).
 */
export let closestV: f64;
export let closestW: f64;

/**
 * Squared distance from a point to a facet; the same operations as `squaredDistanceToTriangle` of `mesh/bvh/`, which
 * names the source.
 */
export function squaredDistance(record: usize, x: f64, y: f64, z: f64): f64 {
  const px = x - single(record, 0);
  const py = y - single(record, 1);
  const pz = z - single(record, 2);
  const bx = single(record, 3) - single(record, 0);
  const by = single(record, 4) - single(record, 1);
  const bz = single(record, 5) - single(record, 2);
  const cx = single(record, 6) - single(record, 0);
  const cy = single(record, 7) - single(record, 1);
  const cz = single(record, 8) - single(record, 2);
  const bb = squaredLength(bx, by, bz);
  const bc = bx * cx + by * cy + bz * cz;
  const cc = squaredLength(cx, cy, cz);
  const pb = px * bx + py * by + pz * bz;
  const pc = px * cx + py * cy + pz * cz;
  const determinant = bb * cc - bc * bc;
  closestV = pb * cc - pc * bc;
  closestW = pc * bb - pb * bc;
  if (determinant > MIN_AREA_SHARE * bb * cc && closestV >= 0 && closestW >= 0 && closestV + closestW <= determinant) {
    closestV /= determinant;
    closestW /= determinant;
  } else {
    let t = bb > 0 ? min(1.0, max(0.0, pb / bb)) : 0.0;
    closestV = t;
    closestW = 0;
    let best = squaredLength(px - t * bx, py - t * by, pz - t * bz);
    t = cc > 0 ? min(1.0, max(0.0, pc / cc)) : 0.0;
    const alongC = squaredLength(px - t * cx, py - t * cy, pz - t * cz);
    if (alongC < best) {
      best = alongC;
      closestV = 0;
      closestW = t;
    }
    const ee = bb - 2 * bc + cc;
    t = ee > 0 ? min(1.0, max(0.0, (pc - pb - bc + bb) / ee)) : 0.0;
    const s = 1 - t;
    if (squaredLength(px - s * bx - t * cx, py - s * by - t * cy, pz - s * bz - t * cz) < best) {
      closestV = s;
      closestW = t;
    }
  }
  return squaredLength(
    px - closestV * bx - closestW * cx,
    py - closestV * by - closestW * cy,
    pz - closestV * bz - closestW * cz,
  );
}
