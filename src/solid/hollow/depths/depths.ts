import type { Vec3 } from "../../../core/geometry.ts";
import type { Watch } from "../../../core/watch.ts";
import type { Surface } from "../../../mesh/mesh.ts";
import { voxelCount } from "../../../mesh/voxel/grid-size.ts";
import { type Lattice, partOf } from "../../../mesh/voxel/lattice.ts";
import { BLOCK, deepestOf, type Depths, type Levels } from "../levels.ts";
import { type Kernel, newKernel } from "./kernel.ts";
import { seededLattice } from "./seeded.ts";

/** The part of a lattice that depths are wanted of: without so many voxels at its four sides, layers `from` up to `to`. */
export interface Part {
  readonly margin: number;
  readonly from: number;
  readonly to: number;
}

/** How many layers above and below a part its depths depend on: a seed of the coarse lattice reaches half a block's diagonal. */
const reachOf = ({ core }: Levels): number => Math.ceil(core + 3 * BLOCK);

/** How many layers above and below a slab its cavity depends on, even; the core's ball and what its vertices may add. */
export const besideOf = ({ wall, core }: Levels): number => 2 * Math.ceil((core - wall) / 2) + 4;

/** What touches a voxel is no farther from its middle: half its diagonal, and what rounding may add. */
const HALF_DIAGONAL = 0.87;

const UNSURE_PER_REPORT = 4096;

/** Depths are worked out on a lattice of twice the distance first, and on the fine one beside the levels alone. */
export function depthsIn(surface: Surface, lattice: Lattice, part: Part, levels: Levels, watch: Watch): Depths {
  const { margin, from, to } = part;
  const { wall, core } = levels;
  const size = { columns: lattice.columns - 2 * margin, rows: lattice.rows - 2 * margin, layers: to - from };
  const [offsetX, offsetY, offsetZ] = offsetOf(part, levels);
  const coarse: Lattice = {
    ...partOf(lattice, [margin - offsetX, margin - offsetY, from - offsetZ], {
      columns: Math.ceil((lattice.columns - margin + offsetX) / 2) + 2,
      rows: Math.ceil((lattice.rows - margin + offsetY) / 2) + 2,
      layers: Math.ceil((Math.min(lattice.layers + 1, to + reachOf(levels)) - from + offsetZ) / 2) + 1,
    }),
    voxelMm: 2 * lattice.voxelMm,
  };
  const limit = (core + BLOCK) / 2 + HALF_DIAGONAL;
  const kernel = newKernel(seededLattice(surface, coarse, limit, watch.part(0, 0.4)), {
    fineColumns: size.columns,
    fineRows: size.rows,
    fineLayers: size.layers,
    offsetX,
    offsetY,
    offsetZ,
    wall,
    core,
    deepest: deepestOf(levels),
    blockDiagonal: BLOCK,
  });
  const first = offsetZ / 2;
  const end = first + Math.ceil(size.layers / 2) + 1;
  fillCoarse(kernel, coarse.rows, first, end, (wall - BLOCK) / 2 - HALF_DIAGONAL, limit, watch.part(0.4, 0.7));
  interpolate(kernel, size.layers, watch.part(0.7, 0.9));
  sharpen(kernel, watch.part(0.9, 1));
  const { buffer } = kernel.memory;
  return {
    ...size,
    values: new Float32Array(buffer, kernel.at.values, voxelCount(size)),
    blocks: new Uint32Array(buffer, kernel.at.blocks, kernel.blockCount.value),
    ridges: new Uint32Array(buffer, kernel.at.ridges, kernel.ridgeCount.value),
  };
}

/** Voxels from the first of the coarse lattice to that of the part, even: the part's surface and what its depths depend on are in. */
function offsetOf({ margin, from }: Part, levels: Levels): Vec3 {
  const beside = 2 * Math.ceil(margin / 2 + 1);
  const below = Math.min(2 * Math.ceil(reachOf(levels) / 2), 2 * Math.ceil(from / 2 + 1));
  return [beside, beside, below];
}

/** Depths of the coarse lattice's layers `from` up to `to`, exact where the nearest seed is between `exactFrom` and `limit` voxels off. */
export function fillCoarse(
  { TILE, fillRow }: Kernel,
  rows: number,
  from: number,
  to: number,
  exactFrom: number,
  limit: number,
  watch: Watch,
): void {
  for (let z = from; z < to; z += TILE.value) {
    for (let y = 0; y < rows; y += TILE.value) {
      watch.report((z - from + (TILE.value * y) / rows) / (to - from));
      fillRow(y, z, to, exactFrom, limit);
    }
  }
}

function interpolate({ interpolateLayer }: Kernel, layers: number, watch: Watch): void {
  for (let z = 0; z < layers; z += 2) {
    watch.report(z / layers);
    interpolateLayer(z);
  }
}

function sharpen(kernel: Kernel, watch: Watch): void {
  const { value: count } = kernel.unsureCount;
  for (let from = 0; from < count; from += UNSURE_PER_REPORT) {
    watch.report(from / count);
    kernel.sharpen(from, Math.min(count, from + UNSURE_PER_REPORT));
  }
  kernel.settle();
}
