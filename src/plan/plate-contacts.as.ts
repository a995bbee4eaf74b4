// AssemblyScript, part of `plate-kernel.as.ts`. The cells around shapes, and how many of them are blocked.

import { DEPTH, RING, RING_BYTES, RING_COUNT, WIDTH, columnBytes, columns, rows } from "./plate-floor.as";
import { setBits, wordsOf } from "./plate-raster.as";

/**
 * Address of the bits of cells that contacts count: those of level 0, and all around the floor. {@link MARGIN} columns are before column 0,
 * and 8 rows before row 0.
 */
export let contactBits: usize;

/** Columns of contact bits before the floor, and as many behind it. */
const MARGIN: i32 = 4;

/** Each so many cells around a shape are looked at. */
const RING_STEP: i32 = 2;

/** Bytes of a column of contact bits. */
// @ts-ignore: decorator
@inline
function contactColumn(): i32 {
  return columnBytes + 1;
}

/** Only the cells around the floor are blocked. */
export function clearContacts(): void {
  memory.fill(contactBits, 0xff, (columns + 2 * MARGIN) * contactColumn());
  for (let column = 0; column < columns; column++) {
    const base = contactBits + (column + MARGIN) * contactColumn() + 1;
    memory.fill(base, 0, rows >> 3);
    store<u8>(base + (rows >> 3), <u8>(<u32>0xff << (rows & 7)));
  }
}

/** Blocks rows of a column, from one up to another, exclusive. */
export function blockContacts(column: i32, from: i32, to: i32): void {
  setBits(contactBits + (column + MARGIN) * contactColumn() + 1, from, to);
}

/** Writes the ring of a shape, the cells beside those that are marked in a field, to an address; returns the address after it. */
export function prepareRing(shape: usize, field: usize, target: usize): usize {
  const width = load<i32>(shape, WIDTH);
  const depth = load<i32>(shape, DEPTH);
  const words = wordsOf(depth);
  let at = target;
  let skipped = 0;
  for (let column = 0; column < width + 2; column++) {
    for (let word = 0; word < words; word++) {
      const cell = field + 8 * (column * words + word);
      const own = load<u64>(cell);
      let beside = (own << 1) | (own >> 1);
      if (word > 0) beside |= load<u64>(cell - 8) >> 63;
      if (word + 1 < words) beside |= load<u64>(cell + 8) << 63;
      if (column > 0) beside |= load<u64>(cell - 8 * words);
      if (column <= width) beside |= load<u64>(cell + 8 * words);
      for (beside &= ~own; beside !== 0; beside &= beside - 1) {
        if (++skipped % RING_STEP !== 0) continue;
        const row = 64 * word + <i32>ctz(beside);
        store<i32>(at, 8 * (column - 1) * contactColumn() + row - 1);
        at += RING_BYTES;
      }
    }
  }
  store<u32>(shape, <u32>target, RING);
  store<i32>(shape, <i32>((at - target) / RING_BYTES), RING_COUNT);
  return at;
}

/**
 * How many of the cells around a shape at a place are blocked or beyond the floor: 16 bits each for a row and for those that are
 * `to2`, `to3` and `to4` behind it.
 */
export function contacts(shape: usize, x: i32, y: i32, to2: u64, to3: u64, to4: u64): u64 {
  const ring: usize = load<u32>(shape, RING);
  const place = 8 * ((x + MARGIN) * contactColumn() + 1) + y;
  let counts: u64 = 0;
  for (let at = ring, end = ring + load<u32>(shape, RING_COUNT) * RING_BYTES; at < end; at += RING_BYTES) {
    const bit = place + load<i32>(at);
    const word = load<u64>(contactBits + (bit >> 3)) >> (bit & 7);
    counts +=
      (word & 1) | (((word >> to2) & 1) << 16) | (((word >> to3) & 1) << 32) | (((word >> to4) & 1) << 48);
  }
  return counts;
}

