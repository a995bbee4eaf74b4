import { type Mask, runsOf } from "./mask.ts";

/** The places of a part on the pixels of a floor: 1 where it would surely stand too close to something. */
export interface BlockedPlaces {
  readonly columns: number;
  readonly rows: number;
  /** Words a row. */
  readonly words: number;
  readonly bits: Uint32Array;
}

export function newBlockedPlaces(columns: number, rows: number): BlockedPlaces {
  const words = (columns + 31) >> 5;
  return { columns, rows, words, bits: new Uint32Array(rows * words) };
}

export const isBlocked = ({ words, bits }: BlockedPlaces, column: number, row: number): boolean =>
  ((bits[row * words + (column >> 5)] >>> (column & 31)) & 1) === 1;

/** Blocks the places of a square of pixels about one. */
export function blockAbout(places: BlockedPlaces, column: number, row: number, radius: number): void {
  const [left, right] = [Math.max(0, column - radius), Math.min(places.columns - 1, column + radius)];
  for (let y = Math.max(0, row - radius); y <= Math.min(places.rows - 1, row + radius); y++) {
    for (let x = left; x <= right; x++) places.bits[y * places.words + (x >> 5)] |= 1 << (x & 31);
  }
}

type Run = readonly [start: number, end: number];

/** The pixels of a part as runs: of some of its rows, the columns of each run, from the first to the one after the last. */
export interface Profile {
  readonly runs: readonly (readonly [row: number, line: readonly Run[]])[];
  readonly longest: number;
}

/**
 * Every `stride`-th row of a part's mask, those at its ends, and those where runs begin, end, part or join. Between them, an
 * obstacle more than `stride` pixels high can come in by no more than about a pixel.
 */
export function profileOf(mask: Mask, stride: number): Profile {
  const lines = Array.from({ length: mask.rows }, (_, row) => runsOf(mask, row));
  const countAt = (row: number): number => lines[row]?.length ?? 0;
  const runs = lines.flatMap((line, row): Profile["runs"][number][] => {
    const changes = countAt(row - 1) !== line.length || countAt(row + 1) !== line.length;
    if (line.length === 0 || (row % stride !== 0 && !changes)) return [];
    return [[mask.row + row, line.map(([start, end]): Run => [mask.column + start, mask.column + end])]];
  });
  return { runs, longest: Math.max(0, ...runs.flatMap(([, line]) => line.map(([start, end]) => end - start))) };
}

/**
 * Blocks every place at which a pixel of the part is one of the obstacle. Pixels of the part are those where its place is the corner
 * of the grid. A run of the part's row hits a pixel of the obstacle from as many places in a row as it is long:
 * rows of the obstacle, widened by doubling, are put into the map as they are.
 */
export function block(places: BlockedPlaces, part: Profile, obstacle: Mask): void {
  const { runs, longest } = part;
  const levels = longest > 0 ? 32 - Math.clz32(longest) : 0;
  // Widening moves bits to the left by less than `spare` words.
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
      orMoved(widened[level], 0, width, widened[level - 1], -(1 << (level - 1)));
    }
    for (const [partRow, line] of runs) {
      const placeRow = obstacle.row + row - partRow;
      if (placeRow < 0 || placeRow >= places.rows) continue;
      for (const [start, end] of line) {
        const level = 31 - Math.clz32(end - start);
        const move = obstacle.column - 32 * spare - start;
        orMoved(places.bits, placeRow * places.words, places.words, widened[level], move);
        orMoved(
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

/** Adds the bits of `source`, each moved by `move`, to the `words` words of `target` from `first` on; those outside are lost. */
function orMoved(target: Uint32Array, first: number, words: number, source: Uint32Array, move: number): void {
  const shift = move & 31;
  const offset = (move - shift) >> 5;
  const from = Math.max(0, -offset - 1);
  const to = Math.min(source.length, words - offset);
  for (let i = from; i < to; i++) {
    const bits = source[i];
    if (bits === 0) continue;
    const at = i + offset;
    if (at >= 0 && at < words) target[first + at] |= bits << shift;
    if (shift > 0 && at + 1 >= 0 && at + 1 < words) target[first + at + 1] |= bits >>> (32 - shift);
  }
}
