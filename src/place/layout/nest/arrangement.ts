import type { Standing } from "../part.ts";
import { depthAt } from "./depth-field.ts";
import type { Nesting } from "./nesting.ts";

/** Where the pieces of a nesting stand: of each its orientation, and the pixel of its left front corner. */
export interface Arrangement {
  readonly turns: Int32Array;
  readonly columns: Int32Array;
  readonly rows: Int32Array;
}

/** A place for a piece, as an arrangement has it. */
export interface PixelPlace {
  readonly turn: number;
  readonly column: number;
  readonly row: number;
}

export const copyOf = ({ turns, columns, rows }: Arrangement): Arrangement => ({
  turns: turns.slice(),
  columns: columns.slice(),
  rows: rows.slice(),
});

export function put({ turns, columns, rows }: Arrangement, piece: number, place: PixelPlace): void {
  turns[piece] = place.turn;
  columns[piece] = place.column;
  rows[piece] = place.row;
}

/** How deep two pieces are in each other, in pixels. */
export const depthBetween = (nesting: Nesting, { turns, columns, rows }: Arrangement, a: number, b: number): number =>
  depthAt(nesting.fieldOf(turns[a], turns[b]), columns[a] - columns[b], rows[a] - rows[b]);

export function standingOf(
  { orientations, floor, pixelMm }: Nesting,
  arrangement: Arrangement,
  piece: number,
): Standing {
  const { part, asideX, asideY } = orientations[arrangement.turns[piece]];
  return {
    part,
    x: floor.bounds.minX + arrangement.columns[piece] * pixelMm + asideX - part.box.minX,
    y: floor.bounds.minY + arrangement.rows[piece] * pixelMm + asideY - part.box.minY,
  };
}
