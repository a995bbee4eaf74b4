import type { IndexedPolygon } from "./indexed-polygon.ts";

/**
 * A rectangle of bits over the pixels of a grid, each row in words of 32. Row 0 is at the front, column 0 at the left.
 */
export interface BitMask {
  /** First row and column of the grid that the mask covers. May be negative. */
  readonly row: number;
  readonly column: number;
  readonly rows: number;
  /** Words per row. */
  readonly words: number;
  readonly bits: Uint32Array;
}

/** A grid of square pixels over the floor of a layout. The rasters of printers are `slice/pixel-grid.ts`. */
export interface FloorGrid {
  readonly columns: number;
  readonly rows: number;
  readonly pixelMm: number;
}

/** Half the diagonal of a pixel, in pixels: the greatest distance between a position and the centre of its pixel. */
export const HALF_DIAGONAL = Math.SQRT1_2;

/** Masks extend this far beyond the grid: a part may be half a pixel outside and is drawn wider than it is. */
const MARGIN_PIXELS = 3;

/**
 * The pixels whose centres are in the polygon offset by `grownMm` (inward where negative). The polygon is moved by (x,
 * y) from the corner of the grid; pixels far outside the grid are left out.
 */
export function rasterizePolygon(
  shape: IndexedPolygon,
  x: number,
  y: number,
  grownMm: number,
  { columns, rows: height, pixelMm }: FloorGrid,
): BitMask {
  const around = Math.max(0, grownMm);
  const { minX, minY, maxX, maxY } = shape.box;
  const column = Math.max(-MARGIN_PIXELS, Math.floor((x + minX - around) / pixelMm) - 1);
  const row = Math.max(-MARGIN_PIXELS, Math.floor((y + minY - around) / pixelMm) - 1);
  const rows = Math.max(0, Math.min(height + MARGIN_PIXELS, Math.ceil((y + maxY + around) / pixelMm) + 1) - row);
  const words =
    Math.max(0, Math.min(columns + MARGIN_PIXELS, Math.ceil((x + maxX + around) / pixelMm) + 1) - column + 31) >> 5;
  const mask: BitMask = { row, column, rows, words, bits: new Uint32Array(rows * words) };
  if (mask.bits.length === 0) return mask;
  const toGrid: GridTransform = { dx: x / pixelMm - column, dy: y / pixelMm - row, perMm: 1 / pixelMm };
  fillInterior(mask, shape, toGrid);
  const radius = Math.abs(grownMm) / pixelMm;
  if (radius > 0)
    for (let i = 0; i < shape.edges.length; i += 4) drawCapsule(mask, shape.edges, i, radius, toGrid, grownMm > 0);
  return mask;
}

/** Converts millimetres of a polygon to pixels of a mask. */
interface GridTransform {
  readonly dx: number;
  readonly dy: number;
  readonly perMm: number;
}

/** Sets the pixels whose centres are in the polygon, by the non-zero rule. */
function fillInterior(mask: BitMask, { edges }: IndexedPolygon, { dx, dy, perMm }: GridTransform): void {
  const crossings: { x: number; rise: number }[][] = Array.from({ length: mask.rows }, () => []);
  for (let i = 0; i < edges.length; i += 4) {
    const [ax, ay] = [edges[i] * perMm + dx, edges[i + 1] * perMm + dy];
    const [bx, by] = [edges[i + 2] * perMm + dx, edges[i + 3] * perMm + dy];
    const rise = by > ay ? 1 : -1;
    const last = Math.min(mask.rows, Math.ceil(Math.max(ay, by) - 0.5));
    for (let row = Math.max(0, Math.ceil(Math.min(ay, by) - 0.5)); row < last; row++) {
      crossings[row].push({ x: ax + ((bx - ax) * (row + 0.5 - ay)) / (by - ay), rise });
    }
  }
  for (const [row, line] of crossings.entries()) {
    line.sort((a, b) => a.x - b.x);
    let winding = 0;
    // The solid side is on the left of an edge: right of an edge that runs down.
    for (const [i, { x, rise }] of line.entries()) {
      winding -= rise;
      if (winding > 0) setRun(mask, row, x, line[i + 1].x, true);
    }
  }
}

