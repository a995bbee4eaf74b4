import type { Ball, Vec3 } from "../../geometry/vector.ts";
import type { CellGrid } from "./cell-grid.ts";

/** The centre of the cell is in a thick ball inside the solid: a ball whose diameter is the threshold or more. */
const COVERED = 1;
/** The cell belongs to a thin part of the solid, unless a thick ball covers it. */
const IN_THIN_PART = 2;
/** A thick ball almost reaches the centre of the cell: the cell is not classified. */
const ALMOST_COVERED = 4;
/** The cell is in a thin part that is clearly thinner than the threshold, so that no tolerance matters. */
const CLEARLY_THIN = 8;

/** Marks of cells. A query returns the first matching column from `column` on, or `end` where there is none before it. */
export interface CellMarks {
  /** The first cell without a mark. */
  nextUnknown(column: number, end: number, row: number, layer: number): number;
  /** The first cell that belongs to a thin part and is not covered. */
  nextThin(column: number, end: number, row: number, layer: number): number;
  /** Marks a cell, and all cells with their centre in the ball, as belonging to a thin part; `isClear`: to a clearly thin part. */
  markThin(column: number, row: number, layer: number, ball: Ball, isClear: boolean): void;
  /** Whether a cell belongs to a clearly thin part. */
  isClearlyThin(column: number, row: number, layer: number): boolean;
  /** Marks the cells with their centre in a thick ball. */
  cover(ball: Ball): void;
  /** Also marks the cells that a thick ball almost reaches. */
  coverAround(ball: Ball): void;
  /** Discards the marks of a layer and of all layers below it; nothing is marked there afterwards. */
  drop(layer: number): void;
}

/** A square of cells of a layer. Only squares with marks are stored, because few cells of a solid have marks. */
interface Tile {
  readonly marks: Uint8Array;
  hasThin: boolean;
}

/** A tile is 32 cells wide and deep. */
const TILE_BITS = 5;
const TILE_CELLS = 1 << TILE_BITS;
const TILE_MASK = TILE_CELLS - 1;

/** Approximate depth of the furrows between balls that touch the surface one cell apart, in cells. */
export const FURROW_CELLS = 0.25;

/** Marks of the cells in the layers from `from` to `end` − 1; other cells are not marked. */
export const newCellMarks = (grid: CellGrid, from = 0, end = grid.layers): CellMarks => new TiledMarks(grid, from, end);

/** Marks in square tiles, which are made where they get marks. */
class TiledMarks implements CellMarks {
  readonly #grid: CellGrid;
  readonly #tilesAcross: number;
  /** Tiles by layer and index. */
  readonly #tiles = new Map<number, Map<number, Tile>>();
  /** Empty tiles for reuse. */
  readonly #spare: Tile[] = [];
  /** The lowest layer whose marks are kept, and the end of the layers that are marked. */
  #lowest: number;
  readonly #end: number;

  constructor(grid: CellGrid, from: number, end: number) {
    this.#grid = grid;
    this.#lowest = from;
    this.#end = end;
    this.#tilesAcross = Math.ceil(grid.columns / TILE_CELLS);
  }

  nextUnknown(from: number, end: number, row: number, layer: number): number {
    const ofLayer = this.#tiles.get(layer);
    let column = from;
    while (column < end) {
      const tile = ofLayer?.get(this.#tileIndex(column, row));
      if (!tile) return column;
      const tileEnd = Math.min(end, (column | TILE_MASK) + 1);
      const shift = indexInTile(column, row) - column;
      for (; column < tileEnd; column++) if (tile.marks[shift + column] === 0) return column;
    }
    return end;
  }

  nextThin(from: number, end: number, row: number, layer: number): number {
    const ofLayer = this.#tiles.get(layer);
    let column = from;
    while (column < end) {
      const tile = ofLayer?.get(this.#tileIndex(column, row));
      const tileEnd = Math.min(end, (column | TILE_MASK) + 1);
      if (tile?.hasThin) {
        const shift = indexInTile(column, row) - column;
        for (; column < tileEnd; column++) {
          if ((tile.marks[shift + column] & (IN_THIN_PART | COVERED)) === IN_THIN_PART) return column;
        }
      }
      column = tileEnd;
    }
    return end;
  }

  markThin(column: number, row: number, layer: number, { centre, radiusMm }: Ball, isClear: boolean): void {
    const mark = isClear ? IN_THIN_PART | CLEARLY_THIN : IN_THIN_PART;
    const tile = this.#tileAt(this.#layerAt(layer), this.#tileIndex(column, row));
    tile.marks[indexInTile(column, row)] |= mark;
    tile.hasThin = true;
    this.#markAround(centre, radiusMm, mark);
  }

  isClearlyThin(column: number, row: number, layer: number): boolean {
    const tile = this.#tiles.get(layer)?.get(this.#tileIndex(column, row));
    return tile !== undefined && (tile.marks[indexInTile(column, row)] & CLEARLY_THIN) !== 0;
  }

  cover({ centre, radiusMm }: Ball): void {
    this.#markAround(centre, radiusMm, COVERED);
  }

  coverAround({ centre, radiusMm }: Ball): void {
    this.#markAround(centre, radiusMm + FURROW_CELLS * this.#grid.cellMm, ALMOST_COVERED);
    this.#markAround(centre, radiusMm, COVERED);
  }

  drop(layer: number): void {
    for (; this.#lowest <= layer; this.#lowest++) {
      for (const tile of this.#tiles.get(this.#lowest)?.values() ?? []) {
        tile.marks.fill(0);
        tile.hasThin = false;
        this.#spare.push(tile);
      }
      this.#tiles.delete(this.#lowest);
    }
  }

  #tileIndex(column: number, row: number): number {
    return (row >> TILE_BITS) * this.#tilesAcross + (column >> TILE_BITS);
  }

  #layerAt(layer: number): Map<number, Tile> {
    let ofLayer = this.#tiles.get(layer);
    if (!ofLayer) this.#tiles.set(layer, (ofLayer = new Map()));
    return ofLayer;
  }

