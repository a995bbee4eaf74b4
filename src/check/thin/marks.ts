import { add, exactLength, subtract, times, type Vec3 } from "../../core/geometry.ts";
import type { Ball } from "./largest-ball.ts";
import { type Lattice, middleOf } from "./lattice.ts";

/** The middle of the cell lies in a thick ball: one that is as large as the threshold. */
export const COVERED = 1;
/** The cell belongs to a thin part of the solid, unless a thick ball covers it. */
export const IN_THIN_PART = 2;
/** A thick ball all but reaches the middle of the cell: it need not be looked at for itself. */
export const ALL_BUT_COVERED = 4;
/** There is a thick ball close by. */
const NEAR = 8;

/** What is known of cells. */
export interface Marks {
  /** Those of the three marks that a cell has, together; 0 for none. */
  of(column: number, row: number, layer: number): number;
  /** Marks a cell as part of something thin, and all those with their middle in the ball. */
  markThin(column: number, row: number, layer: number, ball: Ball): void;
  /** Marks the cells in and around a ball that is as large as the threshold or larger. */
  cover(ball: Ball): void;
  /** The centre of a ball just as large as the threshold that is close by, if there is one. */
  thickBallNear(column: number, row: number, layer: number): Vec3 | undefined;
  /** Forgets a layer and those below it, and marks nothing in them any more. */
  drop(layer: number): void;
}

/** A square of cells of a layer. A solid's parts take few of them. */
interface Tile {
  readonly marks: Uint8Array;
  /** Where marked {@link NEAR}: x, y, z of the ball's centre. */
  readonly centres: Float32Array;
}

const TILE_CELLS = 32;

/** Farther from a thick ball there is another one, or none that could be pushed over the cell. */
const NEAR_CELLS = 1.5;
/** About as deep as the furrows between balls that touch the surface one cell from each other. */
export const FURROW_CELLS = 0.25;

export function newMarks(lattice: Lattice, thickMm: number): Marks {
  const { cellMm, columns, rows, layers } = lattice;
  const tilesAcross = Math.ceil(columns / TILE_CELLS);
  const tiles = new Map<number, Map<number, Tile>>();
  const spare: Tile[] = [];
  let lowest = 0;

  const numberOf = (column: number, row: number): number =>
    Math.floor(row / TILE_CELLS) * tilesAcross + Math.floor(column / TILE_CELLS);
  const placeOf = (column: number, row: number): number => (row % TILE_CELLS) * TILE_CELLS + (column % TILE_CELLS);
  const tileAt = (column: number, row: number, layer: number): Tile | undefined =>
    tiles.get(layer)?.get(numberOf(column, row));

  function tileFor(column: number, row: number, layer: number): Tile {
    let ofLayer = tiles.get(layer);
    if (!ofLayer) tiles.set(layer, (ofLayer = new Map()));
    const number = numberOf(column, row);
    let tile = ofLayer.get(number);
    if (!tile) ofLayer.set(number, (tile = spare.pop() ?? newTile()));
    return tile;
  }

  /** Goes through the cells with their middle within `reachMm` of a place; `square` is that of their distance in cells. */
  function visitAround(
    [x, y, z]: Vec3,
    reachMm: number,
    visit: (tile: Tile, place: number, square: number, column: number, row: number, layer: number) => void,
  ): void {
    const [column, row, layer] = [x / cellMm + columns / 2 - 0.5, rows / 2 - 0.5 - y / cellMm, z / cellMm - 0.5];
    const most = (reachMm / cellMm) ** 2;
    const [firstLayer, lastLayer] = range(layer, Math.sqrt(most), layers);
    for (let k = Math.max(lowest, firstLayer); k <= lastLayer; k++) {
      const left = most - (k - layer) ** 2;
      const [firstRow, lastRow] = range(row, Math.sqrt(left), rows);
      for (let j = firstRow; j <= lastRow; j++) {
        const [first, last] = range(column, Math.sqrt(Math.max(0, left - (j - row) ** 2)), columns);
        const beside = (k - layer) ** 2 + (j - row) ** 2;
        let tile: Tile | undefined;
        for (let i = first; i <= last; i++) {
          if (!tile || i % TILE_CELLS === 0) tile = tileFor(i, j, k);
          visit(tile, placeOf(i, j), beside + (i - column) ** 2, i, j, k);
        }
      }
    }
  }

  /** Remembers the thick ball inside of another that comes nearest to a cell beyond that, if none comes nearer. */
  function remember({ centres, marks }: Tile, place: number, { centre, radiusMm }: Ball, middle: Vec3): void {
    const away = subtract(middle, centre);
    const gapMm = exactLength(away) - radiusMm;
    if ((marks[place] & NEAR) !== 0 && exactLength(subtract(middle, centreAt(centres, place))) - thickMm <= gapMm)
      return;
    centres.set(add(centre, times(away, (radiusMm - thickMm) / exactLength(away))), 3 * place);
    marks[place] |= gapMm <= FURROW_CELLS * cellMm ? NEAR | ALL_BUT_COVERED : NEAR;
  }

  return {
    of: (column, row, layer) => (tileAt(column, row, layer)?.marks[placeOf(column, row)] ?? 0) & ~NEAR,
    markThin(column, row, layer, { centre, radiusMm }) {
      tileFor(column, row, layer).marks[placeOf(column, row)] |= IN_THIN_PART;
      visitAround(centre, radiusMm, ({ marks }, place) => (marks[place] |= IN_THIN_PART));
    },
    cover(ball) {
      const square = (ball.radiusMm / cellMm) ** 2;
      visitAround(ball.centre, ball.radiusMm + NEAR_CELLS * cellMm, (tile, place, away, i, j, k) => {
        if ((tile.marks[place] & COVERED) !== 0) return;
        if (away <= square) tile.marks[place] |= COVERED;
        else remember(tile, place, ball, middleOf(lattice, i, j, k));
      });
    },
    thickBallNear(column, row, layer) {
      const tile = tileAt(column, row, layer);
      const place = placeOf(column, row);
      return tile && (tile.marks[place] & NEAR) !== 0 ? centreAt(tile.centres, place) : undefined;
    },
    drop(layer) {
      for (; lowest <= layer; lowest++) {
        for (const tile of tiles.get(lowest)?.values() ?? []) {
          tile.marks.fill(0);
          spare.push(tile);
        }
        tiles.delete(lowest);
      }
    },
  };
}

const newTile = (): Tile => ({
  marks: new Uint8Array(TILE_CELLS ** 2),
  centres: new Float32Array(3 * TILE_CELLS ** 2),
});

const centreAt = (centres: Float32Array, place: number): Vec3 => [
  centres[3 * place],
  centres[3 * place + 1],
  centres[3 * place + 2],
];

/** The whole numbers from 0 to `count` − 1 that are within `reach` of another number. */
const range = (middle: number, reach: number, count: number): [first: number, last: number] => [
  Math.max(0, Math.ceil(middle - reach)),
  Math.min(count - 1, Math.floor(middle + reach)),
];
