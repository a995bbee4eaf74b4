import type { Vec3 } from "../../core/geometry.ts";
import type { Watch } from "../../core/watch.ts";
import type { CoarseDepths } from "./coarse-depths.ts";
import { eachVoxel } from "./each-voxel.ts";
import { deepestOf, type Depths, type Levels } from "./levels.ts";

const BLOCKS_PER_REPORT = 4096;

/** Makes the depths exact of neighbours on different sides of a level, and all positive. */
export function sharpen(
  { search }: CoarseDepths,
  { columns, rows, layers, values, blocks }: Depths,
  [offsetX, offsetY, offsetZ]: Vec3,
  levels: Levels,
  watch: Watch,
): void {
  const { wall, core } = levels;
  const deepest = deepestOf(levels);
  const zoneOf = (depth: number): number => (Math.abs(depth) < wall ? 0 : Math.abs(depth) < core ? 1 : 2);
  const makeExact = (voxel: number, x: number, y: number, z: number): void => {
    if (values[voxel] <= 0 || values[voxel] === deepest)
      values[voxel] = 2 * search((x + offsetX) / 2, (y + offsetY) / 2, (z + offsetZ) / 2);
  };
  const { length } = blocks;
  for (let b = 0; b < length; b++) {
    if (b % BLOCKS_PER_REPORT === 0) watch.report(b / length);
    eachVoxel(blocks[b], { columns, rows, layers }, (voxel, x, y, z) => {
      const zone = zoneOf(values[voxel]);
      if (x + 1 < columns && zoneOf(values[voxel + 1]) !== zone) {
        makeExact(voxel, x, y, z);
        makeExact(voxel + 1, x + 1, y, z);
      }
      if (y + 1 < rows && zoneOf(values[voxel + columns]) !== zone) {
        makeExact(voxel, x, y, z);
        makeExact(voxel + columns, x, y + 1, z);
      }
      if (z + 1 < layers && zoneOf(values[voxel + rows * columns]) !== zone) {
        makeExact(voxel, x, y, z);
        makeExact(voxel + rows * columns, x, y, z + 1);
      }
    });
  }
  for (const block of blocks) {
    eachVoxel(block, { columns, rows, layers }, (voxel) => (values[voxel] = Math.abs(values[voxel])));
  }
}
