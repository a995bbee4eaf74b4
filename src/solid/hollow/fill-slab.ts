import type { Progress } from "../../core/progress.ts";
import { type GridSize, squaredDistances, voxelCount } from "../../geometry/distance-transform.ts";
import { cornerOffsets, gridCells } from "../../mesh/voxel/surface-nets.ts";
import { type VoxelField, blockIndexer, blocksAlong } from "../../mesh/voxel/voxel-grid.ts";
import {
  BLOCK_DIAGONAL,
  type DepthField,
  type DepthLevels,
  computeDepths,
  maxDepth,
  slabOverlap,
} from "./depth-field.ts";
import type { HollowPlan } from "./hollow-plan.ts";

/** A difference of one voxel in the values of a `VoxelField`, and in the values around a cell of the core's surface. */
const STEPS_PER_VOXEL = 32_767;

const BLOCKS_PER_REPORT = 1024;

/**
 * Fills one slab of the field of a plan, and marks its blocks that the surface of the cavity crosses. The cavity is the space deeper
 * than the wall, opened by a ball of the feature size. It does not reach the sides of the field.
 */
export function fillSlab(plan: HollowPlan, slab: number, progress: Progress): void {
  const { request, grid, levels, margin, field, bounds } = plan;
  const [from, to] = [bounds[slab], bounds[slab + 1]];
  const first = Math.max(0, from - slabOverlap(levels));
  const end = Math.min(field.layers, to + slabOverlap(levels));
  const window = { margin, from: first + margin, to: end + margin };
  const depths = computeDepths(request.mesh, grid, window, levels, progress.part(0, 0.8));
  fillLayers(field, from, to, depths, first, levels, progress.part(0.8, 1));
  closeSides(field, from, to);
}

/** Fills the layers `from` up to `to` of the field from depths that begin at its layer `first`. */
function fillLayers(
  field: VoxelField,
  from: number,
  to: number,
  depths: DepthField,
  first: number,
  levels: DepthLevels,
  progress: Progress,
): void {
  const { columns, rows, values, isCrossed } = field;
  const openedDepth = morphologicalOpening(depths, levels, progress.part(0, 0.7));
  const layer = columns * rows;
  const below = first * layer;
  const deepest = maxDepth(levels);
  const toSteps = (voxel: number): number =>
    Math.max(-STEPS_PER_VOXEL, Math.min(STEPS_PER_VOXEL, Math.floor(openedDepth(voxel) * STEPS_PER_VOXEL)));
  const filling = progress.part(0.7, 1);
  for (let z = from; z < to; z++) {
    filling.report((z - from) / (to - from));
    for (let voxel = z * layer; voxel < (z + 1) * layer; voxel++) {
      const depth = depths.values[voxel - below];
      values[voxel] =
        depth <= levels.wall - 1 ? -STEPS_PER_VOXEL : depth === deepest ? STEPS_PER_VOXEL : toSteps(voxel - below);
    }
  }
  const blockOf = blockIndexer(field);
  for (let b = 0; b < depths.blocks.length; b++) {
    const voxel = depths.blocks[b] + below;
    if (voxel >= from * layer && voxel < to * layer) isCrossed[blockOf(voxel)] = 1;
  }
}

function closeSides({ columns, rows, layers, values }: VoxelField, from: number, to: number): void {
  for (let z = from; z < to; z++) {
    for (let y = 0; y < rows; y++) {
      const row = (z * rows + y) * columns;
      const isSide = z === 0 || z + 1 === layers || y === 0 || y + 1 === rows;
      if (isSide) values.fill(-STEPS_PER_VOXEL, row, row + columns);
      values[row] = -STEPS_PER_VOXEL;
      values[row + columns - 1] = -STEPS_PER_VOXEL;
    }
  }
}

/** Squared distance from any point of a surface net to its nearest vertex, at most, in voxels. */
const VERTEX_DISTANCE_SQUARED = 0.5;
/** Added to the ball's radius for rounding and curvature, in voxels. */
const RADIUS_SLACK = 0.05;

/** A block of 2 × 2 × 2 voxels with the voxels beyond it that are corners of its cells. */
const BLOCK_SIZE = { columns: 3, rows: 3, layers: 3 };

/**
 * Returns how far a voxel is inside the cavity, in voxels: deeper than the wall, and within a ball around some point of the core, so
 * that such a ball fits everywhere into the cavity. Distances to the core are those to the vertices of its surface, with slightly
 * larger balls: where the surface is smooth the depth alone decides. Far from a ridge the core is straight below, and no distance is
 * computed.
 */
function morphologicalOpening(
  depths: DepthField,
  { wall, core }: DepthLevels,
  progress: Progress,
): (voxel: number) => number {
  const { values } = depths;
  const radius = Math.sqrt((core - wall) ** 2 + VERTEX_DISTANCE_SQUARED) + RADIUS_SLACK;
  const toCore = squaredDistancesToCore(depths, core, core - wall + 1, radius + 1, progress);
  return (voxel) => {
    const depth = values[voxel];
    const ball = depth >= core ? radius : radius - Math.sqrt(toCore[voxel]);
    return Math.min(depth - wall, ball);
  };
}

