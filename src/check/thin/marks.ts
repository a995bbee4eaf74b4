import type { Vec3 } from "../../core/geometry.ts";
import type { Ball } from "./largest-ball.ts";
import type { Lattice } from "./lattice.ts";

/** The middle of the cell lies in a ball inside the solid that is as large as the threshold or larger. */
const COVERED = 1;
/** The cell belongs to a thin part of the solid, unless such a ball covers it. */
const IN_THIN_PART = 2;
/** Such a ball all but reaches the middle of the cell: it need not be looked at for itself. */
const ALL_BUT_COVERED = 4;

/** What is known of cells. Cells of a row are named by their columns, from `column` up to, but without, `end`. */
export interface Marks {
  /** The first of which nothing is known; `end` where there is none. */
  nextUnknown(column: number, end: number, row: number, layer: number): number;
  /** The first that belongs to a thin part and is not covered; `end` where there is none. */
  nextThin(column: number, end: number, row: number, layer: number): number;
  /** Marks a cell as part of something thin, and all those with their middle in the ball. */
  markThin(column: number, row: number, layer: number, ball: Ball): void;
  /** Marks the cells with their middle in a ball that is as large as the threshold or larger. */
  cover(ball: Ball): void;
  /** Marks those that the ball all but reaches, too. */
  coverAround(ball: Ball): void;
  /** Forgets a layer and those below it, and marks nothing in them any more. */
  drop(layer: number): void;
}

/** A square of cells of a layer. A solid's parts take few of them. */
interface Tile {
  readonly marks: Uint8Array;
  hasThin: boolean;
}

/** Tiles are 32 cells wide and deep. */
const TILE_BITS = 5;
const TILE_CELLS = 1 << TILE_BITS;
const IN_TILE = TILE_CELLS - 1;

/** About as deep as the furrows between balls that touch the surface one cell from each other. */
export const FURROW_CELLS = 0.25;

export function newMarks({ cellMm, columns, rows, layers }: Lattice): Marks {
  const tilesAcross = Math.ceil(columns / TILE_CELLS);
  const tiles = new Map<number, Map<number, Tile>>();
  const spare: Tile[] = [];
  let lowest = 0;

  const numberOf = (column: number, row: number): number => (row >> TILE_BITS) * tilesAcross + (column >> TILE_BITS);

  function layerFor(layer: number): Map<number, Tile> {
    let ofLayer = tiles.get(layer);
    if (!ofLayer) tiles.set(layer, (ofLayer = new Map()));
    return ofLayer;
  }

  function tileFor(ofLayer: Map<number, Tile>, number: number): Tile {
    let tile = ofLayer.get(number);
    if (!tile) ofLayer.set(number, (tile = spare.pop() ?? newTile()));
    return tile;
  }

  /** Marks the cells with their middle within `reachMm` of a place. */
  function markAround([x, y, z]: Vec3, reachMm: number, mark: number): void {
    const column = x / cellMm + columns / 2 - 0.5;
    const row = rows / 2 - 0.5 - y / cellMm;
    const layer = z / cellMm - 0.5;
    const reach = reachMm / cellMm;
    const lastLayer = Math.min(layers - 1, Math.floor(layer + reach));
    for (let k = Math.max(lowest, Math.ceil(layer - reach)); k <= lastLayer; k++) {
      const ofLayer = layerFor(k);
      let tileNumber = -1;
      let tile: Tile | undefined;
      const left = reach * reach - (k - layer) * (k - layer);
      const across = Math.sqrt(left);
      const lastRow = Math.min(rows - 1, Math.floor(row + across));
      for (let j = Math.max(0, Math.ceil(row - across)); j <= lastRow; j++) {
        const along = Math.sqrt(Math.max(0, left - (j - row) * (j - row)));
        const end = Math.min(columns, Math.floor(column + along) + 1);
        for (let i = Math.max(0, Math.ceil(column - along)); i < end;) {
          const number = numberOf(i, j);
          if (!tile || number !== tileNumber) {
            tile = tileFor(ofLayer, number);
            tileNumber = number;
            if (mark === IN_THIN_PART) tile.hasThin = true;
          }
          const past = Math.min(end, (i | IN_TILE) + 1);
          const place = placeOf(i, j);
          if (mark === COVERED) tile.marks.fill(COVERED, place, place + past - i);
          else for (let at = place; at < place + past - i; at++) tile.marks[at] |= mark;
          i = past;
        }
      }
    }
  }

  return {
    nextUnknown(column, end, row, layer) {
      const ofLayer = tiles.get(layer);
      while (column < end) {
        const tile = ofLayer?.get(numberOf(column, row));
        if (!tile) return column;
        const past = Math.min(end, (column | IN_TILE) + 1);
        const shift = placeOf(column, row) - column;
        for (; column < past; column++) if (tile.marks[shift + column] === 0) return column;
      }
      return end;
    },
    nextThin(column, end, row, layer) {
      const ofLayer = tiles.get(layer);
      while (column < end) {
        const tile = ofLayer?.get(numberOf(column, row));
        const past = Math.min(end, (column | IN_TILE) + 1);
        if (tile?.hasThin) {
          const shift = placeOf(column, row) - column;
          for (; column < past; column++) {
            if ((tile.marks[shift + column] & (IN_THIN_PART | COVERED)) === IN_THIN_PART) return column;
          }
        }
        column = past;
      }
      return end;
    },
    markThin(column, row, layer, { centre, radiusMm }) {
      const tile = tileFor(layerFor(layer), numberOf(column, row));
      tile.marks[placeOf(column, row)] |= IN_THIN_PART;
      tile.hasThin = true;
      markAround(centre, radiusMm, IN_THIN_PART);
    },
    cover: ({ centre, radiusMm }) => markAround(centre, radiusMm, COVERED),
    coverAround({ centre, radiusMm }) {
      markAround(centre, radiusMm + FURROW_CELLS * cellMm, ALL_BUT_COVERED);
      markAround(centre, radiusMm, COVERED);
    },
    drop(layer) {
      for (; lowest <= layer; lowest++) {
        for (const tile of tiles.get(lowest)?.values() ?? []) {
          tile.marks.fill(0);
          tile.hasThin = false;
          spare.push(tile);
        }
        tiles.delete(lowest);
      }
    },
  };
}

const newTile = (): Tile => ({ marks: new Uint8Array(TILE_CELLS ** 2), hasThin: false });

/** Of a cell in its tile. */
const placeOf = (column: number, row: number): number => ((row & IN_TILE) << TILE_BITS) | (column & IN_TILE);
