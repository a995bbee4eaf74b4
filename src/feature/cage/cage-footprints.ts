/**
 * Widths and depths of the cages to try for the least volume, relative to the side of a cube of that volume; Infinity is the size of
 * the chamber. Chosen from 15 footprints, measured on four sets of 12 to 50 small parts: the best of each set, with the best on
 * average first.
 */
const FOOTPRINTS = [
  [1.2, 0.8],
  [Infinity, Infinity],
  [1.7, 1.1],
  [1, 0.8],
  [1.5, 1],
  [1.3, 0.9],
  [1.5, 0.7],
  [2.4, 1],
] as const;

/** Total number of parts packed in all attempts: many parts are packed on two footprints only, since that takes long. */
const MAX_PACKED = 400;

/** The footprints to try for a number of parts. */
export const cageFootprints = (parts: number): readonly (readonly [width: number, depth: number])[] =>
  FOOTPRINTS.slice(0, Math.max(2, Math.floor(MAX_PACKED / Math.max(1, parts))));
