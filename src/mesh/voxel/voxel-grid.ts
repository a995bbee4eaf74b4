import type { Box } from "../../geometry/box.ts";
import type { GridSize } from "../../geometry/distance-transform.ts";
import type { Axis, Vec3 } from "../../geometry/vector.ts";
import type { Surface } from "../mesh.ts";

/** Cubic voxels in space: the centre of voxel (x, y, z) is at `origin` + `voxelMm` · (x, y, z). */
export interface VoxelGrid extends GridSize {
  readonly origin: Vec3;
  readonly voxelMm: number;
}

/** A grid centred on a box; the centres of the outermost voxels are outside of the box or on its walls. */
export function voxelGridOver({ min, max }: Box, voxelMm: number): VoxelGrid {
  const count = (axis: Axis): number => Math.ceil((max[axis] - min[axis]) / voxelMm) + 1;
  const first = (axis: Axis): number => (min[axis] + max[axis] - (count(axis) - 1) * voxelMm) / 2;
  const origin: Vec3 = [first(0), first(1), first(2)];
  return { columns: count(0), rows: count(1), layers: count(2), voxelMm, origin };
}

/** The part of a grid with a given size that starts at voxel `first`. */
export const subgrid = ({ origin, voxelMm }: VoxelGrid, first: Vec3, size: GridSize): VoxelGrid => ({
  ...size,
  voxelMm,
  origin: [origin[0] + first[0] * voxelMm, origin[1] + first[1] * voxelMm, origin[2] + first[2] * voxelMm],
});

/**
 * The corners of the facets that reach into the layers of a grid: x, y, z of each, in voxels relative to the centre of the
 * first voxel.
 */
export function cornersInVoxels(
  { vertices, triangles }: Surface,
  { origin, voxelMm, layers }: VoxelGrid,
): Float32Array {
  const inVoxels = new Float32Array(vertices.length);
  for (let i = 0; i < inVoxels.length; i++) inVoxels[i] = (vertices[i] - origin[i % 3]) / voxelMm;
  const corners = new Float32Array(3 * triangles.length);
  let count = 0;
  for (let at = 0; at < triangles.length; at += 3) {
    const a = inVoxels[3 * triangles[at] + 2];
    const b = inVoxels[3 * triangles[at + 1] + 2];
    const c = inVoxels[3 * triangles[at + 2] + 2];
    if ((a < -1 && b < -1 && c < -1) || (a > layers && b > layers && c > layers)) continue;
    for (let i = at; i < at + 3; i++) {
      corners[count++] = inVoxels[3 * triangles[i]];
      corners[count++] = inVoxels[3 * triangles[i] + 1];
      corners[count++] = inVoxels[3 * triangles[i] + 2];
    }
  }
  return corners.subarray(0, count);
}

/** Values at the voxels of a grid, whose zero crossing is a surface. Values at the sides of the grid are negative. */
export interface VoxelField extends VoxelGrid {
  readonly values: Int16Array;
  /**
   * 1 for each block of 2 × 2 × 2 voxels in which the surface may cross a cell, 0 for blocks without such a cell. Cell
   * (x, y, z) has its eight corners at voxels (x, y, z) to (x + 1, y + 1, z + 1). Blocks have indices like voxels.
   */
  readonly isCrossed: Uint8Array;
}

/** Number of blocks along a side of `voxels` voxels. */
export const blocksAlong = (voxels: number): number => Math.ceil(voxels / 2);

/** A function from the index of a voxel to the index of its block. */
export function blockIndexer({ columns, rows }: GridSize): (voxel: number) => number {
  const [blocksX, blocksY] = [blocksAlong(columns), blocksAlong(rows)];
  return (voxel) => {
    const row = Math.floor(voxel / columns);
    const z = Math.floor(row / rows);
    return ((z >> 1) * blocksY + ((row - z * rows) >> 1)) * blocksX + ((voxel - row * columns) >> 1);
  };
}
