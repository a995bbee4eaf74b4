// AssemblyScript, part of the kernel `volume-kernel.as.ts`: polygons of facets in a slab, divided at the borders of pixel rows.

import { columns, rows } from "../raster/row-pieces.as";
import { addTrapezoid, beginPieces } from "./slab-pieces.as";

/** The first row that has pieces, and the one after the last. */
export let firstRow: i32 = 0;
export let endRow: i32 = 0;

/** The rows and columns that solids with gaps may touch: their volumes cannot be summed. */
export let openFirstRow: i32 = 0;
export let openEndRow: i32 = 0;
export let openFirstColumn: i32 = 0;
export let openEndColumn: i32 = 0;

/** Marks pixels whose volume cannot be summed, besides those of solids with gaps. */
export function markOpen(row: i32, rowEnd: i32, column: i32, columnEnd: i32): void {
  openFirstRow = min(openFirstRow, row);
  openEndRow = max(openEndRow, rowEnd);
  openFirstColumn = min(openFirstColumn, column);
  openEndColumn = max(openEndColumn, columnEnd);
}

/** Begins a slab. */
export function beginSlab(): void {
  beginPieces(firstRow, endRow);
  firstRow = rows;
  endRow = 0;
  openFirstRow = rows;
  openEndRow = 0;
  openFirstColumn = columns;
  openEndColumn = 0;
}

/** Corners of the polygon: x, y, z of each (8 bytes), and of the first one again after the last. */
const polygon = memory.data(6 * 24, 8);
let cornerCount: i32 = 0;

export function beginPolygon(): void {
  cornerCount = 0;
}

// @ts-ignore: a decorator of AssemblyScript.
@inline
export function addCorner(x: f64, y: f64, z: f64): void {
  const at = polygon + <usize>(cornerCount++) * 24;
  store<f64>(at, x);
  store<f64>(at, y, 8);
  store<f64>(at, z, 16);
}

// @ts-ignore: a decorator of AssemblyScript.
@inline
function corner(i: i32): usize {
  return polygon + <usize>i * 24;
}

/** One of the two chains of corners from the least y to the greatest: the ends of its edge, and the slopes of the edge along y. */
// @ts-ignore: a decorator of AssemblyScript.
@unmanaged
class Chain {
  at: i32;
  step: i32;
  startY: f64;
  startX: f64;
  startZ: f64;
  endY: f64;
  slopeX: f64;
  slopeZ: f64;
}
const ahead = changetype<Chain>(memory.data(64, 8));
const back = changetype<Chain>(memory.data(64, 8));

/** Goes to the next edge of a chain that ends below `y`. False at the end of the chain. */
// @ts-ignore: a decorator of AssemblyScript.
@inline
function advance(chain: Chain, y: f64, last: f64): bool {
  while (chain.endY <= y) {
    if (chain.endY === last) return false;
    const start = corner(chain.at);
    chain.at += chain.step;
    if (chain.at < 0) chain.at = cornerCount - 1;
    else if (chain.at === cornerCount) chain.at = 0;
    const end = corner(chain.at);
    chain.startX = load<f64>(start);
    chain.startY = load<f64>(start, 8);
    chain.startZ = load<f64>(start, 16);
    chain.endY = load<f64>(end, 8);
    const perRow = 1 / (chain.endY - chain.startY);
    chain.slopeX = (load<f64>(end) - chain.startX) * perRow;
    chain.slopeZ = (load<f64>(end, 16) - chain.startZ) * perRow;
  }
  return true;
}

/** Bits of tags: whether the order of the corners reverses the winding of the facet, and whether its solid has gaps. The body follows. */
const REVERSED: u32 = 1;
const OPEN: u32 = 2;
const TAG_BITS: u32 = 2;

/** Adds the polygon. `tag` as in `slab-facets.as.ts`. */
export function addPolygon(tag: u32): void {
  let first = 0;
  let last = 0;
  let left = load<f64>(polygon);
  let right = left;
  for (let i = 1; i < cornerCount; i++) {
    if (load<f64>(corner(i), 8) < load<f64>(corner(first), 8)) first = i;
    if (load<f64>(corner(i), 8) > load<f64>(corner(last), 8)) last = i;
    left = min(left, load<f64>(corner(i)));
    right = max(right, load<f64>(corner(i)));
  }
  let y = load<f64>(corner(first), 8);
  const lastY = load<f64>(corner(last), 8);
  // Nothing is to the right of what is beyond the right border.
  if (left >= <f64>columns || lastY <= 0 || y >= <f64>rows || y === lastY) return;
  if ((tag & OPEN) !== 0) {
    markOpen(
      <i32>max<f64>(0, floor(y)),
      <i32>min<f64>(<f64>rows, ceil(lastY)),
      <i32>max<f64>(0, floor(left)),
      <i32>max<f64>(0, min<f64>(<f64>columns, ceil(right))),
    );
    return;
  }
  const sign: f64 = (tag & REVERSED) === 0 ? 0.5 : -0.5;
  const body = tag >> TAG_BITS;
  ahead.at = first;
  ahead.step = 1;
  ahead.endY = y;
  back.at = first;
  back.step = -1;
  back.endY = y;
  if (y < 0) y = 0;
  advance(ahead, y, lastY);
  advance(back, y, lastY);
  let row = <i32>floor(y);
  firstRow = min(firstRow, row);
  let aheadX = ahead.startX + (y - ahead.startY) * ahead.slopeX;
  let aheadZ = ahead.startZ + (y - ahead.startY) * ahead.slopeZ;
  let backX = back.startX + (y - back.startY) * back.slopeX;
  let backZ = back.startZ + (y - back.startY) * back.slopeZ;
  for (;;) {
    // Rows up to the next corner, with all in variables.
    const end = min(ahead.endY, back.endY);
    const aheadY0 = ahead.startY;
    const aheadX0 = ahead.startX;
    const aheadZ0 = ahead.startZ;
    const aheadSlopeX = ahead.slopeX;
    const aheadSlopeZ = ahead.slopeZ;
    const backY0 = back.startY;
    const backX0 = back.startX;
    const backZ0 = back.startZ;
    const backSlopeX = back.slopeX;
    const backSlopeZ = back.slopeZ;
    while (y < end) {
      const nextY = min(<f64>(row + 1), end);
      const nextAheadX = aheadX0 + (nextY - aheadY0) * aheadSlopeX;
      const nextAheadZ = aheadZ0 + (nextY - aheadY0) * aheadSlopeZ;
      const nextBackX = backX0 + (nextY - backY0) * backSlopeX;
      const nextBackZ = backZ0 + (nextY - backY0) * backSlopeZ;
      const height = sign * (nextY - y);
      addTrapezoid(
        row,
        body,
        height * (aheadZ - backZ),
        height * (nextAheadZ - nextBackZ),
        aheadX,
        backX,
        nextAheadX,
        nextBackX,
      );
      y = nextY;
      aheadX = nextAheadX;
      aheadZ = nextAheadZ;
      backX = nextBackX;
      backZ = nextBackZ;
      if (y >= <f64>(row + 1) && ++row === rows) {
        endRow = rows;
        return;
      }
    }
    if (y >= lastY) break;
    if (ahead.endY <= y) {
      advance(ahead, y, lastY);
      aheadX = ahead.startX;
      aheadZ = ahead.startZ;
    }
    if (back.endY <= y) {
      advance(back, y, lastY);
      backX = back.startX;
      backZ = back.startZ;
    }
  }
  // A polygon that ends at the border of a row has nothing in the next one.
  endRow = max(endRow, lastY === <f64>row ? row : row + 1);
}
