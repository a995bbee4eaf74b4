// AssemblyScript, compiled by `bun run wasm` to `plate-kernel.wasm.ts`. `plate-kernel.ts` allocates its memory, describes the method, and
// calls it.

import { addPlaced, clearPlaced, settle, settledX, settledY } from "./plate-clearance.as";
import {
  BEST_X,
  BEST_Y,
  BIAS,
  BOX,
  COPIES,
  COST,
  DEPTH,
  FIRST_RATED,
  FIRST_SHAPE,
  IS_RATED,
  LAST_RATED,
  LAST_X,
  LAST_Y,
  LOOKS,
  LOOK_BYTES,
  LOOK_COUNT,
  NEXT_X,
  NEXT_Y,
  RING,
  RING_BYTES,
  RING_COUNT,
  SHAPE_BYTES,
  TURNS,
  WIDTH,
  cellMm,
  columnBytes,
  columns,
  gapMm,
  levelBytes,
  minX,
  minY,
  rows,
} from "./plate-floor.as";
import { findRuns, markCells, runCount, runEnd, runStart } from "./plate-raster.as";

export { placed, placedCount, settledX, settledY } from "./plate-clearance.as";
export {
  cellMm,
  columnBytes,
  columns,
  cornerRadius,
  gapMm,
  innerX,
  innerY,
  levelBytes,
  maxX,
  maxY,
  minX,
  minY,
  rows,
} from "./plate-floor.as";

/** Addresses of the bits of blocked cells, of the records of shapes, and of the field in which the cells of a shape are marked. */
export let bits: usize;
export let shapes: usize;
export let field: usize;
export let shapeCount: i32;
/** Levels of bits: in level k the bit of a row is set if any of the rows from it to it + 2^k − 1 is blocked. */
export let levels: i32;
/** What all cells around a shape are worth where they are blocked, mm. */
export let contactMm: f64;

/** At least this many of the 64 bits loaded from the byte of a bit follow that bit. */
const CHUNK: i32 = 56;
const ALL: u64 = ~0;
/** Rows of a column that are rated for a shape. */
const RATED_ROWS: i32 = 4;
/** Of equal places the one in front. */
const ROW_COST: f64 = 1e-3;
/** Each so many cells around a shape are looked at. */
const RING_STEP: i32 = 2;

/** Cells that the last placed part has blocked. */
let blockedLeft: i32;
let blockedRight: i32;
let blockedFront: i32;
let blockedBack: i32;

/** Forgets the placed parts; the searches of all shapes begin again. */
export function clear(): void {
  memory.fill(bits, 0, levels * levelBytes);
  clearPlaced();
  blockedRight = -1;
  for (let i = 0; i < shapeCount; i++) {
    const shape = shapes + i * SHAPE_BYTES;
    store<i32>(shape, 0, NEXT_X);
    store<i32>(shape, 0, NEXT_Y);
    store<i32>(shape, 0, IS_RATED);
  }
}

/** Writes looks and ring of a shape from its box and edges to an address; returns the address after them. */
export function prepare(shape: usize, target: usize): usize {
  const width = load<i32>(shape, WIDTH);
  const depth = load<i32>(shape, DEPTH);
  markCells(shape, field, width, depth);
  let at = target;
  let count = 0;
  // Columns far apart come first: together they block most places.
  const size = 32 - clz(max(1, width - 1));
  for (let i = 0; i < 1 << size; i++) {
    const column = reversed(i, size);
    if (column >= width) continue;
    const base = field + (column + 1) * (depth + 2) + 1;
    for (let row = 0; row < depth; ) {
      if (load<u8>(base + row) === 0) {
        row++;
        continue;
      }
      let end = row + 1;
      while (end < depth && load<u8>(base + end) !== 0 && end - row < (1 << levels) - 1) end++;
      at = addLook(at, column, row, end - row);
      count++;
      row = end;
    }
  }
  if (count === 0) {
    at = addLook(at, width >> 1, depth >> 1, 1);
    count = 1;
  }
  store<u32>(shape, <u32>target, LOOKS);
  store<i32>(shape, count, LOOK_COUNT);
  return prepareRing(shape, at, width, depth);
}

function reversed(value: i32, size: i32): i32 {
  let result = 0;
  for (let i = 0; i < size; i++) result |= ((value >> i) & 1) << (size - 1 - i);
  return result;
}

