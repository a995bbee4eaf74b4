/**
 * Widths and depths of the cages that are tried for the least volume, in sides of a cube of that volume; the last is the whole
 * footprint of the chamber. Of ten that were measured on 50 small parts these came within 3 % of the best.
 */
export const CAGE_FOOTPRINTS = [
  [0.8, 0.8],
  [1.2, 0.8],
  [1.5, 1],
  [1.9, 1.25],
  [Infinity, Infinity],
] as const;
