import { ensureCapacity } from "../core/typed-arrays.ts";
import type { Segments } from "./outline-segments.ts";

/**
 * Segments cut at the borders of pixel rows. A piece runs from (x0, y0) to (x1, y1); y is relative to its row, from 0 at the
 * top to 1 at the bottom. The pieces of a row form a linked list: `heads[row]`, then `next[piece]`; −1 ends it.
 */
export interface RowPieces {
  count: number;
  x0: Float64Array<ArrayBuffer>;
  y0: Float64Array<ArrayBuffer>;
  x1: Float64Array<ArrayBuffer>;
  y1: Float64Array<ArrayBuffer>;
  models: Uint32Array<ArrayBuffer>;
  next: Int32Array<ArrayBuffer>;
  readonly heads: Int32Array<ArrayBuffer>;
  /** First row that has pieces, and the one after the last. */
  firstRow: number;
  endRow: number;
}

const NONE = -1;
const FIRST_CAPACITY = 8192;

export const newRowPieces = (rows: number): RowPieces => ({
  count: 0,
  x0: new Float64Array(FIRST_CAPACITY),
  y0: new Float64Array(FIRST_CAPACITY),
  x1: new Float64Array(FIRST_CAPACITY),
  y1: new Float64Array(FIRST_CAPACITY),
  models: new Uint32Array(FIRST_CAPACITY),
  next: new Int32Array(FIRST_CAPACITY),
  heads: new Int32Array(rows).fill(NONE),
  firstRow: rows,
  endRow: 0,
});

/** Entry r: the first wanted row at or after row r, r from 0 to the number of rows; the number of rows if there is none. */
export type NextRow = Uint32Array;

/** {@link NextRow} for the rows for which `isWanted` holds. */
export function nextRows(rows: number, isWanted: (row: number) => boolean): NextRow {
  const nextRow = new Uint32Array(rows + 1).fill(rows);
  for (let row = rows - 1; row >= 0; row--) nextRow[row] = isWanted(row) ? row : nextRow[row + 1];
  return nextRow;
}

/**
 * Cuts segments into the pieces of their rows, or of the rows that `nextRow` selects. Parts above the first row or below the last are
 * left out. A horizontal segment is kept because it separates inside from outside within its row; one on the border of two rows is
 * left out.
 */
export function cutIntoRows(segments: Segments, pieces: RowPieces, nextRow?: NextRow): void {
  const { heads } = pieces;
  const rows = heads.length;
  heads.fill(NONE, pieces.firstRow, pieces.endRow);
  pieces.count = 0;
  pieces.firstRow = rows;
  pieces.endRow = 0;
  for (let s = 0; s < segments.count; s++) {
    const { ends } = segments;
    const startX = ends[4 * s];
    const startY = ends[4 * s + 1];
    const endX = ends[4 * s + 2];
    const endY = ends[4 * s + 3];
    const goesDown = endY >= startY;
    const top = goesDown ? startY : endY;
    const bottom = goesDown ? endY : startY;
    if (bottom <= 0 || top >= rows) continue;
    const first = Math.max(0, Math.floor(top));
    const last = Math.min(rows, top === bottom ? (top === first ? first : first + 1) : Math.ceil(bottom));
    const from = nextRow ? nextRow[first] : first;
    if (last <= from) continue;
    reservePieces(pieces, last - from);
    if (from < pieces.firstRow) pieces.firstRow = from;
    if (last > pieces.endRow) pieces.endRow = last;
    const topX = goesDown ? startX : endX;
    const bottomX = goesDown ? endX : startX;
    const slope = top === bottom ? 0 : (bottomX - topX) / (bottom - top);
    const { x0, y0, x1, y1, models, next } = pieces;
    let upperY = top > from ? top - from : 0;
    let upperX = top > from ? topX : topX + (from - top) * slope;
    for (let row = from; row < last;) {
      const isLast = bottom <= row + 1;
      const lowerX = isLast ? bottomX : topX + (row + 1 - top) * slope;
      const lowerY = isLast ? bottom - row : 1;
      const piece = pieces.count++;
      x0[piece] = goesDown ? upperX : lowerX;
      y0[piece] = goesDown ? upperY : lowerY;
      x1[piece] = goesDown ? lowerX : upperX;
      y1[piece] = goesDown ? lowerY : upperY;
      models[piece] = segments.models[s];
      next[piece] = heads[row];
      heads[row] = piece;
      const wanted = nextRow ? nextRow[row + 1] : row + 1;
      upperX = wanted === row + 1 ? lowerX : topX + (wanted - top) * slope;
      upperY = 0;
      row = wanted;
    }
  }
}

function reservePieces(pieces: RowPieces, more: number): void {
  const needed = pieces.count + more;
  if (needed <= pieces.next.length) return;
  pieces.x0 = ensureCapacity(pieces.x0, needed);
  pieces.y0 = ensureCapacity(pieces.y0, needed);
  pieces.x1 = ensureCapacity(pieces.x1, needed);
  pieces.y1 = ensureCapacity(pieces.y1, needed);
  pieces.models = ensureCapacity(pieces.models, needed);
  pieces.next = ensureCapacity(pieces.next, needed);
}

