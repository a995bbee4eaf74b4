import type { Vec3 } from "../../core/geometry.ts";
import type { Watch } from "../../core/watch.ts";
import type { Surface } from "../../mesh/mesh.ts";
import { voxelCount } from "../../mesh/voxel/grid-size.ts";
import { type Lattice, partOf } from "../../mesh/voxel/lattice.ts";
import { coarseDepths } from "./coarse-depths.ts";
import { interpolate } from "./interpolate.ts";
import { BLOCK, type Depths, type Levels } from "./levels.ts";
import { sharpen } from "./sharpen.ts";

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

/** Depths are worked out on a lattice of twice the distance first, and on the fine one beside the levels alone. */
export function depthsIn(surface: Surface, lattice: Lattice, part: Part, levels: Levels, watch: Watch): Depths {
  const { margin, from, to } = part;
  const size = { columns: lattice.columns - 2 * margin, rows: lattice.rows - 2 * margin, layers: to - from };
  const offset = offsetOf(part, levels);
  const coarseSize = {
    columns: Math.ceil((lattice.columns - margin + offset[0]) / 2) + 2,
    rows: Math.ceil((lattice.rows - margin + offset[1]) / 2) + 2,
    layers: Math.ceil((Math.min(lattice.layers + 1, to + reachOf(levels)) - from + offset[2]) / 2) + 1,
  };
  const first = [margin - offset[0], margin - offset[1], from - offset[2]] as const;
  const coarse: Lattice = { ...partOf(lattice, first, coarseSize), voxelMm: 2 * lattice.voxelMm };
  const { wall, core } = levels;
  const asked = { from: offset[2] / 2, to: offset[2] / 2 + Math.ceil(size.layers / 2) + 1 };
  const found = coarseDepths(surface, coarse, asked, (wall - BLOCK) / 2, (core + BLOCK) / 2, watch.part(0, 0.6));
  const values = new Float32Array(voxelCount(size));
  const blocks = interpolate(found, coarse, size, offset, levels, values, watch.part(0.6, 0.8));
  const depths = { ...size, values, ...blocks };
  sharpen(found, depths, offset, levels, watch.part(0.8, 1));
  return depths;
}

/** Voxels from the first of the coarse lattice to that of the part, even: the part's surface and what its depths depend on are in. */
function offsetOf({ margin, from }: Part, levels: Levels): Vec3 {
  const beside = 2 * Math.ceil(margin / 2 + 1);
  const below = Math.min(2 * Math.ceil(reachOf(levels) / 2), 2 * Math.ceil(from / 2 + 1));
  return [beside, beside, below];
}
