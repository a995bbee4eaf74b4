/** Widths and depths of the cages that are tried for the least volume, in sides of a cube of that volume. */
export const CAGE_FOOTPRINTS = [
  [0.8, 0.8],
  [1, 1],
  [1.25, 1.25],
  [1.6, 1.6],
  [1.2, 0.8],
  [1.5, 1],
  [1.9, 1.25],
  [1.5, 0.7],
] as const;