  #tileAt(ofLayer: Map<number, Tile>, index: number): Tile {
    let tile = ofLayer.get(index);
    if (!tile) ofLayer.set(index, (tile = this.#spare.pop() ?? newTile()));
    return tile;
  }

  /** Marks the cells with their centre within `reachMm` of a point. */
  #markAround([x, y, z]: Vec3, reachMm: number, mark: number): void {
    const { cellMm, columns, rows } = this.#grid;
    const column = x / cellMm + columns / 2 - 0.5;
    const row = rows / 2 - 0.5 - y / cellMm;
    const layer = z / cellMm - 0.5;
    const reach = reachMm / cellMm;
    const lastLayer = Math.min(this.#end - 1, Math.floor(layer + reach));
    for (let k = Math.max(this.#lowest, Math.ceil(layer - reach)); k <= lastLayer; k++) {
      const rest = reach * reach - (k - layer) * (k - layer);
      this.#markDisc(this.#layerAt(k), column, row, rest, mark);
    }
  }

  /** Marks the cells of a layer whose squared distance from a point is at most `square`. Lengths are in cells. */
  #markDisc(ofLayer: Map<number, Tile>, column: number, row: number, square: number, mark: number): void {
    const { columns, rows } = this.#grid;
    let index = -1;
    let tile: Tile | undefined;
    const across = Math.sqrt(square);
    const lastRow = Math.min(rows - 1, Math.floor(row + across));
    for (let j = Math.max(0, Math.ceil(row - across)); j <= lastRow; j++) {
      const along = Math.sqrt(Math.max(0, square - (j - row) * (j - row)));
      const end = Math.min(columns, Math.floor(column + along) + 1);
      for (let i = Math.max(0, Math.ceil(column - along)); i < end;) {
        const next = this.#tileIndex(i, j);
        if (!tile || next !== index) {
          tile = this.#tileAt(ofLayer, next);
          index = next;
          if ((mark & IN_THIN_PART) !== 0) tile.hasThin = true;
        }
        const tileEnd = Math.min(end, (i | TILE_MASK) + 1);
        const first = indexInTile(i, j);
        if (mark === COVERED) tile.marks.fill(COVERED, first, first + tileEnd - i);
        else for (let at = first; at < first + tileEnd - i; at++) tile.marks[at] |= mark;
        i = tileEnd;
      }
    }
  }
}

const newTile = (): Tile => ({ marks: new Uint8Array(TILE_CELLS ** 2), hasThin: false });

const indexInTile = (column: number, row: number): number => ((row & TILE_MASK) << TILE_BITS) | (column & TILE_MASK);

/** Index of the centres of thick balls of the least size, for nearest-neighbour queries. */
export interface BallIndex {
  add(centre: Vec3): void;
  /** The nearest centre to a point, at most `reachMm` away; undefined where there is none. */
  nearest(point: Vec3, reachMm: number): Vec3 | undefined;
  /** Discards the centres that queries at this height or above cannot reach. */
  drop(heightMm: number): void;
}

/** A number larger than the number of cubes in a row. */
const CUBES_PER_ROW = 2 ** 20;

/** A grid of cubes, in levels so that `drop` is quick. Queries reach at most `maxReachMm`; the cubes have twice that as side. */
export function newBallIndex(maxReachMm: number): BallIndex {
  const sideMm = 2 * maxReachMm;
  /** x, y, z of each centre, by the level of its cube, then by its cube. */
  const levels = new Map<number, Map<number, number[]>>();
  let lowest = 0;
  const cubeOf = (mm: number): number => Math.floor(mm / sideMm);
  return {
    add([x, y, z]) {
      const k = cubeOf(z);
      let level = levels.get(k);
      if (!level) levels.set(k, (level = new Map()));
      const cube = cubeOf(x) * CUBES_PER_ROW + cubeOf(y);
      let centres = level.get(cube);
      if (!centres) level.set(cube, (centres = []));
      centres.push(x, y, z);
    },
    nearest([x, y, z], reachMm) {
      let least = reachMm * reachMm;
      let found: number[] | undefined;
      let foundAt = 0;
      const [firstRow, lastRow] = [cubeOf(y - reachMm), cubeOf(y + reachMm)];
      const [firstColumn, lastColumn] = [cubeOf(x - reachMm), cubeOf(x + reachMm)];
      for (let k = cubeOf(z - reachMm); k <= cubeOf(z + reachMm); k++) {
        const level = levels.get(k);
        if (!level) continue;
        for (let i = firstColumn; i <= lastColumn; i++) {
          for (let j = firstRow; j <= lastRow; j++) {
            const centres = level.get(i * CUBES_PER_ROW + j);
            if (!centres) continue;
            for (let at = 0; at < centres.length; at += 3) {
              const square = (centres[at] - x) ** 2 + (centres[at + 1] - y) ** 2 + (centres[at + 2] - z) ** 2;
              if (square > least) continue;
              least = square;
              found = centres;
              foundAt = at;
            }
          }
        }
      }
      return found && [found[foundAt], found[foundAt + 1], found[foundAt + 2]];
    },
    drop(heightMm) {
      for (; (lowest + 1) * sideMm <= heightMm - maxReachMm; lowest++) levels.delete(lowest);
    },
  };
}
