/**
 * Widths and depths of the cages that are tried for the least volume, in sides of a cube of that volume; the last is the whole
 * footprint of the chamber. Of 15 that were measured on four sets of 12 to 50 small parts, these had the best
 * of each.
 */
export const CAGE_FOOTPRINTS = [
  [1, 0.8],
  [1.2, 0.8],
  [1.3, 0.9],
  [1.5, 1],
  [1.7, 1.1],
  [1.5, 0.7],
  [2.4, 1],
  [Infinity, Infinity],
] as const;
