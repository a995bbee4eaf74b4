import type { Progress } from "../../core/progress.ts";
import { type GridSize, voxelCount } from "../../geometry/distance-transform.ts";
import type { Vec3 } from "../../geometry/vector.ts";
import type { Surface } from "../../mesh/mesh.ts";
import { type VoxelGrid, subgrid } from "../../mesh/voxel/voxel-grid.ts";
import { type DepthKernel, createDepthKernel, seedGrid } from "./depth-kernel.ts";

/**
 * The depths below the surface that bound the wall and the core, in voxels. The cavity is the core, dilated by a ball.
 */
export interface DepthLevels {
  readonly wall: number;
  readonly core: number;
}

/**
 * The depths of the voxels of a grid, in voxels. They are exact near a level; others are within about one voxel, on the right side of
 * both levels.
 */
export interface DepthField extends GridSize {
  readonly values: Float32Array;
  /**
   * First voxels of the blocks of 2 × 2 × 2 that a level may cross: no cell of voxels of other blocks has corners on
   * both sides.
   */
  readonly blocks: Uint32Array;
  /**
   * The blocks among them with a ridge of the depth between the levels; in others the depth grows in nearly one
   * direction.
   */
  readonly ridges: Uint32Array;
}

/**
 * The part of a grid for which depths are computed: without `margin` voxels at its four sides, layers `from` up to
 * `to`.
 */
export interface DepthWindow {
  readonly margin: number;
  readonly from: number;
  readonly to: number;
}

/** Diagonal of a block of 2 × 2 × 2 voxels, plus rounding: depths in it differ by no more from that of a corner. */
export const BLOCK_DIAGONAL = 1.75;
/** Distance from the centre of a voxel to anything that touches it: half its diagonal, plus rounding. */
const HALF_DIAGONAL = 0.87;

const BLOCKS_PER_REPORT = 4096;

/** The value of voxels that are far below the level of the core. */
export const maxDepth = ({ core }: DepthLevels): number => Math.fround(core + 4 * BLOCK_DIAGONAL);

/**
 * Layers above and below a slab on which its cavity depends, even: the dilation by the core's ball, and its vertices.
 */
export const slabOverlap = ({ wall, core }: DepthLevels): number => 2 * Math.ceil((core - wall) / 2) + 4;

/** Layers above and below a window on which its depths depend: a coarse seed reaches half the diagonal of a block. */
const depthReach = ({ core }: DepthLevels): number => Math.ceil(core + 3 * BLOCK_DIAGONAL);

/**
 * Computes depths on a coarse grid of voxels twice as large, then interpolates them on the fine grid; if the interpolation is
 * uncertain near a level, the depth is computed exactly.
 */
export function computeDepths(
  surface: Surface,
  grid: VoxelGrid,
  window: DepthWindow,
  levels: DepthLevels,
  progress: Progress,
): DepthField {
  const { margin, from, to } = window;
  const { wall, core } = levels;
  const size = { columns: grid.columns - 2 * margin, rows: grid.rows - 2 * margin, layers: to - from };
  const [offsetX, offsetY, offsetZ] = coarseOffset(window, levels);
  const coarse: VoxelGrid = {
    ...subgrid(grid, [margin - offsetX, margin - offsetY, from - offsetZ], {
      columns: Math.ceil((grid.columns - margin + offsetX) / 2) + 2,
      rows: Math.ceil((grid.rows - margin + offsetY) / 2) + 2,
      layers: Math.ceil((Math.min(grid.layers + 1, to + depthReach(levels)) - from + offsetZ) / 2) + 1,
    }),
    voxelMm: 2 * grid.voxelMm,
  };
  const exactFrom = (wall - BLOCK_DIAGONAL) / 2 - HALF_DIAGONAL;
  const limit = (core + BLOCK_DIAGONAL) / 2 + HALF_DIAGONAL;
  const kernel = createDepthKernel(seedGrid(surface, coarse, limit, progress.part(0, 0.4)), {
    fineColumns: size.columns,
    fineRows: size.rows,
    fineLayers: size.layers,
    offsetX,
    offsetY,
    offsetZ,
    wall,
    core,
    deepest: maxDepth(levels),
    blockDiagonal: BLOCK_DIAGONAL,
  });
  const first = offsetZ / 2;
  const end = first + Math.ceil(size.layers / 2) + 1;
  fillCoarseDepths(kernel, coarse.rows, first, end, exactFrom, limit, progress.part(0.4, 0.7));
  fillFineDepths(kernel, size.layers, progress.part(0.7, 1));
  const { memory, offsets, blockCount, ridgeCount } = kernel;
  return {
    ...size,
    values: new Float32Array(memory.buffer, offsets.values, voxelCount(size)),
    blocks: new Uint32Array(memory.buffer, offsets.blocks, blockCount.value),
    ridges: new Uint32Array(memory.buffer, offsets.ridges, ridgeCount.value),
  };
}

/**
 * Numbers of fine voxels from the first coarse voxel to the window; even. The coarse grid contains the surface and
 * everything on which depths depend.
 */
function coarseOffset({ margin, from }: DepthWindow, levels: DepthLevels): Vec3 {
  const aside = 2 * Math.ceil(margin / 2 + 1);
  const below = Math.min(2 * Math.ceil(depthReach(levels) / 2), 2 * Math.ceil(from / 2 + 1));
  return [aside, aside, below];
}

/**
 * Fills the coarse layers `from` up to `to`: exact depths where the nearest seed is between `exactFrom` and `limit`
 * voxels away.
 */
export function fillCoarseDepths(
  { TILE, fillCoarseRow }: DepthKernel,
  rows: number,
  from: number,
  to: number,
  exactFrom: number,
  limit: number,
  progress: Progress,
): void {
  for (let z = from; z < to; z += TILE.value) {
    for (let y = 0; y < rows; y += TILE.value) {
      progress.report((z - from + (TILE.value * y) / rows) / (to - from));
      fillCoarseRow(y, z, to, exactFrom, limit);
    }
  }
}

/** Fills the fine layers from the coarse depths. */
export function fillFineDepths(kernel: DepthKernel, layers: number, progress: Progress): void {
  for (let z = 0; z < layers; z += 2) {
    progress.report((2 / 3) * (z / layers));
    kernel.interpolateLayer(z);
  }
  const { value: count } = kernel.unsureCount;
  for (let from = 0; from < count; from += BLOCKS_PER_REPORT) {
    progress.report(2 / 3 + from / count / 3);
    kernel.refineUnsure(from, Math.min(count, from + BLOCKS_PER_REPORT));
  }
  kernel.clearSigns();
}
