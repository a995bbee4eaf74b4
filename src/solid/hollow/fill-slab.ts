import type { Watch } from "../../core/watch.ts";
import { blockNumbers, type Field } from "../../mesh/voxel/field.ts";
import { besideOf, depthsIn } from "./depths/depths.ts";
import type { HollowPlan } from "./hollow-plan.ts";
import { deepestOf, type Depths, type Levels } from "./levels.ts";
import { opened } from "./opened.ts";

/** The field's values to a voxel. */
const STEPS = 32_767;

/**
 * Fills a slab of a plan's field in, with those of its blocks that are crossed: what is a wall from the surface, without what
 * a ball as large as a feature does not fit into. No cavity reaches the sides of the field.
 */
export function fillSlab(plan: HollowPlan, slab: number, watch: Watch): void {
  const { request, lattice, levels, margin, field, bounds } = plan;
  const [from, to] = [bounds[slab]!, bounds[slab + 1]!];
  const first = Math.max(0, from - besideOf(levels));
  const end = Math.min(field.layers, to + besideOf(levels));
  const part = { margin, from: first + margin, to: end + margin };
  const depths = depthsIn(request.mesh, lattice, part, levels, watch.part(0, 0.8));
  fill(field, from, to, depths, first, levels, watch.part(0.8, 1));
  closeSides(field, from, to);
}

/** Fills layers of the field in from the depths, whose first layer is the field's layer `first`. */
function fill(
  field: Field,
  from: number,
  to: number,
  depths: Depths,
  first: number,
  levels: Levels,
  watch: Watch,
): void {
  const { columns, rows, values, isCrossed } = field;
  const valueOf = opened(depths, levels, watch.part(0, 0.7));
  const layer = columns * rows;
  const below = first * layer;
  const deepest = deepestOf(levels);
  const stepsOf = (voxel: number): number => Math.max(-STEPS, Math.min(STEPS, Math.floor(valueOf(voxel) * STEPS)));
  const filling = watch.part(0.7, 1);
  for (let z = from; z < to; z++) {
    filling.report((z - from) / (to - from));
    for (let voxel = z * layer; voxel < (z + 1) * layer; voxel++) {
      const depth = depths.values[voxel - below];
      values[voxel] = depth <= levels.wall - 1 ? -STEPS : depth === deepest ? STEPS : stepsOf(voxel - below);
    }
  }
  const numberOf = blockNumbers(field);
  for (let b = 0; b < depths.blocks.length; b++) {
    const voxel = depths.blocks[b] + below;
    if (voxel >= from * layer && voxel < to * layer) isCrossed[numberOf(voxel)] = 1;
  }
}

function closeSides({ columns, rows, layers, values }: Field, from: number, to: number): void {
  for (let z = from; z < to; z++) {
    for (let y = 0; y < rows; y++) {
      const row = (z * rows + y) * columns;
      const isSide = z === 0 || z + 1 === layers || y === 0 || y + 1 === rows;
      if (isSide) values.fill(-STEPS, row, row + columns);
      values[row] = -STEPS;
      values[row + columns - 1] = -STEPS;
    }
  }
}
