import type { Ring } from "../../mesh/boolean/region/region.ts";
import type { Point, Rectangle } from "./ring-facts.ts";

/** A honeycomb seen from above. */
export interface Lattice {
  readonly cellMm: number;
  readonly wallMm: number;
  readonly middles: readonly Point[];
  /** The middles of cells that lie side by side, each pair once. */
  readonly neighbours: readonly (readonly [a: Point, b: Point])[];
}

/**
 * Width of a cell between opposite walls. As wide as most arches are hollow, so that resin runs out and a drain hole fits
 * between two walls, and narrow enough for its roof.
 */
const CELL_MM = 6;
/** What is larger than any jaw gets wider cells. */
const MOST_CELLS = 2000;

const SIN_60 = Math.sqrt(3) / 2;

/** The honeycomb over a rectangle, the middle of one cell in the middle of it. */
export function latticeOver({ minX, minY, maxX, maxY }: Rectangle, wallMm: number): Lattice {
  const cellMm = Math.max(CELL_MM, Math.sqrt(((maxX - minX) * (maxY - minY)) / MOST_CELLS));
  const pitchMm = cellMm + wallMm;
  const [midX, midY] = [(minX + maxX) / 2, (minY + maxY) / 2];
  const rows = Math.ceil((maxY - midY) / (pitchMm * SIN_60)) + 1;
  const columns = Math.ceil((maxX - midX) / pitchMm) + 1;
  const at = (i: number, j: number): Point => [
    midX + pitchMm * (i + (j % 2 === 0 ? 0 : 0.5)),
    midY + pitchMm * SIN_60 * j,
  ];
  const middles: Point[] = [];
  const neighbours: [Point, Point][] = [];
  for (let j = -rows; j <= rows; j++) {
    const shift = j % 2 === 0 ? 0 : 1;
    for (let i = -columns; i <= columns; i++) {
      const here = at(i, j);
      middles.push(here);
      neighbours.push([here, at(i + 1, j)], [here, at(i + shift - 1, j + 1)], [here, at(i + shift, j + 1)]);
    }
  }
  return { cellMm, wallMm, middles, neighbours };
}

/** The outline of the cell about a middle: a regular hexagon, two of its sides along y. */
export function hexagonAt([x, y]: Point, cellMm: number): Ring {
  const half = cellMm / 2;
  const corner = half / SIN_60;
  return Float64Array.from(
    [
      [half, -corner / 2],
      [half, corner / 2],
      [0, corner],
      [-half, corner / 2],
      [-half, -corner / 2],
      [0, -corner],
    ].flatMap(([dx, dy]) => [x + dx, y + dy]),
  );
}

/** Length of a side of a cell. */
export const sideOf = ({ cellMm }: Lattice): number => cellMm / 2 / SIN_60;
