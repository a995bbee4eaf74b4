/**
 * Widths and depths of the cages that are tried for the least volume, in sides of a cube of that volume. Of eight that were measured
 * on 50 small parts these came within 2 % of the best; the others took as long again.
 */
export const CAGE_FOOTPRINTS = [
  [0.8, 0.8],
  [1.2, 0.8],
  [1.5, 1],
  [1.25, 1.25],
] as const;