/** Sets or clears the pixels whose centres are less than `radius` pixels from an edge. */
function drawCapsule(
  mask: BitMask,
  edges: Float64Array,
  i: number,
  radius: number,
  { dx, dy, perMm }: GridTransform,
  value: boolean,
): void {
  const [ax, ay] = [edges[i] * perMm + dx, edges[i + 1] * perMm + dy];
  const [bx, by] = [edges[i + 2] * perMm + dx, edges[i + 3] * perMm + dy];
  const length = Math.sqrt((bx - ax) ** 2 + (by - ay) ** 2);
  const [nx, ny] = length > 0 ? [(-(by - ay) / length) * radius, ((bx - ax) / length) * radius] : [0, 0];
  const last = Math.min(mask.rows - 1, Math.floor(Math.max(ay, by) + radius - 0.5));
  for (let row = Math.max(0, Math.ceil(Math.min(ay, by) - radius - 0.5)); row <= last; row++) {
    const y = row + 0.5;
    let [from, to] = [Infinity, -Infinity];
    const include = (x: number): void => {
      from = Math.min(from, x);
      to = Math.max(to, x);
    };
    for (const [x, rise] of [
      [ax, y - ay],
      [bx, y - by],
    ]) {
      const square = radius * radius - rise * rise;
      if (square < 0) continue;
      include(x - Math.sqrt(square));
      include(x + Math.sqrt(square));
    }
    // The two long sides of the capsule.
    for (const side of [1, -1]) {
      const [low, high] = [ay + side * ny, by + side * ny];
      if (low === high || low > y === high > y) continue;
      include(ax + side * nx + ((bx - ax) * (y - low)) / (high - low));
    }
    if (from < to) setRun(mask, row, from, to, value);
  }
}

/** Sets or clears the pixels of a row whose centres are in [from, to). */
function setRun({ words, bits }: BitMask, row: number, from: number, to: number, value: boolean): void {
  const first = Math.max(0, Math.ceil(from - 0.5));
  const last = Math.min(32 * words, Math.ceil(to - 0.5)) - 1;
  if (first > last) return;
  const [start, end] = [row * words + (first >> 5), row * words + (last >> 5)];
  for (let word = start; word <= end; word++) {
    let run = 0xffff_ffff;
    if (word === start) run &= 0xffff_ffff << (first & 31);
    if (word === end) run &= 0xffff_ffff >>> (31 - (last & 31));
    if (value) bits[word] |= run;
    else bits[word] &= ~run;
  }
}

/** The runs of set pixels in a row: the first column and the one after the last, relative to the mask. */
export function runsOf({ words, bits }: BitMask, row: number): [start: number, end: number][] {
  const runs: [number, number][] = [];
  let start = -1;
  for (let column = 0; column <= 32 * words; column++) {
    const set = column < 32 * words && ((bits[row * words + (column >> 5)] >>> (column & 31)) & 1) === 1;
    if (set && start < 0) start = column;
    if (!set && start >= 0) {
      runs.push([start, column]);
      start = -1;
    }
  }
  return runs;
}

/** Sets the pixels of `mask` in a mask that covers it. */
export function addToMask(to: BitMask, mask: BitMask): void {
  for (let row = 0; row < mask.rows; row++) {
    for (const [start, end] of runsOf(mask, row)) {
      setRun(to, mask.row + row - to.row, mask.column - to.column + start, mask.column - to.column + end, true);
    }
  }
}

/** A mask over the whole grid and its margin with no pixel set. */
export function emptyMask({ columns, rows }: FloorGrid): BitMask {
  const words = (columns + 2 * MARGIN_PIXELS + 31) >> 5;
  const height = rows + 2 * MARGIN_PIXELS;
  return { row: -MARGIN_PIXELS, column: -MARGIN_PIXELS, rows: height, words, bits: new Uint32Array(height * words) };
}
