import type { GridSize } from "./grid-size.ts";

/** The twelve edges of a cell: bits of the two corners that each joins. Bit 0 of a corner is x, bit 1 is y, bit 2 is z. */
const EDGES = new Uint8Array([0, 1, 2, 3, 4, 5, 6, 7, 0, 2, 1, 3, 4, 6, 5, 7, 0, 4, 1, 5, 2, 6, 3, 7]);

/** How far a vertex keeps from the walls of its cell, so that no two of them meet. */
const FROM_WALL = 1e-3;

/** Where the surface on which values are `level` passes through cells; cell i has its eight corners at and beyond voxel i. */
export interface Cells {
  /** Which corners of a cell are at the level or above, a bit for each. */
  readonly cornersOf: (cell: number) => number;
  /** The mean of the places at which the surface crosses the edges of a cell, from the cell's first corner. */
  readonly vertexOf: (cell: number, corners: number, out: Float64Array) => void;
}

/** From the number of a cell's voxel to those of its eight corners. */
export const cornerOffsets = ({ columns, rows }: GridSize): Int32Array =>
  Int32Array.from({ length: 8 }, (_, i) => (i & 1) + ((i >> 1) & 1) * columns + (i >> 2) * columns * rows);

export function cellsOf(values: Float32Array | Int16Array, size: GridSize, level: number): Cells {
  const offsets = cornerOffsets(size);
  const [, o1, o2, o3, o4, o5, o6, o7] = offsets;
  return {
    cornersOf: (cell) =>
      (values[cell] >= level ? 1 : 0) |
      (values[cell + o1] >= level ? 2 : 0) |
      (values[cell + o2] >= level ? 4 : 0) |
      (values[cell + o3] >= level ? 8 : 0) |
      (values[cell + o4] >= level ? 16 : 0) |
      (values[cell + o5] >= level ? 32 : 0) |
      (values[cell + o6] >= level ? 64 : 0) |
      (values[cell + o7] >= level ? 128 : 0),
    vertexOf(cell, corners, out) {
      out.fill(0);
      let crossed = 0;
      for (let edge = 0; edge < 24; edge += 2) {
        const a = EDGES[edge];
        const b = EDGES[edge + 1];
        if (((corners >> a) & 1) === ((corners >> b) & 1)) continue;
        const from = values[cell + offsets[a]];
        const share = (level - from) / (values[cell + offsets[b]] - from);
        out[0] += edge < 8 ? share : a & 1;
        out[1] += edge >= 8 && edge < 16 ? share : (a >> 1) & 1;
        out[2] += edge >= 16 ? share : a >> 2;
        crossed++;
      }
      for (let axis = 0; axis < 3; axis++) {
        out[axis] = Math.min(1 - FROM_WALL, Math.max(FROM_WALL, out[axis] / crossed));
      }
    },
  };
}
