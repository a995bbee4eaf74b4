import type { Rectangle } from "../geometry/box.ts";
import { noProgress } from "../core/progress.ts";
import { squaredDistances } from "../geometry/distance-transform.ts";
import { HALF_DIAGONAL, type FloorGrid, rasterizePolygon } from "./bit-mask.ts";
import { type NoFitRaster, blockCollisions, isBlocked, newNoFitRaster, runProfile } from "./no-fit-raster.ts";
import { type RotatedPart, collisionPairs } from "./part.ts";
import { isApart } from "./resolve-overlaps.ts";

/**
 * The penetration depth of a part in another one, for each pixel at which it may be positioned relative to the other: the least
 * distance in pixels that it must move to keep the spacing; 0 if it keeps it. Positions are those of the left front corner of its
 * bounding box.
 */
export interface PenetrationField {
  /** The first position, relative to the position of the other part. */
  readonly column: number;
  readonly row: number;
  readonly columns: number;
  readonly rows: number;
  /** Rounded to whole pixels, but at least 1 where the parts are too close; at most {@link MAX_DEPTH}. */
  readonly depths: Uint8Array;
  /** For each row: the first column that is not 0, and the one after the last. */
  readonly starts: Int32Array;
  readonly ends: Int32Array;
}

const MAX_DEPTH = 255;

/** A rotated part, and how far the left front corner of its bounding box is from a pixel, mm. */
export interface GridAlignedPart {
  readonly part: RotatedPart;
  readonly offsetX: number;
  readonly offsetY: number;
}

/**
 * The penetration depths of `a` in `b`. Which positions are free is exact: rasters decide most of them, and the exact
 * distance of polygons those near the border.
 */
export function penetrationField(
  a: GridAlignedPart,
  b: GridAlignedPart,
  spacingMm: number,
  pixelMm: number,
): PenetrationField {
  const [widthA, depthA] = boxSides(a.part.box);
  const [widthB, depthB] = boxSides(b.part.box);
  const left = Math.ceil((widthA + spacingMm) / pixelMm) + 2;
  const front = Math.ceil((depthA + spacingMm) / pixelMm) + 2;
  const columns = left + Math.ceil((widthB + b.offsetX + spacingMm) / pixelMm) + 3;
  const rows = front + Math.ceil((depthB + b.offsetY + spacingMm) / pixelMm) + 3;
  const grid: FloorGrid = { columns, rows, pixelMm };
  const at = { x: left * pixelMm + b.offsetX - b.part.box.minX, y: front * pixelMm + b.offsetY - b.part.box.minY };
  const close = noFitRasterOf(a.part, b.part, at, spacingMm - 2 * HALF_DIAGONAL * pixelMm, grid);
  const near = noFitRasterOf(a.part, b.part, at, spacingMm + HALF_DIAGONAL * pixelMm, grid);
  const isFree = (column: number, row: number): boolean => {
    if (isBlocked(close, column, row)) return false;
    if (!isBlocked(near, column, row)) return true;
    const dx = at.x - (column * pixelMm - a.part.box.minX);
    const dy = at.y - (row * pixelMm - a.part.box.minY);
    return isApart(a.part, b.part, dx, dy, spacingMm);
  };
  const free = new Uint8Array(columns * rows);
  for (let row = 0, i = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++, i++) if (isFree(column, row)) free[i] = 1;
  }
  const squares = squaredDistances(free, { columns, rows, layers: 1 }, MAX_DEPTH, noProgress);
  const depths = new Uint8Array(squares.length);
  for (let i = 0; i < depths.length; i++) depths[i] = Math.round(Math.sqrt(squares[i]));
  const lines = Array.from({ length: rows }, (_, row) => depths.subarray(row * columns, (row + 1) * columns));
  const starts = lines.map((line) => line.findIndex((depth) => depth > 0));
  return {
    column: -left,
    row: -front,
    columns,
    rows,
    depths,
    starts: Int32Array.from(starts, (start) => Math.max(0, start)),
    ends: Int32Array.from(lines, (line) => line.findLastIndex((depth) => depth > 0) + 1),
  };
}

/** The penetration depths of the other part in this one. */
export function mirroredField({
  column,
  row,
  columns,
  rows,
  depths,
  starts,
  ends,
}: PenetrationField): PenetrationField {
  return {
    column: 1 - column - columns,
    row: 1 - row - rows,
    columns,
    rows,
    depths: depths.toReversed(),
    starts: ends.map((end) => (end === 0 ? 0 : columns - end)).toReversed(),
    ends: starts.map((start, i) => (ends[i] === 0 ? 0 : columns - start)).toReversed(),
  };
}

/** The depth at a position relative to the other part. */
export function depthAt(field: PenetrationField, column: number, row: number): number {
  const [x, y] = [column - field.column, row - field.row];
  return x < 0 || y < 0 || x >= field.columns || y >= field.rows ? 0 : field.depths[y * field.columns + x];
}

const boxSides = ({ minX, minY, maxX, maxY }: Rectangle): [width: number, depth: number] => [maxX - minX, maxY - minY];

/**
 * The positions of `a`, drawn wider by half a diagonal, that collide with `b` drawn wider by `grownMm`. With the
 * spacing plus half a diagonal these contain all positions that are too close; with the spacing minus a diagonal, only
 * such positions.
 */
function noFitRasterOf(
  a: RotatedPart,
  b: RotatedPart,
  at: { readonly x: number; readonly y: number },
  grownMm: number,
  grid: FloorGrid,
): NoFitRaster {
  const places = newNoFitRaster(grid.columns, grid.rows);
  for (const [shape, other] of collisionPairs(a, b)) {
    const mask = rasterizePolygon(shape, -a.box.minX, -a.box.minY, HALF_DIAGONAL * grid.pixelMm, grid);
    blockCollisions(places, runProfile(mask, 1), rasterizePolygon(other, at.x, at.y, grownMm, grid));
  }
  return places;
}
