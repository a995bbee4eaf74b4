import { getOrInsert, memoize } from "../core/memoize.ts";
import { moveToSharedMemory } from "../core/typed-arrays.ts";
import type { PartShape } from "./part-shape.ts";
import { type Surfels, surfelsOf } from "./surfels.ts";

/** Cells along a part for rough costs: some thousand surfels of a usual part, which give costs to some percent. */
export const COARSE_CELLS = 14;
/** Cells along a part for exact costs: surfels of at most 2.5 mm on a part of 100 mm. */
export const FINE_CELLS = 40;
/** Cells along a part for the estimate of hold. */
export const HOLD_CELLS = 7;

const surfelsByCells = memoize(({ surfels }: PartShape) => new Map(surfels.map((made) => [made.cells, made])));

/** The surfels of a part with this number of cells along it, made once. */
export const partSurfels = (shape: PartShape, cells: number): Surfels =>
  getOrInsert(surfelsByCells(shape), cells, () => surfelsOf(shape.surface, shape.axes, cells));

/** {@link partSurfels} in memory that threads share. */
export function sharedSurfels(shape: PartShape, cells: number): Surfels {
  const made = partSurfels(shape, cells);
  return { ...made, values: moveToSharedMemory(made.values) };
}
