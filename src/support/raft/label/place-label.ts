import { CELL_MM, type FreeCells } from "./free-cells.ts";

export interface LabelPlace {
  /** Of capitals. */
  readonly heightMm: number;
  /** From places in heights of capitals, counted from the left end of the base line, to places on the raft. */
  readonly toRaft: (place: readonly [number, number]) => [x: number, y: number];
}

/** What letters may reach above and below the height of capitals, in such heights: a descender and half a stroke. */
export const BELOW = 0.25;
export const ABOVE = 0.1;

/** The largest of some heights at which a text, so many heights wide, finds a free place. */
export function placeLabel(cells: FreeCells, width: number, heightsMm: readonly number[]): LabelPlace | undefined {
  for (const heightMm of heightsMm) {
    const along = Math.ceil((heightMm * (width + 2 * ABOVE)) / CELL_MM);
    const across = Math.ceil((heightMm * (BELOW + 1 + ABOVE)) / CELL_MM);
    const flat = firstFree(cells, along, across);
    if (flat) {
      const [left, front] = [flat[0] + heightMm * ABOVE, flat[1] + heightMm * BELOW];
      return { heightMm, toRaft: ([x, y]) => [left + heightMm * x, front + heightMm * y] };
    }
    const upward = firstFree(cells, across, along);
    if (upward) {
      const [right, front] = [upward[0] + across * CELL_MM - heightMm * BELOW, upward[1] + heightMm * ABOVE];
      return { heightMm, toRaft: ([x, y]) => [right - heightMm * y, front + heightMm * x] };
    }
  }
  return undefined;
}

/** The left front corner of the first free box of so many cells, from the front, then from the left. */
function firstFree(cells: FreeCells, columns: number, rows: number): [x: number, y: number] | undefined {
  for (let row = 0; row + rows <= cells.rows; row++) {
    for (let column = 0; column + columns <= cells.columns; column++) {
      if (!cells.isFree(column, row, columns, rows)) continue;
      return [cells.leftMm + column * CELL_MM, cells.frontMm + row * CELL_MM];
    }
  }
  return undefined;
}
