// AssemblyScript: a part of `depths.as.ts`.

/** The grid of twice as many voxels; its first is so many voxels from the first of the coarse one, even numbers. */
export let fineColumns: i32;
export let fineRows: i32;
export let fineLayers: i32;
export let offsetX: i32;
export let offsetY: i32;
export let offsetZ: i32;
/** Levels as `levels.ts` has them, and what stands for all that is far below. */
export let wall: f64;
export let core: f64;
export let deepest: f64;
/** Depths to a voxel, in fine voxels. */
export let values: usize;

/** The diagonal of a block of 2 × 2 × 2 voxels: depths in it differ by no more from a corner's. */
export let blockDiagonal: f64;

@inline
export function valueAt(voxel: i32): f64 {
  return <f64>load<f32>(values + (<usize>voxel << 2));
}

@inline
export function putValue(voxel: i32, value: f64): void {
  store<f32>(values + (<usize>voxel << 2), <f32>value);
}