/** The pieces of one row, sorted by their left ends, ascending. Overwritten when the next row is sorted. */
export interface SortedRow {
  /** Pieces; the first `count` are valid. */
  members: Int32Array<ArrayBuffer>;
  /** Left end of each, pixels. */
  lefts: Float64Array<ArrayBuffer>;
  count: number;
}

export function newRowSorter(pieces: RowPieces): (row: number) => SortedRow {
  const sorted: SortedRow = { members: new Int32Array(64), lefts: new Float64Array(64), count: 0 };
  return (row) => {
    const { x0, x1, next, heads } = pieces;
    let { members, lefts } = sorted;
    let count = 0;
    for (let piece = heads[row]; piece >= 0; piece = next[piece]) {
      if (count === members.length) {
        members = ensureCapacity(members, count + 1);
        lefts = ensureCapacity(lefts, count + 1);
      }
      lefts[count] = x0[piece] < x1[piece] ? x0[piece] : x1[piece];
      members[count++] = piece;
    }
    sortByLeft(lefts, members, count);
    sorted.members = members;
    sorted.lefts = lefts;
    sorted.count = count;
    return sorted;
  };
}

/** Pieces at a smaller distance, pixels, belong to one cluster. It exceeds the resolution of `sortByLeft`. */
export const TOUCH_DISTANCE_PX = 1e-5;
/** Largest rounding error of the height, in rows, of an outline that crosses a row once. */
const LENGTH_ROUNDING = 1e-9;

/**
 * The change of the winding number from the left to the right of the cluster `members[from]` … `members[to - 1]`, if that is one
 * outline that crosses the row once; 0 if the cluster has several outlines or one that turns back.
 */
export function windingChange({ y0, y1, models }: RowPieces, members: Int32Array, from: number, to: number): number {
  const model = models[members[from]];
  let height = 0;
  let path = 0;
  for (let i = from; i < to; i++) {
    const piece = members[i];
    if (models[piece] !== model) return 0;
    const step = y1[piece] - y0[piece];
    height += step;
    path += step < 0 ? -step : step;
  }
  return path > 1 + LENGTH_ROUNDING ? 0 : Math.round(height);
}

/** Up to this count an insertion sort is the fastest. */
const MAX_INSERTION_SORT = 24;
/** Sort keys have the left end in steps of 2⁻²⁰ pixels above the index in the low 16 bits. */
const INDEX_RANGE = 2 ** 16;
const STEPS_PER_PIXEL = 2 ** 20;
/** Keys of left ends below this, pixels, are integers that a double represents exactly. */
const MAX_SORTABLE_X = 2 ** 53 / (INDEX_RANGE * STEPS_PER_PIXEL);

/** Sorts the first `count` of `members` and `lefts` by `lefts`, at a resolution of 2⁻²⁰ pixels. */
export function sortByLeft(lefts: Float64Array, members: Int32Array, count: number): void {
  if (count <= MAX_INSERTION_SORT) insertionSort(lefts, members, count);
  else if (count < INDEX_RANGE && haveExactKeys(lefts, count)) sortKeys(lefts, members, count);
  else sortIndices(lefts, members, count);
}

function insertionSort(lefts: Float64Array, members: Int32Array, count: number): void {
  for (let i = 1; i < count; i++) {
    const left = lefts[i];
    const member = members[i];
    let hole = i;
    for (; hole > 0 && lefts[hole - 1] > left; hole--) {
      lefts[hole] = lefts[hole - 1];
      members[hole] = members[hole - 1];
    }
    lefts[hole] = left;
    members[hole] = member;
  }
}

function haveExactKeys(lefts: Float64Array, count: number): boolean {
  for (let i = 0; i < count; i++) if (Math.abs(lefts[i]) >= MAX_SORTABLE_X) return false;
  return true;
}

/** The native sort of numbers is many times faster than a sort with a comparator. */
function sortKeys(lefts: Float64Array, members: Int32Array, count: number): void {
  const keys = new Float64Array(count);
  for (let i = 0; i < count; i++) keys[i] = Math.floor(lefts[i] * STEPS_PER_PIXEL) * INDEX_RANGE + i;
  keys.sort();
  permute(
    lefts,
    members,
    keys.map((key) => key - Math.floor(key / INDEX_RANGE) * INDEX_RANGE),
  );
}

function sortIndices(lefts: Float64Array, members: Int32Array, count: number): void {
  const order = Float64Array.from({ length: count }, (_, i) => i);
  permute(
    lefts,
    members,
    order.sort((a, b) => lefts[a] - lefts[b] || a - b),
  );
}

function permute(lefts: Float64Array, members: Int32Array, order: Float64Array): void {
  const oldLefts = lefts.slice(0, order.length);
  const oldMembers = members.slice(0, order.length);
  for (let i = 0; i < order.length; i++) {
    lefts[i] = oldLefts[order[i]];
    members[i] = oldMembers[order[i]];
  }
}
