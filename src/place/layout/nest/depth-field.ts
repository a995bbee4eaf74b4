import { block, type BlockedPlaces, isBlocked, newBlockedPlaces, profileOf } from "../blocked-places.ts";
import { gapBetween } from "../gap.ts";
import { maskOf, type PixelGrid } from "../mask.ts";
import { rivals, type TurnedPart } from "../part.ts";
import type { Rectangle } from "../region.ts";
import { TOLERANCE_MM } from "../settle.ts";
import { HALF_DIAGONAL } from "../site.ts";
import { distancesToFree } from "./distances.ts";

/**
 * How deep a part is in another one, for each place of it beside the other on a grid: the least distance, in pixels, that it must
 * move to stand apart. 0 where it does. A place is that of the left front corner of its box.
 */
export interface DepthField {
  /** The first place, from the place of the other part. */
  readonly column: number;
  readonly row: number;
  readonly columns: number;
  readonly rows: number;
  /** Rounded to whole pixels, but at least 1 where the parts are too close. */
  readonly depths: Uint8Array;
  /** Of each row, the first column that is not 0 and the one after the last. */
  readonly starts: Int32Array;
  readonly ends: Int32Array;
}

const DEEPEST = 255;

/** A turned part whose box's left front corner stands on a corner of the grid, or this far from one. */
export interface Cornered {
  readonly part: TurnedPart;
  readonly asideX: number;
  readonly asideY: number;
}

/**
 * The field of `a` beside `b`. Which places are free is exact: pixels settle most of them, and the distance of polygons settles
 * those near the border.
 */
export function depthFieldOf(a: Cornered, b: Cornered, spacingMm: number, pixelMm: number): DepthField {
  const [widthA, depthA] = sidesOf(a.part.box);
  const [widthB, depthB] = sidesOf(b.part.box);
  const left = Math.ceil((widthA + spacingMm) / pixelMm) + 2;
  const front = Math.ceil((depthA + spacingMm) / pixelMm) + 2;
  const columns = left + Math.ceil((widthB + b.asideX + spacingMm) / pixelMm) + 3;
  const rows = front + Math.ceil((depthB + b.asideY + spacingMm) / pixelMm) + 3;
  const grid: PixelGrid = { columns, rows, pixelMm };
  const at = { x: left * pixelMm + b.asideX - b.part.box.minX, y: front * pixelMm + b.asideY - b.part.box.minY };
  const close = placesBeside(a.part, b.part, at, spacingMm - 2 * HALF_DIAGONAL * pixelMm, grid);
  const near = placesBeside(a.part, b.part, at, spacingMm + HALF_DIAGONAL * pixelMm, grid);
  const isFree = (column: number, row: number): boolean => {
    if (isBlocked(close, column, row)) return false;
    if (!isBlocked(near, column, row)) return true;
    const dx = at.x - (column * pixelMm - a.part.box.minX);
    const dy = at.y - (row * pixelMm - a.part.box.minY);
    return isApart(a.part, b.part, dx, dy, spacingMm);
  };
  const depths = Uint8Array.from(distancesToFree(isFree, columns, rows), (depth) =>
    Math.min(DEEPEST, Math.round(depth)),
  );
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

/** The field of the other part beside this one. */
export function reversed({ column, row, columns, rows, depths, starts, ends }: DepthField): DepthField {
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

/** The depth at a place, seen from the place of the other part. */
export function depthAt(field: DepthField, column: number, row: number): number {
  const [x, y] = [column - field.column, row - field.row];
  return x < 0 || y < 0 || x >= field.columns || y >= field.rows ? 0 : field.depths[y * field.columns + x];
}

const sidesOf = ({ minX, minY, maxX, maxY }: Rectangle): [width: number, depth: number] => [maxX - minX, maxY - minY];

/**
 * The places of `a` where a pixel that it is in, or half a diagonal from, has its middle less than `grownMm` from `b`: with the
 * spacing and half a diagonal, all where they are too close; with the spacing less a diagonal, none where they are not.
 */
function placesBeside(
  a: TurnedPart,
  b: TurnedPart,
  at: { readonly x: number; readonly y: number },
  grownMm: number,
  grid: PixelGrid,
): BlockedPlaces {
  const places = newBlockedPlaces(grid.columns, grid.rows);
  for (const [shape, other] of rivals(a, b)) {
    const mask = maskOf(shape, -a.box.minX, -a.box.minY, HALF_DIAGONAL * grid.pixelMm, grid);
    block(places, profileOf(mask, 1), maskOf(other, at.x, at.y, grownMm, grid));
  }
  return places;
}

function isApart(a: TurnedPart, b: TurnedPart, dx: number, dy: number, spacingMm: number): boolean {
  for (const [shape, other] of rivals(a, b)) {
    if (gapBetween(shape, other, dx, dy, spacingMm) < spacingMm - TOLERANCE_MM) return false;
  }
  return true;
}
