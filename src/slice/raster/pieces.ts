import { grown } from "../../mesh/grown.ts";
import type { Segments } from "./segments.ts";

/**
 * Segments cut at the borders of rows. A piece runs from (x0, y0) to (x1, y1), y within its row from 0 at the top to 1
 * at the bottom. The pieces of a row hang in a list: `heads[row]`, then `next[piece]`, −1 ends it.
 */
export interface Pieces {
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

export const newPieces = (rows: number): Pieces => ({
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

/**
 * Cuts segments into the pieces of their rows; what lies above the first row or below the last is left out. A level
 * segment is kept, for it parts what is above it from what is below, but not where it lies on the border of two rows.
 */
export function cutIntoRows(segments: Segments, pieces: Pieces): void {
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
    if (last <= first) continue;
    makeRoom(pieces, last - first);
    if (first < pieces.firstRow) pieces.firstRow = first;
    if (last > pieces.endRow) pieces.endRow = last;
    const topX = goesDown ? startX : endX;
    const bottomX = goesDown ? endX : startX;
    const slope = top === bottom ? 0 : (bottomX - topX) / (bottom - top);
    const { x0, y0, x1, y1, models, next } = pieces;
    let upperY = top > first ? top - first : 0;
    let upperX = top > first ? topX : topX + (first - top) * slope;
    for (let row = first; row < last; row++) {
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
      upperX = lowerX;
      upperY = 0;
    }
  }
}

function makeRoom(pieces: Pieces, more: number): void {
  const needed = pieces.count + more;
  if (needed <= pieces.next.length) return;
  pieces.x0 = grown(pieces.x0, needed);
  pieces.y0 = grown(pieces.y0, needed);
  pieces.x1 = grown(pieces.x1, needed);
  pieces.y1 = grown(pieces.y1, needed);
  pieces.models = grown(pieces.models, needed);
  pieces.next = grown(pieces.next, needed);
}
