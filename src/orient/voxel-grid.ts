import type { Mat3, Vec3 } from "../geometry/vector.ts";

/** Cubic voxels in a box around a part. */
export interface VoxelGrid {
  /** The kind of voxel (x, y, z) is at (z · rows + y) · columns + x. */
  readonly kinds: Uint8Array;
  readonly columns: number;
  readonly rows: number;
  readonly levels: number;
  readonly sideMm: number;
  /** Rows: the directions of the part along which x, y and z count. */
  readonly frame: Mat3;
  /** The centre of voxel (0, 0, 0) in this frame. */
  readonly firstMm: Vec3;
}
