import type { GridSize } from "../../mesh/voxel/grid-size.ts";

/** Tells of the voxels of a block of 2 × 2 × 2, given by its first, that lie in the grid, with their coordinates. */
export function eachVoxel(
  block: number,
  { columns, rows, layers }: GridSize,
  tell: (voxel: number, x: number, y: number, z: number) => void,
): void {
  const row = Math.floor(block / columns);
  const z0 = Math.floor(row / rows);
  const y0 = row - z0 * rows;
  const x0 = block - row * columns;
  for (let z = z0; z < Math.min(z0 + 2, layers); z++) {
    for (let y = y0; y < Math.min(y0 + 2, rows); y++) {
      for (let x = x0; x < Math.min(x0 + 2, columns); x++) tell((z * rows + y) * columns + x, x, y, z);
    }
  }
}
