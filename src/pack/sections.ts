import type { OrientedShape } from "./oriented-shape.ts";

/**
 * The sintered sections of a chamber. Layers with much more area than others, and large level faces, gather heat and warp the parts: makers
 * advise to place such parts so that the area of a layer stays small and changes slowly (Sinterit, "How to orientate models in SLS 3D
 * printing"). The score of a place has terms for that. Areas are in cells.
 */
export interface SinteredSections {
  /** Covered cells of each layer of the chamber. */
  readonly areas: Int32Array;
  /** Area of each layer if all parts were spread evenly over their expected height. */
  readonly evenArea: number;
}

/** Volumes of parts, mm³: covered, covered and grown by half the spacing, and boxes grown likewise. */
export interface Bulk {
  readonly coveredMm3: number;
  readonly grownMm3: number;
  readonly boxMm3: number;
}

/**
 * The share of the chamber, up to the height reached, that parts take, if their volume counts as the geometric mean of their grown volume
 * and that of their grown boxes. Measured: 0.66 to 0.72 over five sets of gears, brackets, plates, cuboids and mixtures, 2 mm apart.
 */
const PACKED_SHARE = 0.7;

/** The empty sections of a chamber of `layers` layers of `layerCells` cells, for parts that will take `bulks`. */
export function noSections(layers: number, layerCells: number, bulks: readonly Bulk[]): SinteredSections {
  const total = (of: (bulk: Bulk) => number): number => bulks.reduce((sum, bulk) => sum + of(bulk), 0);
  const packed = Math.sqrt(total(({ grownMm3 }) => grownMm3) * total(({ boxMm3 }) => boxMm3));
  const evenShare = (PACKED_SHARE * total(({ coveredMm3 }) => coveredMm3)) / packed;
  return { areas: new Int32Array(layers), evenArea: layerCells * evenShare };
}

/**
 * Cells of height by which a level face is penalised, for each cell of the side of a square of its area: about twice the height that a tilt
 * by 10° costs, which lifts the top of a square by sin 10° sides and its centroid by half of that.
 */
const LEVEL_WEIGHT = 0.25;

// The weights below are measured: on sets of corpus bodies, plates and cuboids, larger ones cost more height than they take from the
// largest section and from the steepest jump, smaller ones leave these near those of packing by height alone.

/** Area of a layer, in even areas, beyond which it is too large. */
const LARGE = 1.3;
/** Cells of height that equal a part which is completely in layers that are too large. */
const LARGE_WEIGHT = 60;
/** Cells of height that a jump by an even area is worth. */
const JUMP_WEIGHT = 20;

/** Penalty of an orientation by itself: the largest level face, an estimate of the steepest jump of its sections. In cells of height. */
export const levelPenalty = (shape: OrientedShape): number => LEVEL_WEIGHT * Math.sqrt(steepestJump(shape));

/** The largest change of area from layer to layer of a shape, its bottom and its top included, in cells. */
export function steepestJump({ areas }: OrientedShape): number {
  let steepest = 0;
  for (let k = 0; k <= areas.length; k++) {
    steepest = Math.max(steepest, Math.abs((areas[k] ?? 0) - (areas[k - 1] ?? 0)));
  }
  return steepest;
}

/**
 * Penalty of a shape whose lowest layer is `z`: the fraction of it in layers that are too large, and by how much it raises the sum of
 * the squares of the jumps from layer to layer. In cells of height, at least 0.
 */
export function sectionPenalty({ areas, evenArea }: SinteredSections, shape: OrientedShape, z: number): number {
  const limit = LARGE * evenArea;
  let [volume, excess, squares] = [0, 0, 0];
  let [below, ownBelow] = [areas[z - 1] ?? 0, 0];
  for (let k = 0; k <= shape.layers; k++) {
    const there = areas[z + k] ?? 0;
    const own = shape.areas[k] ?? 0;
    volume += own;
    excess += Math.max(0, Math.min(own, there + own - limit));
    squares += (there + own - below - ownBelow) ** 2 - (there - below) ** 2;
    [below, ownBelow] = [there, own];
  }
  return Math.max(0, (LARGE_WEIGHT * excess) / volume + (JUMP_WEIGHT * squares) / evenArea ** 2);
}

/** The sections once a shape is placed with its lowest layer at `z`. */
export function addShape(sections: SinteredSections, shape: OrientedShape, z: number): SinteredSections {
  const areas = sections.areas.slice();
  for (let k = 0; k < shape.layers; k++) if (z + k >= 0 && z + k < areas.length) areas[z + k] += shape.areas[k];
  return { ...sections, areas };
}
