import type { Watch } from "../../core/watch.ts";
import { cellsOf, cornerOffsets } from "../../mesh/voxel/cell-vertex.ts";
import { blockNumbers, blocksAlong } from "../../mesh/voxel/field.ts";
import { squaredDistances } from "../../mesh/voxel/distance-transform.ts";
import { type GridSize, voxelCount } from "../../mesh/voxel/grid-size.ts";
import { BLOCK, type Depths, type Levels } from "./levels.ts";

/** A surface through all cells has a vertex no farther from any of its points, squared. */
const BETWEEN_VERTICES = 0.5;
/** Beyond that, for rounding and bends. */
const SLACK = 0.05;

const BLOCKS_PER_REPORT = 1024;

/** Depths to a voxel, where the core's surface is looked for. */
const STEPS = 32_767;
/** A block with the voxels beyond it that its cells have corners at. */
const BLOCK_SIZE = { columns: 3, rows: 3, layers: 3 };

/**
 * Tells how far a voxel lies in the cavity, in voxels: what is deeper than the wall's level and within a ball of the core, which is
 * all as deep as its level. So the cavity has no place that such a ball does not fit into. Distances to the core are those
 * to vertices on its surface, in balls a little larger: where that is smooth the depth alone decides. Where no ridge is near
 * the core lies straight below, and no distance is looked for.
 */
export function opened(depths: Depths, { wall, core }: Levels, watch: Watch): (voxel: number) => number {
  const { values } = depths;
  const radius = Math.sqrt((core - wall) ** 2 + BETWEEN_VERTICES) + SLACK;
  const toCore = distancesToCore(depths, core, core - wall + 1, radius + 1, watch);
  return (voxel) => {
    const depth = values[voxel];
    const ball = depth >= core ? radius : radius - Math.sqrt(toCore[voxel]);
    return Math.min(depth - wall, ball);
  };
}

/**
 * The squared distance of each voxel to the vertices of the core's surface that are within `reach`, else Infinity; 0 for voxels
 * that have no ridge within `ridgeReach`.
 */
function distancesToCore(depths: Depths, core: number, ridgeReach: number, reach: number, watch: Watch): Float32Array {
  const { columns, rows, layers, values, blocks } = depths;
  const squares = new Float32Array(values.length);
  const isNearRidge = ridgesNear(depths, ridgeReach + reach, watch.part(0, 0.3));
  for (let b = 0; b < blocks.length; b++) {
    if (isNearRidge(blocks[b], ridgeReach)) eachVoxel(blocks[b], depths, (voxel) => (squares[voxel] = Infinity));
  }
  const around = new Int16Array(27);
  const cells = cellsOf(around, BLOCK_SIZE, 0);
  const cellOffsets = cornerOffsets(BLOCK_SIZE);
  const vertex = new Float64Array(3);

  const spread = (x: number, y: number, z: number): void => {
    for (let k = Math.max(0, Math.ceil(z - reach)); k <= Math.min(layers - 1, z + reach); k++) {
      for (let j = Math.max(0, Math.ceil(y - reach)); j <= Math.min(rows - 1, y + reach); j++) {
        const aside = (k - z) * (k - z) + (j - y) * (j - y);
        const along = reach * reach - aside;
        if (along < 0) continue;
        const half = Math.sqrt(along);
        const row = (k * rows + j) * columns;
        for (let i = Math.max(0, Math.ceil(x - half)); i <= Math.min(columns - 1, x + half); i++) {
          const square = aside + (i - x) * (i - x);
          if (square < squares[row + i]) squares[row + i] = square;
        }
      }
    }
  };
  /** Fills `around` in with the depths below the core's level, the grid's last voxels standing for what is beyond it; false where all are on one side. */
  const isCrossed = (x0: number, y0: number, z0: number): boolean => {
    let isAbove = false;
    let isBelow = false;
    for (let i = 0, dz = 0; dz < 3; dz++) {
      for (let dy = 0; dy < 3; dy++) {
        const row = (Math.min(z0 + dz, layers - 1) * rows + Math.min(y0 + dy, rows - 1)) * columns;
        for (let dx = 0; dx < 3; dx++, i++) {
          const below = values[row + Math.min(x0 + dx, columns - 1)] - core;
          if (below < 0) isAbove = true;
          else isBelow = true;
          around[i] = Math.floor(STEPS * Math.max(-1, Math.min(1, below)));
        }
      }
    }
    return isAbove && isBelow;
  };
  const { length } = blocks;
  const spreading = watch.part(0.3, 1);
  for (let b = 0; b < length; b++) {
    if (b % BLOCKS_PER_REPORT === 0) spreading.report(b / length);
    if (!isNearRidge(blocks[b], ridgeReach + reach)) continue;
    const row = Math.floor(blocks[b] / columns);
    const z = Math.floor(row / rows);
    const y = row - z * rows;
    const x = blocks[b] - row * columns;
    if (!isCrossed(x, y, z)) continue;
    for (let i = 0; i < 8; i++) {
      const corners = cells.cornersOf(cellOffsets[i]);
      if (corners === 0 || corners === 255) continue;
      cells.vertexOf(cellOffsets[i], corners, vertex);
      spread(x + (i & 1) + vertex[0], y + ((i >> 1) & 1) + vertex[1], z + (i >> 2) + vertex[2]);
    }
  }
  return squares;
}

/** Tells whether a block may have voxels with a ridge within so many voxels, `most` at most. */
function ridgesNear(
  { columns, rows, layers, ridges }: Depths,
  most: number,
  watch: Watch,
): (block: number, reach: number) => boolean {
  const size: GridSize = { columns: blocksAlong(columns), rows: blocksAlong(rows), layers: blocksAlong(layers) };
  const numberOf = blockNumbers({ columns, rows, layers });
  const isRidge = new Uint8Array(voxelCount(size));
  for (const block of ridges) isRidge[numberOf(block)] = 1;
  // Voxels of a block are at most half its diagonal from its middle.
  const blocksWithin = (reach: number): number => (reach + BLOCK) / 2;
  const squares = squaredDistances(isRidge, size, Math.ceil(blocksWithin(most)) + 1, watch);
  return (block, reach) => squares[numberOf(block)] <= blocksWithin(reach) ** 2;
}

/** Tells of the voxels of a block of 2 × 2 × 2, given by its first, that lie in the grid, with their coordinates. */
function eachVoxel(
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
