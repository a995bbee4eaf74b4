import type { Mat3 } from "../geometry/vector.ts";
import type { VoxelGrid } from "../mesh/voxel/voxel-grid.ts";

/** A grid of voxels in a box around a part, along the rows of `frame`; `origin` is in this frame. */
export interface PartVoxels extends VoxelGrid {
  /** The kind of each voxel. */
  readonly kinds: Uint8Array;
  /** Rows: the directions of the part along which x, y and z of the grid count. */
  readonly frame: Mat3;
}
