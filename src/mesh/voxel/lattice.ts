import type { Box, Vec3 } from "../../core/geometry.ts";
import type { Surface } from "../mesh.ts";
import type { GridSize } from "./grid-size.ts";

/** Voxels where they lie: the middle of voxel (x, y, z) is at `origin` + `voxelMm` · (x, y, z). */
export interface Lattice extends GridSize {
  readonly origin: Vec3;
  readonly voxelMm: number;
}

/** Voxels about the middle of a box; the outermost reach over its walls. */
export function latticeOver({ min, max }: Box, voxelMm: number): Lattice {
  const count = (axis: 0 | 1 | 2): number => Math.ceil((max[axis] - min[axis]) / voxelMm) + 1;
  const first = (axis: 0 | 1 | 2): number => (min[axis] + max[axis] - (count(axis) - 1) * voxelMm) / 2;
  const origin: Vec3 = [first(0), first(1), first(2)];
  return { columns: count(0), rows: count(1), layers: count(2), voxelMm, origin };
}

/** The voxels of a lattice from the one at `first` on, so many of them. */
export const partOf = ({ origin, voxelMm }: Lattice, first: Vec3, size: GridSize): Lattice => ({
  ...size,
  voxelMm,
  origin: [origin[0] + first[0] * voxelMm, origin[1] + first[1] * voxelMm, origin[2] + first[2] * voxelMm],
});

/** The corners, x, y, z of each, of the facets that reach into a lattice's layers, in voxels from the middle of its first voxel. */
export function cornersOnLattice({ vertices, triangles }: Surface, { origin, voxelMm, layers }: Lattice): Float32Array {
  const places = new Float32Array(vertices.length);
  for (let i = 0; i < places.length; i++) places[i] = (vertices[i] - origin[i % 3]!) / voxelMm;
  const corners = new Float32Array(3 * triangles.length);
  let count = 0;
  for (let at = 0; at < triangles.length; at += 3) {
    const a = places[3 * triangles[at] + 2];
    const b = places[3 * triangles[at + 1] + 2];
    const c = places[3 * triangles[at + 2] + 2];
    if ((a < -1 && b < -1 && c < -1) || (a > layers && b > layers && c > layers)) continue;
    for (let i = at; i < at + 3; i++) {
      corners[count++] = places[3 * triangles[i]];
      corners[count++] = places[3 * triangles[i] + 1];
      corners[count++] = places[3 * triangles[i] + 2];
    }
  }
  return corners.subarray(0, count);
}
