import type { Vec3 } from "../../core/geometry.ts";
import type { Watch } from "../../core/watch.ts";
import { grown } from "../../mesh/grown.ts";
import type { GridSize } from "../../mesh/voxel/grid-size.ts";
import type { CoarseDepths } from "./coarse-depths.ts";
import { BLOCK, deepestOf, type Levels } from "./levels.ts";

/** What is interpolated so near to a level is worked out exactly. */
const UNSURE = 0.6;

/** Puts interpolated depths into `values`, as negative numbers, and exact ones where they are near a level; tells the blocks. */
export function interpolate(
  { depths, search }: CoarseDepths,
  coarse: GridSize,
  { columns, rows, layers }: GridSize,
  [offsetX, offsetY, offsetZ]: Vec3,
  levels: Levels,
  values: Float32Array,
  watch: Watch,
): Uint32Array {
  const { wall, core } = levels;
  let blocks = new Uint32Array(1024);
  let count = 0;
  const row = coarse.columns;
  const layer = coarse.columns * coarse.rows;
  const around = new Float64Array(8);
  for (let z = 0; z < layers; z += 2) {
    watch.report(z / layers);
    for (let y = 0; y < rows; y += 2) {
      let at = ((z + offsetZ) / 2) * layer + ((y + offsetY) / 2) * row + offsetX / 2;
      for (let x = 0; x < columns; x += 2, at++) {
        let least = Infinity;
        let most = 0;
        for (let i = 0; i < 8; i++) {
          const depth = 2 * depths[at + (i & 1) + ((i >> 1) & 1) * row + (i >> 2) * layer];
          around[i] = depth;
          if (depth < least) least = depth;
          if (depth > most) most = depth;
        }
        if (most < wall - BLOCK) continue;
        const isDeep = least > core + BLOCK;
        if (!isDeep) {
          blocks = grown(blocks, count + 1);
          blocks[count++] = (z * rows + y) * columns + x;
        }
        for (let i = 0; i < 8; i++) {
          const dx = i & 1;
          const dy = (i >> 1) & 1;
          const dz = i >> 2;
          if (x + dx >= columns || y + dy >= rows || z + dz >= layers) continue;
          const voxel = ((z + dz) * rows + y + dy) * columns + x + dx;
          if (isDeep) {
            values[voxel] = deepestOf(levels);
            continue;
          }
          // The mean of the corners of the smallest face of the block that has the voxel in its middle.
          let sum = 0;
          let corners = 0;
          for (let corner = 0; corner < 8; corner++) {
            if ((corner & ~i) !== 0) continue;
            sum += around[corner];
            corners++;
          }
          const depth = sum / corners;
          if (i === 0) {
            // A voxel of both lattices, and exact.
            values[voxel] = depth > wall - BLOCK && depth < core + BLOCK ? depth : -depth;
            continue;
          }
          const isUnsure = Math.abs(depth - wall) < UNSURE || Math.abs(depth - core) < UNSURE;
          values[voxel] = isUnsure
            ? 2 * search((x + dx + offsetX) / 2, (y + dy + offsetY) / 2, (z + dz + offsetZ) / 2)
            : -depth;
        }
      }
    }
  }
  return blocks.slice(0, count);
}
