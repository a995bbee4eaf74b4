import { type BitMask, runsOf } from "./bit-mask.ts";

/**
 * A no-fit raster: one bit for each pixel at which a part may be positioned, 1 where it would certainly be too close to
 * an obstacle (Mundim, Andretta, Queiroz 2017, "A biased random key genetic algorithm for open dimension nesting
 * problems using no-fit raster").
 */
export interface NoFitRaster {
  readonly columns: number;
  readonly rows: number;
  /** Words per row. */
  readonly words: number;
  readonly bits: Uint32Array;
}

export function newNoFitRaster(columns: number, rows: number): NoFitRaster {
  const words = (columns + 31) >> 5;
  return { columns, rows, words, bits: new Uint32Array(rows * words) };
}

export const isBlocked = ({ words, bits }: NoFitRaster, column: number, row: number): boolean =>
  ((bits[row * words + (column >> 5)] >>> (column & 31)) & 1) === 1;

/** Blocks the square of pixels within `radius` of one. */
export function blockSquare(places: NoFitRaster, column: number, row: number, radius: number): void {
  const [left, right] = [Math.max(0, column - radius), Math.min(places.columns - 1, column + radius)];
  for (let y = Math.max(0, row - radius); y <= Math.min(places.rows - 1, row + radius); y++) {
    for (let x = left; x <= right; x++) places.bits[y * places.words + (x >> 5)] |= 1 << (x & 31);
  }
}

type Run = readonly [start: number, end: number];

/** Some rows of the pixels of a part as runs: the first column and the one after the last of each. */
export interface RunProfile {
  readonly runs: readonly (readonly [row: number, line: readonly Run[]])[];
  readonly longest: number;
}

/**
 * Every `stride`-th row of the mask of a part, its first and last rows, and the rows where runs begin, end, split or
 * join. An obstacle more than `stride` pixels high can enter between these rows by about one pixel at most.
 */
export function runProfile(mask: BitMask, stride: number): RunProfile {
  const lines = Array.from({ length: mask.rows }, (_, row) => runsOf(mask, row));
  const countAt = (row: number): number => lines[row]?.length ?? 0;
  const runs = lines.flatMap((line, row): RunProfile["runs"][number][] => {
    const changes = countAt(row - 1) !== line.length || countAt(row + 1) !== line.length;
    if (line.length === 0 || (row % stride !== 0 && !changes)) return [];
    return [[mask.row + row, line.map(([start, end]): Run => [mask.column + start, mask.column + end])]];
  });
  return { runs, longest: Math.max(0, ...runs.flatMap(([, line]) => line.map(([start, end]) => end - start))) };
}

/**
 * Blocks every position at which a pixel of the part is a pixel of the obstacle. The pixels of the part are those at
 * position (0, 0). A run of n pixels collides with one pixel of the obstacle at n consecutive positions: so the
 * obstacle's rows, widened by n pixels (by doubling), are copied into the raster.
 */
export function blockCollisions(places: NoFitRaster, part: RunProfile, obstacle: BitMask): void {
  const { runs, longest } = part;
  const levels = longest > 0 ? 32 - Math.clz32(longest) : 0;
  // Widening shifts bits to the left by less than `spare` words.
  const spare = ((longest + 31) >> 5) + 1;
  const width = obstacle.words + spare;
  const widened = Array.from({ length: levels }, () => new Uint32Array(width));
  for (let row = 0; row < obstacle.rows; row++) {
    const line = obstacle.bits.subarray(row * obstacle.words, (row + 1) * obstacle.words);
    if (levels === 0 || line.every((word) => word === 0)) continue;
    widened[0].fill(0);
    widened[0].set(line, spare);
    for (let level = 1; level < levels; level++) {
      widened[level].set(widened[level - 1]);
      orShifted(widened[level], 0, width, widened[level - 1], -(1 << (level - 1)));
    }
    for (const [partRow, line] of runs) {
      const placeRow = obstacle.row + row - partRow;
      if (placeRow < 0 || placeRow >= places.rows) continue;
      for (const [start, end] of line) {
        const level = 31 - Math.clz32(end - start);
        const move = obstacle.column - 32 * spare - start;
        orShifted(places.bits, placeRow * places.words, places.words, widened[level], move);
        orShifted(
          places.bits,
          placeRow * places.words,
          places.words,
          widened[level],
          move - (end - start - (1 << level)),
        );
      }
    }
  }
}

/**
 * Sets the bits of `source`, shifted by `move` columns, in the `words` words of `target` from `first` on; bits outside
 * are dropped.
 */
function orShifted(target: Uint32Array, first: number, words: number, source: Uint32Array, move: number): void {
  const shift = move & 31;
  const offset = (move - shift) >> 5;
  const from = Math.max(0, offset);
  const to = Math.min(words, source.length + offset + 1);
  // Each word takes the low bits of one word of the source and the high bits of the one before. `| 0` keeps them integers:
  // compiled code is up to three times as slow where it takes words for floating point numbers.
  let before = from > offset ? source[from - offset - 1] | 0 : 0;
  for (let at = from; at < to; at++) {
    const word = at - offset < source.length ? source[at - offset] | 0 : 0;
    const bits = (word << shift) | (shift > 0 ? before >>> (32 - shift) : 0);
    if (bits !== 0) target[first + at] |= bits;
    before = word;
  }
}
