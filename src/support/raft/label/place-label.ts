import { CELL_MM, type FreeCells } from "./free-cells.ts";
import type { TextBlock } from "./text-block.ts";

/** From places of a text block to places on the raft. */
export type ToRaft = (place: readonly [x: number, y: number]) => [x: number, y: number];

/** The largest of some heights of capitals at which a text finds a free place. */
export function placeLabel(
  cells: FreeCells,
  { width, height }: TextBlock,
  heightsMm: readonly number[],
): ToRaft | undefined {
  for (const heightMm of heightsMm) {
    const along = Math.ceil((heightMm * width) / CELL_MM);
    const across = Math.ceil((heightMm * height) / CELL_MM);
    const flat = firstFree(cells, along, across);
    if (flat) return ([x, y]) => [flat[0] + heightMm * x, flat[1] + heightMm * y];
    const upward = firstFree(cells, across, along);
    if (upward) {
      const [right, front] = [upward[0] + across * CELL_MM, upward[1]];
      return ([x, y]) => [right - heightMm * y, front + heightMm * x];
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