/**
 * The squared distance of each voxel to the nearest vertex of the core's surface, Infinity beyond `reach`; 0 for voxels
 * without a ridge within `ridgeReach`.
 */
function squaredDistancesToCore(
  depths: DepthField,
  core: number,
  ridgeReach: number,
  reach: number,
  progress: Progress,
): Float32Array {
  const { columns, rows, values, blocks } = depths;
  const squares = new Float32Array(values.length);
  const isNearRidge = ridgeProximity(depths, ridgeReach + reach, progress.part(0, 0.3));
  for (let b = 0; b < blocks.length; b++) {
    if (isNearRidge(blocks[b], ridgeReach)) forEachVoxel(blocks[b], depths, (voxel) => (squares[voxel] = Infinity));
  }
  const around = new Int16Array(27);
  const cells = gridCells(around, BLOCK_SIZE);
  const cellOffsets = cornerOffsets(BLOCK_SIZE);
  const vertex = new Float64Array(3);
  const { length } = blocks;
  const spreading = progress.part(0.3, 1);
  for (let b = 0; b < length; b++) {
    if (b % BLOCKS_PER_REPORT === 0) spreading.report(b / length);
    if (!isNearRidge(blocks[b], ridgeReach + reach)) continue;
    const row = Math.floor(blocks[b] / columns);
    const z = Math.floor(row / rows);
    const y = row - z * rows;
    const x = blocks[b] - row * columns;
    if (!loadBlock(around, depths, core, x, y, z)) continue;
    for (let i = 0; i < 8; i++) {
      const corners = cells.cornersOf(cellOffsets[i]);
      if (corners === 0 || corners === 255) continue;
      cells.vertexOf(cellOffsets[i], corners, vertex);
      lowerAround(
        squares,
        depths,
        reach,
        x + (i & 1) + vertex[0],
        y + ((i >> 1) & 1) + vertex[1],
        z + (i >> 2) + vertex[2],
      );
    }
  }
  return squares;
}

/** Lowers the squared distances of all voxels within `reach` of a vertex. */
function lowerAround(
  squares: Float32Array,
  { columns, rows, layers }: GridSize,
  reach: number,
  x: number,
  y: number,
  z: number,
): void {
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
}

/**
 * Fills `around` with the depths below the level of the core, repeating the last voxels of the grid beyond it. Returns whether they
 * are on both sides of the level.
 */
function loadBlock(
  around: Int16Array,
  { columns, rows, layers, values }: DepthField,
  core: number,
  x0: number,
  y0: number,
  z0: number,
): boolean {
  let isAbove = false;
  let isBelow = false;
  for (let i = 0, dz = 0; dz < 3; dz++) {
    for (let dy = 0; dy < 3; dy++) {
      const row = (Math.min(z0 + dz, layers - 1) * rows + Math.min(y0 + dy, rows - 1)) * columns;
      for (let dx = 0; dx < 3; dx++, i++) {
        const below = values[row + Math.min(x0 + dx, columns - 1)] - core;
        if (below < 0) isAbove = true;
        else isBelow = true;
        around[i] = Math.floor(STEPS_PER_VOXEL * Math.max(-1, Math.min(1, below)));
      }
    }
  }
  return isAbove && isBelow;
}

/** Returns whether the voxels of a block may have a ridge within `reach` voxels, for any reach up to `maxReach`. */
function ridgeProximity(
  { columns, rows, layers, ridges }: DepthField,
  maxReach: number,
  progress: Progress,
): (block: number, reach: number) => boolean {
  const size: GridSize = { columns: blocksAlong(columns), rows: blocksAlong(rows), layers: blocksAlong(layers) };
  const blockOf = blockIndexer({ columns, rows, layers });
  const isRidge = new Uint8Array(voxelCount(size));
  for (const block of ridges) isRidge[blockOf(block)] = 1;
  // Voxels of a block are at most half its diagonal from its centre.
  const blocksWithin = (reach: number): number => (reach + BLOCK_DIAGONAL) / 2;
  const squares = squaredDistances(isRidge, size, Math.ceil(blocksWithin(maxReach)) + 1, progress);
  return (block, reach) => squares[blockOf(block)] <= blocksWithin(reach) ** 2;
}

/** Visits the voxels of a block, given by its first voxel, that are in the grid. */
function forEachVoxel(block: number, { columns, rows, layers }: GridSize, visit: (voxel: number) => void): void {
  const row = Math.floor(block / columns);
  const z0 = Math.floor(row / rows);
  const y0 = row - z0 * rows;
  const x0 = block - row * columns;
  for (let z = z0; z < Math.min(z0 + 2, layers); z++) {
    for (let y = y0; y < Math.min(y0 + 2, rows); y++) {
      for (let x = x0; x < Math.min(x0 + 2, columns); x++) visit((z * rows + y) * columns + x);
    }
  }
}