function addLook(at: usize, column: i32, row: i32, length: i32): usize {
  const level = 31 - clz(length);
  const first = 8 * (level * levelBytes + column * columnBytes) + row;
  store<i32>(at, first);
  store<i32>(at, first + length - (1 << level), 4);
  return at + LOOK_BYTES;
}

/** The cells beside those of a shape. */
function prepareRing(shape: usize, target: usize, width: i32, depth: i32): usize {
  const stride = depth + 2;
  let at = target;
  let skipped = 0;
  for (let column = 0; column < width + 2; column++) {
    for (let row = 0; row < stride; row++) {
      const cell = field + column * stride + row;
      if (load<u8>(cell) !== 0) continue;
      const beside =
        (column > 0 && load<u8>(cell - stride) !== 0) ||
        (column <= width && load<u8>(cell + stride) !== 0) ||
        (row > 0 && load<u8>(cell - 1) !== 0) ||
        (row <= depth && load<u8>(cell + 1) !== 0);
      if (!beside || ++skipped % RING_STEP !== 0) continue;
      store<i16>(at, <i16>(column - 1));
      store<i16>(at, <i16>(row - 1), 2);
      at += RING_BYTES;
    }
  }
  store<u32>(shape, <u32>target, RING);
  store<i32>(shape, <i32>((at - target) / RING_BYTES), RING_COUNT);
  return at;
}

/** The index of the shape whose best place costs least; −1 if none has a place. */
export function choose(): i32 {
  let best = -1;
  let least = Infinity;
  for (let i = 0; i < shapeCount; i++) {
    const shape = shapes + i * SHAPE_BYTES;
    const bias = load<f64>(shape, BIAS);
    if (load<i32>(shape, COPIES) === 0 || bias === Infinity) continue;
    if ((load<i32>(shape, IS_RATED) === 0 || isTouched(shape)) && !rate(shape)) continue;
    const cost = load<f64>(shape, COST) + bias;
    if (cost >= least) continue;
    least = cost;
    best = i;
  }
  blockedRight = -1;
  return best;
}

/** Whether the last placed part has blocked cells at the places of a shape that were rated. */
function isTouched(shape: usize): bool {
  const x = load<i32>(shape, BEST_X);
  return (
    blockedRight >= x - 1 &&
    blockedLeft <= x + load<i32>(shape, WIDTH) &&
    blockedBack >= load<i32>(shape, FIRST_RATED) - 1 &&
    blockedFront <= load<i32>(shape, LAST_RATED) + load<i32>(shape, DEPTH)
  );
}

/** Finds the best of the first free places of a shape; false where it has none. */
function rate(shape: usize): bool {
  const x = findColumn(shape);
  if (x > load<i32>(shape, LAST_X)) return false;
  let y = load<i32>(shape, NEXT_Y);
  let least = Infinity;
  let bestY = y;
  store<i32>(shape, y, FIRST_RATED);
  for (let i = 0; i < RATED_ROWS && y >= 0; i++) {
    const cost = ROW_COST * y - (contactMm * contacts(shape, x, y)) / max(1, load<i32>(shape, RING_COUNT));
    if (cost < least) {
      least = cost;
      bestY = y;
    }
    store<i32>(shape, y, LAST_RATED);
    y = findRow(shape, x, y + 1);
  }
  store<f64>(shape, cellMm * (x + 0.5 * load<i32>(shape, WIDTH)) + least, COST);
  store<i32>(shape, x, BEST_X);
  store<i32>(shape, bestY, BEST_Y);
  store<i32>(shape, 1, IS_RATED);
  return true;
}

/** Moves the search of a shape to its first column with a free place, which never become free again. */
function findColumn(shape: usize): i32 {
  const last = load<i32>(shape, LAST_X);
  let x = load<i32>(shape, NEXT_X);
  let from = load<i32>(shape, NEXT_Y);
  for (; x <= last; x++, from = 0) {
    const row = findRow(shape, x, from);
    if (row < 0) continue;
    store<i32>(shape, row, NEXT_Y);
    break;
  }
  store<i32>(shape, x, NEXT_X);
  return x;
}

