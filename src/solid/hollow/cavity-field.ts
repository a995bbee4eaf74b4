import type { Watch } from "../../core/watch.ts";
import type { Surface } from "../../mesh/mesh.ts";
import { blocksAlong, type Field } from "../../mesh/voxel/field.ts";
import { type GridSize, voxelCount } from "../../mesh/voxel/grid-size.ts";
import { type Lattice, partOf } from "../../mesh/voxel/lattice.ts";
import { depthsIn, reachOf } from "./depths.ts";
import type { Depths, Levels } from "./levels.ts";
import { opened } from "./opened.ts";

/** The field's values to a voxel. */
const STEPS = 32_767;

/** Voxels that are worked on at once; about 10 bytes belong to each. */
const VOXELS_AT_ONCE = 4e7;
const LEAST_LAYERS = 16;

/** Levels are put as much lower, in voxels, so that rounding does not scatter voxels that lie on one to either side. */
const LOWERED = 1e-4;

/**
 * How far voxels lie in the cavity of a solid: what is `wallMm` from the surface, without what a ball of the diameter `featureMm`
 * does not fit into. The lattice is over the solid's box, the field over the part of it that can be deep enough; undefined
 * where there is none. Works in slabs of layers, each with those around it that it depends on.
 */
export function cavityField(
  surface: Surface,
  lattice: Lattice,
  wallMm: number,
  featureMm: number,
  watch: Watch,
): Field | undefined {
  const { voxelMm, columns, rows, layers } = lattice;
  const wall = wallMm / voxelMm - LOWERED;
  const levels: Levels = { wall, core: wall + featureMm / 2 / voxelMm };
  const margin = Math.max(0, Math.floor(wall) - 1);
  const size = { columns: columns - 2 * margin, rows: rows - 2 * margin, layers: layers - 2 * margin };
  if (Math.min(size.columns, size.rows, size.layers) < 2) return undefined;
  const field: Field = {
    ...partOf(lattice, [margin, margin, margin], size),
    values: new Int16Array(voxelCount(size)).fill(-STEPS),
    isCrossed: new Uint8Array(blocksAlong(size.columns) * blocksAlong(size.rows) * blocksAlong(size.layers)),
  };
  // Even numbers of layers, so that blocks of the slabs are blocks of the field.
  const beside = 2 * Math.ceil((levels.core - wall) / 2) + 4;
  const atOnce = VOXELS_AT_ONCE / (columns * rows) - 2 * (beside + reachOf(levels));
  const thickness = 2 * Math.ceil(Math.max(LEAST_LAYERS, atOnce) / 2);
  for (let from = 0; from < size.layers; from += thickness) {
    const to = Math.min(size.layers, from + thickness);
    const slab = watch.part(from / size.layers, to / size.layers);
    const first = Math.max(0, from - beside);
    const end = Math.min(size.layers, to + beside);
    const part = { margin, from: first + margin, to: end + margin };
    const depths = depthsIn(surface, lattice, part, levels, slab.part(0, 0.8));
    fill(field, from, to, depths, first, levels, slab.part(0.8, 1));
  }
  closeSides(field);
  return field;
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
  const valueOf = opened(depths, levels, watch);
  const layer = columns * rows;
  const below = first * layer;
  for (let voxel = from * layer; voxel < to * layer; voxel++) {
    if (depths.values[voxel - below] <= levels.wall - 1) continue;
    values[voxel] = Math.max(-STEPS, Math.min(STEPS, Math.floor(valueOf(voxel - below) * STEPS)));
  }
  const [blocksX, blocksY] = [blocksAlong(columns), blocksAlong(rows)];
  for (const block of depths.blocks) {
    const row = Math.floor(block / columns);
    const z = first + Math.floor(row / rows);
    if (z < from || z >= to) continue;
    isCrossed[((z >> 1) * blocksY + ((row % rows) >> 1)) * blocksX + ((block - row * columns) >> 1)] = 1;
  }
}

/** No cavity reaches the sides of the field. */
function closeSides({ columns, rows, layers, values }: Pick<Field, "values"> & GridSize): void {
  for (let z = 0; z < layers; z++) {
    for (let y = 0; y < rows; y++) {
      const row = (z * rows + y) * columns;
      const isSide = z === 0 || z + 1 === layers || y === 0 || y + 1 === rows;
      if (isSide) values.fill(-STEPS, row, row + columns);
      values[row] = -STEPS;
      values[row + columns - 1] = -STEPS;
    }
  }
}
