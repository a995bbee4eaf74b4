import type { Vec3 } from "../../core/geometry.ts";
import type { Watch } from "../../core/watch.ts";
import type { CoarseDepths } from "./coarse-depths.ts";
import { eachVoxel } from "./each-voxel.ts";
import type { Depths, Levels } from "./levels.ts";

const BLOCKS_PER_REPORT = 4096;

/** Makes the depths exact of voxels that have neighbours on different sides of a level, and all positive. */
export function sharpen(
  { nearestTo }: CoarseDepths,
  { columns, rows, layers, values, unsure }: Depths,
  [offsetX, offsetY, offsetZ]: Vec3,
  { wall, core }: Levels,
  watch: Watch,
): void {
  const size = { columns, rows, layers };
  const layer = rows * columns;
  const zoneOf = (depth: number): number => (Math.abs(depth) < wall ? 0 : Math.abs(depth) < core ? 1 : 2);
  const { length } = unsure;
  for (let b = 0; b < length; b++) {
    if (b % BLOCKS_PER_REPORT === 0) watch.report(b / length);
    eachVoxel(unsure[b], size, (voxel, x, y, z) => {
      if (values[voxel] > 0) return;
      const zone = zoneOf(values[voxel]);
      const isBetween =
        (x > 0 && zoneOf(values[voxel - 1]) !== zone) ||
        (x + 1 < columns && zoneOf(values[voxel + 1]) !== zone) ||
        (y > 0 && zoneOf(values[voxel - columns]) !== zone) ||
        (y + 1 < rows && zoneOf(values[voxel + columns]) !== zone) ||
        (z > 0 && zoneOf(values[voxel - layer]) !== zone) ||
        (z + 1 < layers && zoneOf(values[voxel + layer]) !== zone);
      if (isBetween) values[voxel] = 2 * nearestTo((x + offsetX) / 2, (y + offsetY) / 2, (z + offsetZ) / 2);
    });
  }
  for (const block of unsure) eachVoxel(block, size, (voxel) => (values[voxel] = Math.abs(values[voxel])));
}
