import type { Progress } from "../core/progress.ts";
import type { GridSize } from "../geometry/distance-transform.ts";
import type { OrientedShape } from "./oriented-shape.ts";

/** Runs of up to 2^LEVELS − 1 … cells are tested by two looks. */
const LEVELS = 8;

/**
 * The cells of a chamber that no part may cover, as bits along x. Level k has at cell x whether any of the cells x to x + 2^k − 1 is
 * blocked: two looks tell whether a run of cells is free (the sparse table of M. Bender, M. Farach-Colton, 2000).
 */
export interface Tray extends GridSize {
  /** 32-bit words of a row. */
  readonly words: number;
  /** Words of a level: row (y, z) begins at (z · rows + y) · words. */
  readonly levelWords: number;
  readonly bits: Int32Array;
  /** Height above the highest blocked cell of each column (x, y) at y · columns + x. */
  readonly tops: Int32Array;
}

export function newTray({ columns, rows, layers }: GridSize): Tray {
  const words = (columns >> 5) + 2;
  const levelWords = words * rows * layers;
  // Looks to the right of a row read a few words of the next: the result is not used, the memory must be there.
  const bits = new Int32Array(LEVELS * levelWords + 2 * words);
  return { columns, rows, layers, words, levelWords, bits, tops: new Int32Array(columns * rows) };
}

export const copyTray = (tray: Tray): Tray => ({ ...tray, bits: tray.bits.slice(), tops: tray.tops.slice() });

/** Blocks the cells x to x + length − 1 of a row. Levels above the first are stale until {@link updateRows}. */
export function blockCells({ bits, words, rows, columns, tops }: Tray, x: number, y: number, z: number): void {
  bits[(z * rows + y) * words + (x >> 5)] |= 1 << (x & 31);
  const column = y * columns + x;
  if (tops[column] <= z) tops[column] = z + 1;
}

/** Brings the higher levels of the rows from `y0`, `z0` up to `y1`, `z1` (exclusive) up to date. */
export function updateRows(
  { bits, words, rows, levelWords }: Tray,
  y0: number,
  y1: number,
  z0: number,
  z1: number,
): void {
  for (let level = 1; level < LEVELS; level++) {
    const step = 1 << (level - 1);
    const skip = step >> 5;
    const shift = step & 31;
    for (let z = z0; z < z1; z++) {
      for (let y = y0; y < y1; y++) {
        const from = (level - 1) * levelWords + (z * rows + y) * words;
        const to = from + levelWords;
        for (let w = 0; w < words; w++) {
          const low = w + skip < words ? bits[from + w + skip] : 0;
          const high = w + skip + 1 < words ? bits[from + w + skip + 1] : 0;
          bits[to + w] = bits[from + w] | (shift === 0 ? low : (low >>> shift) | (high << (32 - shift)));
        }
      }
    }
  }
}

/** An oriented shape as the looks at a tray that test it: word offsets and shifts of two looks for each run. */
export interface Looks {
  readonly shape: OrientedShape;
  readonly looks: Int32Array;
}

export function looksOf(tray: Tray, shape: OrientedShape): Looks {
  const { runs } = shape;
  const looks = new Int32Array(runs.length);
  for (let at = 0; at < runs.length; at += 4) {
    const [x, y, z, length] = runs.subarray(at, at + 4);
    const level = 31 - Math.clz32(length);
    const row = level * tray.levelWords + (z * tray.rows + y) * tray.words;
    const second = x + length - (1 << level);
    looks[at] = row + (x >> 5);
    looks[at + 1] = x & 31;
    looks[at + 2] = row + (second >> 5);
    looks[at + 3] = second & 31;
  }
  return { shape, looks };
}

