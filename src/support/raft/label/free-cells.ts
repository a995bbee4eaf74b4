import { rangeOf } from "../../../mesh/boolean/region/range-of.ts";
import type { Region } from "../../../mesh/boolean/region/region.ts";
import type { StandingFoot } from "../foot.ts";

export const CELL_MM = 0.5;

/** A raster over a region; row 0 is at the front, column 0 at the left. */
export interface FreeCells {
  readonly leftMm: number;
  readonly frontMm: number;
  readonly columns: number;
  readonly rows: number;
  /** Whether all cells of a box of them, which lies in the raster, are free. */
  isFree(column: number, row: number, columns: number, rows: number): boolean;
}

/** The cells whose middles lie in the region and in no foot. */
export function freeCells(region: Region, feet: readonly StandingFoot[]): FreeCells {
  const [leftMm, rightMm] = rangeOf(region, 0);
  const [frontMm, backMm] = rangeOf(region, 1);
  const columns = Math.max(0, Math.ceil((rightMm - leftMm) / CELL_MM));
  const rows = Math.max(0, Math.ceil((backMm - frontMm) / CELL_MM));
  const sums = new Uint32Array((columns + 1) * (rows + 1));
  const sumTo = (column: number, row: number): number => sums[row * (columns + 1) + column];
  for (let row = 0; row < rows; row++) {
    const isFree = freeRow(region, feet, leftMm, frontMm + (row + 0.5) * CELL_MM, columns);
    let free = 0;
    for (let column = 0; column < columns; column++) {
      free += isFree[column];
      sums[(row + 1) * (columns + 1) + column + 1] = sumTo(column + 1, row) + free;
    }
  }
  return {
    leftMm,
    frontMm,
    columns,
    rows,
    isFree: (column, row, width, height) =>
      sumTo(column + width, row + height) -
        sumTo(column, row + height) -
        sumTo(column + width, row) +
        sumTo(column, row) ===
      width * height,
  };
}

/** For each cell of the row at y, 1 when its middle is free: rings turn it on and off (even–odd), feet off. */
function freeRow(
  region: Region,
  feet: readonly StandingFoot[],
  leftMm: number,
  y: number,
  columns: number,
): Uint8Array {
  const cellAfter = (x: number): number => Math.min(columns, Math.max(0, Math.ceil((x - leftMm) / CELL_MM - 0.5)));
  const isFree = new Uint8Array(columns);
  for (const ring of region) {
    for (let at = 0, last = ring.length - 2; at < ring.length; last = at, at += 2) {
      const [ay, by] = [ring[last + 1], ring[at + 1]];
      if (ay > y === by > y) continue;
      const x = ring[last] + ((y - ay) / (by - ay)) * (ring[at] - ring[last]);
      for (let column = cellAfter(x); column < columns; column++) isFree[column] ^= 1;
    }
  }
  for (const foot of feet) {
    const half = foot.radius * foot.radius - (y - foot.y) * (y - foot.y);
    if (half > 0) isFree.fill(0, cellAfter(foot.x - Math.sqrt(half)), cellAfter(foot.x + Math.sqrt(half)));
  }
  return isFree;
}
