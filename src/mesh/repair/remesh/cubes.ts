import { exactLength, type Vec3 } from "../../../core/geometry.ts";
import type { Watch } from "../../../core/watch.ts";
import type { Lattice } from "../../voxel/lattice.ts";

/** Voxels to a side of a cube. */
export const CUBE = 5;
const MIDDLE = (CUBE - 1) / 2;

/** How far the middles of its outermost voxels are from that of a cube, in voxels. */
export const CUBE_RADIUS = exactLength([MIDDLE, MIDDLE, MIDDLE]);

/** Some of a lattice's voxels. At its end there are fewer than fit in. */
export interface Cube {
  /** Where the middle of its first voxel is. */
  readonly first: Vec3;
  readonly middle: Vec3;
  /** Calls `visit` with the number of each voxel in the lattice, where it is there, and its number in the cube. */
  visitVoxels(visit: (at: number, x: number, y: number, z: number, inCube: number) => void): void;
}

/** Calls `visit` with cubes that together are the lattice. */
export function visitCubes(lattice: Lattice, watch: Watch, visit: (cube: Cube) => void): void {
  const { columns, rows, layers, origin, voxelMm } = lattice;
  const placeOf = (x: number, y: number, z: number): Vec3 => [
    origin[0] + voxelMm * x,
    origin[1] + voxelMm * y,
    origin[2] + voxelMm * z,
  ];
  for (let z = 0; z < layers; z += CUBE) {
    for (let y = 0; y < rows; y += CUBE) {
      watch.report((z + (CUBE * y) / rows) / layers);
      for (let x = 0; x < columns; x += CUBE) {
        visit({
          first: placeOf(x, y, z),
          middle: placeOf(x + MIDDLE, y + MIDDLE, z + MIDDLE),
          visitVoxels(visitVoxel) {
            for (let k = z; k < Math.min(z + CUBE, layers); k++) {
              for (let j = y; j < Math.min(y + CUBE, rows); j++) {
                for (let i = x; i < Math.min(x + CUBE, columns); i++) {
                  visitVoxel((k * rows + j) * columns + i, i, j, k, ((k - z) * CUBE + j - y) * CUBE + i - x);
                }
              }
            }
          },
        });
      }
    }
  }
}
