import type { Vec3 } from "../../core/geometry.ts";

/** Voxels to a wall at accuracy 0 and 1. Distances are exact, so walls are; voxels only tell how well bends are followed. */
const PER_WALL = [3.5, 10] as const;
/** Voxels at accuracy 0 and 1 are no larger, however thick the wall: the largest feature size is 1 mm. */
const LARGEST_MM = [1, 0.4] as const;
/** No printer shows more. */
const SMALLEST_MM = 0.05;
/** A grid has no more: 400 MB for the cavity, and about as much again for what is worked on at once. */
const MOST_VOXELS = 2e8;
/** With fewer voxels to a wall the grid may not tell one side of it from the other. */
const LEAST_PER_WALL = 2;

export interface VoxelSize {
  readonly voxelMm: number;
  /** What the accuracy asks for; less than `voxelMm` where the model is too large for it. */
  readonly wantedMm: number;
}

/** The voxels to hollow a model of a size with; undefined where those that the wall needs would be too many. */
export function voxelSize(sizeMm: Vec3, wallMm: number, accuracy: number): VoxelSize | undefined {
  const between = ([low, high]: readonly [number, number]): number => low + (high - low) * accuracy;
  const wantedMm = Math.max(SMALLEST_MM, Math.min(wallMm / between(PER_WALL), between(LARGEST_MM)));
  const voxelsOf = (mm: number): number => sizeMm.reduce((count, size) => count * (Math.ceil(size / mm) + 1), 1);
  let voxelMm = wantedMm;
  while (voxelsOf(voxelMm) > MOST_VOXELS) voxelMm *= 1.01;
  return voxelMm > wallMm / LEAST_PER_WALL ? undefined : { voxelMm, wantedMm };
}