/** The cell at which the box of covered cells begins. */
export interface Place {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/** Whether a place may be taken. */
export interface Exits {
  /** Quick: false where it cannot be. */
  readonly isPossible: (x: number, y: number, z: number) => boolean;
  readonly isSure: (place: Place) => boolean;
}

/** After so many looks what is still free in a row is screened, since rows with a free place take hundreds of looks. */
const SCREENED_AT = 4 * 12;

let blocked = new Int32Array(16);

/**
 * The first free place of a shape that is accepted, in the order of z, y, x, from the place `from` on and below the layer `end`; undefined
 * where there is none.
 */
export function findPlace(
  tray: Tray,
  { shape, looks }: Looks,
  from: Place,
  end: number,
  exits: Exits,
  progress: Progress,
): Place | undefined {
  const { bits, words, rows } = tray;
  const [lastX, lastY] = [tray.columns - shape.columns, tray.rows - shape.rows];
  if (lastX < 0 || lastY < 0) return undefined;
  if (blocked.length < words) blocked = new Int32Array(words);
  const used = (lastX >> 5) + 1;
  const zEnd = Math.min(end, tray.layers - shape.layers + 1);
  for (let z = from.z; z < zEnd; z++) {
    progress.report(0);
    for (let y = z === from.z ? from.y : 0; y <= lastY; y++) {
      const row = (z * rows + y) * words;
      for (let w = 0; w < used; w++) blocked[w] = 0;
      if (z === from.z && y === from.y) blockBefore(from.x);
      if ((lastX & 31) !== 31) blocked[used - 1] |= -1 << ((lastX & 31) + 1);
      // Words outside of these have no free place any more.
      let low = 0;
      let high = used;
      let isAnyFree = true;
      for (let at = 0; at < looks.length && isAnyFree; at += 4) {
        const a = row + looks[at];
        const s = looks[at + 1];
        const b = row + looks[at + 2];
        const t = looks[at + 3];
        for (let w = low; w < high; w++) {
          // A shift by 32 is one by 0 here: the next word is shifted by 1 first.
          blocked[w] |=
            (bits[a + w] >>> s) |
            ((bits[a + w + 1] << 1) << (31 - s)) |
            (bits[b + w] >>> t) |
            ((bits[b + w + 1] << 1) << (31 - t));
        }
        while (low < high && blocked[low] === -1) low++;
        while (low < high && blocked[high - 1] === -1) high--;
        isAnyFree = low < high;
        if (isAnyFree && at === SCREENED_AT) isAnyFree = screenRow(used, y, z, exits.isPossible);
      }
      if (!isAnyFree) continue;
      for (let w = low; w < high; w++) {
        for (let free = ~blocked[w]; free !== 0; free &= free - 1) {
          const place = { x: 32 * w + 31 - Math.clz32(free & -free), y, z };
          if (exits.isSure(place)) return place;
        }
      }
    }
  }
  return undefined;
}

/** Blocks the free places of a row that cannot be taken; returns whether any is left. */
function screenRow(words: number, y: number, z: number, isPossible: Exits["isPossible"]): boolean {
  let isAnyLeft = false;
  for (let w = 0; w < words; w++) {
    for (let free = ~blocked[w]; free !== 0; free &= free - 1) {
      const bit = free & -free;
      if (isPossible(32 * w + 31 - Math.clz32(bit), y, z)) isAnyLeft = true;
      else blocked[w] |= bit;
    }
  }
  return isAnyLeft;
}

function blockBefore(x: number): void {
  const word = x >> 5;
  for (let w = 0; w < word && w < blocked.length; w++) blocked[w] = -1;
  if (word < blocked.length) blocked[word] |= (1 << (x & 31)) - 1;
}

/** Whether a shape is free at one place. */
export function isFree({ bits, words, rows }: Tray, { looks }: Looks, { x, y, z }: Place): boolean {
  const row = (z * rows + y) * words;
  for (let at = 0; at < looks.length; at += 4) {
    const one = x + looks[at + 1];
    if ((bits[row + looks[at] + (one >> 5)] >>> (one & 31)) & 1) return false;
    const other = x + looks[at + 3];
    if ((bits[row + looks[at + 2] + (other >> 5)] >>> (other & 31)) & 1) return false;
  }
  return true;
}
