import type { GridSize } from "../../mesh/voxel/grid-size.ts";

/** Depths below the surface that matter, in voxels: of the wall, and of the core that the cavity is grown from. */
export interface Levels {
  readonly wall: number;
  readonly core: number;
}

/** The diagonal of a block of 2 × 2 × 2 voxels, with what rounding may add: depths in it differ by no more from a corner's. */
export const BLOCK = 1.75;

/** Stands for all that is far below the core's level. */
export const deepestOf = ({ core }: Levels): number => Math.fround(core + 4 * BLOCK);

/** First voxels of blocks of 2 × 2 × 2. */
export interface Blocks {
  /** No cell of voxels in other blocks has corners on both sides of a level. */
  readonly blocks: Uint32Array;
  /** Those of them that have a ridge between the levels: through others the depth grows in nearly one direction. */
  readonly ridges: Uint32Array;
}

/**
 * Depths of the voxels of a grid, in voxels. Of two neighbours on different sides of a level both are exact; others are within
 * a voxel or so, and on their side of both levels.
 */
export interface Depths extends GridSize, Blocks {
  readonly values: Float32Array;
}
