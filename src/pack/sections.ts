import type { OrientedShape } from "./oriented-shape.ts";

/**
 * The sintered sections of a chamber. Layers with much more area than others, and large level faces, gather heat and warp the parts: makers
 * advise to place such parts so that the area of a layer stays small and changes slowly (Sinterit, "How to orientate models in SLS 3D
 * printing"). Terms of the score of a place honour that.
 */
export interface Sections {
  /** Covered cells of each layer of the chamber. */
  readonly areas: Int32Array;
  /** The largest of them, and the largest difference of neighbours. */
  readonly largest: number;
  readonly steepest: number;
  /** Cells of an empty layer. */
  readonly layerCells: number;
}

export const noSections = (layers: number, layerCells: number): Sections => ({
  areas: new Int32Array(layers),
  largest: 0,
  steepest: 0,
  layerCells,
});

/** Cells of height that a level face is worth for each cell of the side of a square of its area. */
const LEVEL_WEIGHT = 0.12;
/** Cells of height that a whole layer more in the largest section, or in the steepest jump, is worth. */
const SECTION_WEIGHT = 60;

/** Of an orientation alone: the largest level face, taken for the steepest jump of its sections. In cells of height. */
export function levelPenalty({ areas }: OrientedShape): number {
  let steepest = 0;
  for (let k = 0; k <= areas.length; k++) {
    steepest = Math.max(steepest, Math.abs((areas[k] ?? 0) - (areas[k - 1] ?? 0)));
  }
  return LEVEL_WEIGHT * Math.sqrt(steepest);
}

/** Of a shape whose lowest layer is `z`: what it adds to the largest section and to the steepest jump. In cells of height. */
export function sectionPenalty(sections: Sections, shape: OrientedShape, z: number): number {
  const { largest, steepest } = withShape(sections, shape, z);
  const growth = Math.max(0, largest - sections.largest) + Math.max(0, steepest - sections.steepest);
  return (SECTION_WEIGHT * growth) / sections.layerCells;
}

/** The largest section and the steepest jump in the layers of a shape and beside them. */
function withShape({ areas }: Sections, shape: OrientedShape, z: number): { largest: number; steepest: number } {
  let largest = 0;
  let steepest = 0;
  let below = areas[z - 1] ?? 0;
  for (let k = 0; k <= shape.layers; k++) {
    const area = (areas[z + k] ?? 0) + (shape.areas[k] ?? 0);
    if (k < shape.layers && area > largest) largest = area;
    if (z + k > 0 && Math.abs(area - below) > steepest) steepest = Math.abs(area - below);
    below = area;
  }
  return { largest, steepest };
}

/** The sections once a shape is placed with its lowest layer at `z`. */
export function addShape(sections: Sections, shape: OrientedShape, z: number): Sections {
  const { largest, steepest } = withShape(sections, shape, z);
  const areas = sections.areas.slice();
  for (let k = 0; k < shape.layers; k++) if (z + k >= 0 && z + k < areas.length) areas[z + k] += shape.areas[k];
  return {
    ...sections,
    areas,
    largest: Math.max(sections.largest, largest),
    steepest: Math.max(sections.steepest, steepest),
  };
}