/** The first free row of a shape in a column, from a row on; −1 if there is none. */
function findRow(shape: usize, x: i32, from: i32): i32 {
  const looks: usize = load<u32>(shape, LOOKS);
  const end = looks + load<u32>(shape, LOOK_COUNT) * LOOK_BYTES;
  const last = load<i32>(shape, LAST_Y);
  const column = bits + x * columnBytes;
  for (let first = from - (from % CHUNK); first <= last; first += CHUNK) {
    const base = column + (first >> 3);
    let blocked: u64 = ALL << min(CHUNK, last + 1 - first);
    if (first < from) blocked |= ((<u64>1) << (from - first)) - 1;
    for (let at = looks; at < end && blocked !== ALL; at += LOOK_BYTES) {
      const a = load<u32>(at);
      const b = load<u32>(at, 4);
      blocked |= (load<u64>(base + (a >> 3)) >> (a & 7)) | (load<u64>(base + (b >> 3)) >> (b & 7));
    }
    if (blocked !== ALL) return first + <i32>ctz(~blocked);
  }
  return -1;
}

/** How many of the cells around a shape at a place are blocked or beyond the floor. */
function contacts(shape: usize, x: i32, y: i32): i32 {
  const ring: usize = load<u32>(shape, RING);
  let count = 0;
  for (let at = ring, end = ring + load<u32>(shape, RING_COUNT) * RING_BYTES; at < end; at += RING_BYTES) {
    const u = x + load<i16>(at);
    const v = y + load<i16>(at, 2);
    if (<u32>u >= <u32>columns || <u32>v >= <u32>rows) count++;
    else count += (load<u8>(bits + u * columnBytes + (v >> 3)) >> (v & 7)) & 1;
  }
  return count;
}

/**
 * Places a shape exactly near its best place, and takes one copy of its part. False where it does not fit there after all: that place
 * counts as blocked.
 */
export function placeBest(index: i32): bool {
  const shape = shapes + index * SHAPE_BYTES;
  const x = load<i32>(shape, BEST_X);
  const y = load<i32>(shape, BEST_Y);
  if (!settle(shape, x, y)) {
    store<i32>(shape, y + 1, NEXT_Y);
    store<i32>(shape, 0, IS_RATED);
    return false;
  }
  addPlaced(shape, settledX, settledY);
  block(shape, settledX, settledY);
  const first = shapes + load<i32>(shape, FIRST_SHAPE) * SHAPE_BYTES;
  for (let i = 0, turns = load<i32>(shape, TURNS); i < turns; i++) {
    const turned = first + i * SHAPE_BYTES;
    store<i32>(turned, load<i32>(turned, COPIES) - 1, COPIES);
  }
  return true;
}

/** Blocks the cells whose centres are nearer to a shape at x, y than the gap. */
function block(shape: usize, x: f64, y: f64): void {
  blockedLeft = max(0, <i32>floor((x + load<f64>(shape, BOX) - gapMm - minX) / cellMm));
  blockedRight = min(columns - 1, <i32>floor((x + load<f64>(shape, BOX + 16) + gapMm - minX) / cellMm));
  blockedFront = rows;
  blockedBack = -1;
  for (let column = blockedLeft; column <= blockedRight; column++) {
    findRuns(shape, minX + cellMm * (<f64>column + 0.5) - x, minY - y, gapMm);
    const base = bits + column * columnBytes;
    for (let i = 0; i < runCount; i++) {
      const from = max(0, runStart(i));
      const to = min(rows, runEnd(i));
      if (from >= to) continue;
      blockedFront = min(blockedFront, from);
      blockedBack = max(blockedBack, to - 1);
      for (let row = from; row < to; row++) {
        const at = base + (row >> 3);
        store<u8>(at, load<u8>(at) | (<u8>1 << <u8>(row & 7)));
      }
    }
  }
  for (let level = 1; level < levels; level++) widen(level);
}

/** Brings a level of the columns that were blocked last up to date. */
function widen(level: i32): void {
  const shift = 1 << (level - 1);
  const skip = shift >> 3;
  const rest = shift & 7;
  for (let column = blockedLeft; column <= blockedRight; column++) {
    const source = bits + (level - 1) * levelBytes + column * columnBytes;
    const target = source + levelBytes;
    // The highest byte of each lacks the bits that were shifted out of it, and is written again by the next. Columns end with empty bytes.
    for (let at: usize = 0; at + 24 <= <usize>columnBytes; at += 7) {
      const word = load<u64>(source + at) | (load<u64>(source + at + skip) >> rest);
      store<u64>(target + at, word);
    }
  }
}
