import { boxVolume } from "../geometry/box.ts";
import type { PlacedMesh } from "../mesh/placed-mesh.ts";

/** Smallest size of the cells on which places are searched, mm. */
const MIN_CELL_MM = 1;
/** Maximum number of cells of the box of the largest part: larger parts get larger cells. */
const MAX_PART_CELLS = 300_000;
/** Cells are no larger than this share of the spacing: moves from cell to cell then touch nothing on the way. */
const CELLS_PER_SPACING = 2;
/** Size of the cells for these parts, mm. */
export function cellMmFor(parts: readonly PlacedMesh[], spacingMm: number): number {
  const largest = parts.reduce((most, { mesh, pose }) => Math.max(most, boxVolume(mesh.box) * pose.scale ** 3), 0);
  const wanted = Math.cbrt(largest / MAX_PART_CELLS);
  // Rounded: engines may differ in the last bits of roots.
  return Math.max(MIN_CELL_MM, Math.min(Math.round(100 * wanted) / 100, spacingMm / CELLS_PER_SPACING));
}
