// AssemblyScript, compiled by `bun run wasm` to `plate-kernel.wasm.ts`. `plate-kernel.ts` allocates its memory, describes the method, and
// calls it.

import { addPlaced, clearPlaced, settle, settledX, settledY } from "./plate-clearance.as";
import { blockContacts, clearContacts, contacts, prepareRing } from "./plate-contacts.as";
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
import { findRuns, markCells, nextBit, runCount, runEnd, runStart, setBits, wordsOf } from "./plate-raster.as";

export { contactBits } from "./plate-contacts.as";
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
/** The free rows that {@link findRow} found last: bit i is row `freeFirst` + i. */
let freeMask: u64;
let freeFirst: i32;

/** Cells that the last placed part has blocked. */
let blockedLeft: i32;
let blockedRight: i32;
let blockedFront: i32;
let blockedBack: i32;

/** Forgets the placed parts; the searches of all shapes begin again. */
export function clear(): void {
  memory.fill(bits, 0, levels * levelBytes);
  clearContacts();
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
    const base = field + (column + 1) * 8 * wordsOf(depth);
    for (let from = nextBit(base, 1, depth + 1, 0); from <= depth; ) {
      const end = nextBit(base, from, min(depth + 1, from + (1 << levels) - 1), ~0);
      at = addLook(at, column, from - 1, end - from);
      count++;
      from = nextBit(base, end, depth + 1, 0);
    }
  }
  if (count === 0) {
    at = addLook(at, width >> 1, depth >> 1, 1);
    count = 1;
  }
  store<u32>(shape, <u32>target, LOOKS);
  store<i32>(shape, count, LOOK_COUNT);
  return prepareRing(shape, field, at);
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
  const ring = max(1, load<i32>(shape, RING_COUNT));
  let least = Infinity;
  let bestY = freeFirst + <i32>ctz(freeMask);
  let left = RATED_ROWS;
  store<i32>(shape, bestY, FIRST_RATED);
  while (left > 0) {
    const y = freeFirst + <i32>ctz(freeMask);
    // The next free rows, as steps from the first one.
    const second = freeMask & (freeMask - 1);
    const third = second & (second - 1);
    const fourth = third & (third - 1);
    const to2 = <u64>max(0, freeFirst + <i32>ctz(second) - y);
    const to3 = <u64>max(0, freeFirst + <i32>ctz(third) - y);
    const to4 = <u64>max(0, freeFirst + <i32>ctz(fourth) - y);
    let counts = contacts(shape, x, y, to2, to3, to4);
    let mask = freeMask;
    for (; left > 0 && mask !== 0; left--) {
      const row = freeFirst + <i32>ctz(mask);
      const cost = ROW_COST * row - (contactMm * <i32>(counts & 0xffff)) / ring;
      if (cost < least) {
        least = cost;
        bestY = row;
      }
      store<i32>(shape, row, LAST_RATED);
      mask &= mask - 1;
      counts >>= 16;
    }
    if (left > 0 && findRow(shape, x, freeFirst + CHUNK) < 0) break;
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
    if (blocked === ALL) continue;
    freeMask = ~blocked;
    freeFirst = first;
    return first + <i32>ctz(freeMask);
  }
  return -1;
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
      setBits(base, from, to);
      blockContacts(column, from, to);
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
