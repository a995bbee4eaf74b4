import type { GridSize } from "./grid-size.ts";
import type { Lattice } from "./lattice.ts";

/** Values at the voxels of a lattice, of which it matters where they cross 0. Those at its sides are below. */
export interface Field extends Lattice {
  readonly values: Int16Array;
  /**
   * 1 for each block of 2 × 2 × 2 voxels in which a cell may have corners on both sides; of the others none has. A cell has its
   * eight corners at and beyond its voxel. Blocks are numbered as voxels are, from that of the first voxel.
   */
  readonly isCrossed: Uint8Array;
}

/** How many blocks there are along a side of so many voxels. */
export const blocksAlong = (voxels: number): number => Math.ceil(voxels / 2);

/** Tells the number of the block that a voxel of a grid is in. */
export function blockNumbers({ columns, rows }: GridSize): (voxel: number) => number {
  const [blocksX, blocksY] = [blocksAlong(columns), blocksAlong(rows)];
  return (voxel) => {
    const row = Math.floor(voxel / columns);
    const z = Math.floor(row / rows);
    return ((z >> 1) * blocksY + ((row - z * rows) >> 1)) * blocksX + ((voxel - row * columns) >> 1);
  };
}
