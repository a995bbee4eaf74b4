/** Rectangles side by side in rows. */
export interface Shelves {
  /** Corner of each rectangle with the least coordinates: along the rows and across them, both from 0. */
  readonly places: readonly (readonly [alongMm: number, acrossMm: number])[];
  /** Size of all rows across them. */
  readonly acrossMm: number;
}

/**
 * Puts rectangles into rows of at most `rowMm`, `gapMm` apart, those that are largest across the rows first. A rectangle that is longer than a
 * row has one of its own. Sizes are along the rows and across them, mm.
 */
export function shelve(
  sizes: readonly (readonly [alongMm: number, acrossMm: number])[],
  rowMm: number,
  gapMm: number,
): Shelves {
  const places: [number, number][] = sizes.map(() => [0, 0]);
  const order = [...sizes.entries()].toSorted(([, a], [, b]) => b[1] - a[1]);
  let [along, across, depth] = [0, 0, 0];
  for (const [i, [length, width]] of order) {
    if (along > 0 && along + length > rowMm) [along, across, depth] = [0, across + depth + gapMm, 0];
    places[i] = [along, across];
    along += length + gapMm;
    depth = Math.max(depth, width);
  }
  return { places, acrossMm: across + depth };
}
