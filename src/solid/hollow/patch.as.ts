// AssemblyScript. Part of `depth-kernel.as.ts`: bounds of the facets in the voxel of a seed.

import { RECORD_BYTES, single, squaredLength } from "./facet-record.as";

/**
 * Bytes of a patch, 32-bit floats: a cylinder that contains the facets of a seed as far as they lie in its voxel, flat where the
 * surface is smooth. The centre, the radius, the unit vector of the axis (0 for a ball), half the height.
 */
export const PATCH_BYTES: usize = 32;
const AXIS: usize = 4;

/** Added to radius and height in voxels: more than the rounding to single precision. */
const SLACK: f64 = 1e-3;

/** Whether {@link preparePatch} has computed a patch in memory that was zero: its radius is not 0. */
@inline
export function isPrepared(patch: usize): bool {
  return load<f32>(patch, 12) !== 0;
}

/** Computes the patch of the seed in the voxel `place` from its facets, numbers `first` up to `last` in the list `facets`. */
export function preparePatch(
  patch: usize,
  place: usize,
  facets: usize,
  first: i32,
  last: i32,
  records: usize,
): void {
  const from = facets + (<usize>first << 2);
  const to = facets + (<usize>last << 2);
  const half = prepareAxis(patch, place, from, to, records);
  prepareExtent(patch, half, from, to, records);
}

/**
 * Centre of the box around the facets `from` up to `to` in their voxel, and their mean normal; returns half the diagonal of the box.
 */
function prepareAxis(patch: usize, place: usize, from: usize, to: usize, records: usize): f64 {
  let squared: f64 = 0;
  for (let axis: usize = 0; axis < 3; axis++) {
    let low: f32 = Infinity;
    let high: f32 = -Infinity;
    let normal: f32 = 0;
    for (let at = from; at < to; at += 4) {
      const record = records + <usize>load<u32>(at) * RECORD_BYTES;
      const a = value32(record, axis);
      const b = value32(record, axis + 3);
      const c = value32(record, axis + 6);
      low = min(low, min(a, min(b, c)));
      high = max(high, max(a, max(b, c)));
      normal += value32(record, 9 + axis);
    }
    const middle = <f32>load<u16>(place + (axis << 1));
    low = max(low, middle - <f32>0.5);
    high = min(high, middle + <f32>0.5);
    squared += <f64>((high - low) * (high - low));
    store<f32>(patch + (axis << 2), (low + high) / 2);
    store<f32>(patch + ((AXIS + axis) << 2), normal);
  }
  const length = Math.sqrt(squaredLength(single(patch, 4), single(patch, 5), single(patch, 6)));
  for (let axis: usize = AXIS; axis < AXIS + 3; axis++) {
    store<f32>(patch + (axis << 2), <f32>(length > 0.5 ? single(patch, axis) / length : 0));
  }
  return Math.sqrt(squared) / 2;
}

/** Radius and height of a patch around its facets: at most `half` in their voxel. */
function prepareExtent(patch: usize, half: f64, from: usize, to: usize, records: usize): void {
  const x = value32(patch, 0);
  const y = value32(patch, 1);
  const z = value32(patch, 2);
  const nx = value32(patch, AXIS);
  const ny = value32(patch, AXIS + 1);
  const nz = value32(patch, AXIS + 2);
  let squaredRadius: f32 = 0;
  let height: f32 = 0;
  for (let at = from; at < to; at += 4) {
    const record = records + <usize>load<u32>(at) * RECORD_BYTES;
    for (let corner = record; corner < record + 36; corner += 12) {
      const dx = load<f32>(corner) - x;
      const dy = load<f32>(corner, 4) - y;
      const dz = load<f32>(corner, 8) - z;
      const along = dx * nx + dy * ny + dz * nz;
      height = max(height, abs(along));
      squaredRadius = max(squaredRadius, dx * dx + dy * dy + dz * dz - along * along);
    }
  }
  store<f32>(patch, <f32>(min(half, <f64>sqrt(squaredRadius)) + SLACK), 12);
  store<f32>(patch, <f32>(min(half, <f64>height) + SLACK), 28);
}

@inline
function value32(patch: usize, index: usize): f32 {
  return load<f32>(patch + (index << 2));
}

/** Whether a patch is farther from a point than `distance`. */
export function isPatchBeyond(patch: usize, x: f64, y: f64, z: f64, distance: f64): bool {
  const dx = <f32>x - value32(patch, 0);
  const dy = <f32>y - value32(patch, 1);
  const dz = <f32>z - value32(patch, 2);
  const height = dx * value32(patch, 4) + dy * value32(patch, 5) + dz * value32(patch, 6);
  const above = max<f32>(0, abs(height) - value32(patch, 7));
  const squared = <f32>distance * <f32>distance - above * above;
  if (squared <= 0) return true;
  const reach = sqrt(squared) + value32(patch, 3);
  return dx * dx + dy * dy + dz * dz - height * height >= reach * reach;
}
