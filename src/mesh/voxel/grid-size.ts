/** Voxels in a box. Voxel (x, y, z) has the number (z · rows + y) · columns + x. */
export interface GridSize {
  readonly columns: number;
  readonly rows: number;
  readonly layers: number;
}

export const voxelCount = ({ columns, rows, layers }: GridSize): number => columns * rows * layers;
