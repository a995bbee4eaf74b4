// AssemblyScript, compiled by `bun run wasm` to `tray.wasm.ts`. `tray.ts` allocates its memory, describes the method, and calls it.

/** The size of the tray in cells, the bytes of a row of bits, and the addresses of its bits and of the heights of its columns. */
export let columns: i32;
export let rows: i32;
export let rowBytes: i32;
export let bits: usize;
export let tops: usize;

/**
 * The present shape: the last x and y of a place at which the shape is inside the tray, and the addresses and numbers of its looks and of
 * its bottoms. A look is two 32-bit integers: bit offsets from the first bit of a place's row to the two bits that show whether a run is
 * free. A bottom is two 32-bit integers: the byte offset from the height of a place's column to that of the bottom's column, and the height
 * of the bottom in the shape.
 */
export let lastX: i32;
export let lastY: i32;
export let looks: usize;
export let lookCount: i32;
export let bottoms: usize;
export let bottomCount: i32;

/** At least this many of the 64 bits loaded from the byte of a bit follow that bit; the next load begins whole bytes later. */
const CHUNK: i32 = 56;
const NONE_FREE: u64 = ~0;

/** After this many looks the remaining free places are screened, because a free place takes hundreds of looks. */
const SCREENED_AFTER: i32 = 12;

/**
 * The index y · columns + x of the first free place of the present shape in a layer, from x, y on; −1 if there is none. `mustRise`: only
 * places from which the way straight up is free.
 */
export function findInLayer(x: i32, y: i32, z: i32, mustRise: bool): i32 {
  for (let from = x; y <= lastY; y++, from = 0) {
    const found = findInRow(from, y, z, mustRise);
    if (found >= 0) return y * columns + found;
  }
  return -1;
}

function findInRow(from: i32, y: i32, z: i32, mustRise: bool): i32 {
  const row = bits + (z * rows + y) * rowBytes;
  const screenAt = mustRise ? looks + (SCREENED_AFTER << 3) : 0;
  const end = looks + (lookCount << 3);
  for (let first = from - (from % CHUNK); first <= lastX; first += CHUNK) {
    const base = row + (first >> 3);
    let blocked: u64 = NONE_FREE << min(CHUNK, lastX + 1 - first);
    if (first < from) blocked |= ((<u64>1) << (from - first)) - 1;
    for (let at = looks; at < end && blocked !== NONE_FREE; at += 8) {
      if (at === screenAt) blocked = screened(blocked, first, y, z);
      const a = load<u32>(at);
      const b = load<u32>(at, 4);
      blocked |= (load<u64>(base + (a >> 3)) >> (a & 7)) | (load<u64>(base + (b >> 3)) >> (b & 7));
    }
    if (mustRise) blocked = screened(blocked, first, y, z);
    if (blocked !== NONE_FREE) return first + <i32>ctz(~blocked);
  }
  return -1;
}

/** Blocks the places of a chunk from which the way straight up is not free. */
function screened(blocked: u64, first: i32, y: i32, z: i32): u64 {
  for (let free = ~blocked; free !== 0; free &= free - 1) {
    const place = <i32>ctz(free);
    if (!rises(first + place, y, z)) blocked |= (<u64>1) << place;
  }
  return blocked;
}

/** Whether the way straight up is free above every column of the present shape. */
export function rises(x: i32, y: i32, z: i32): bool {
  const base = tops + ((y * columns + x) << 2);
  for (let at = bottoms, end = bottoms + (bottomCount << 3); at < end; at += 8) {
    if (load<i32>(base + load<u32>(at)) > z + load<i32>(at, 4)) return false;
  }
  return true;
}

/** Whether the present shape is free at one place. */
export function isFree(x: i32, y: i32, z: i32): bool {
  const row = bits + (z * rows + y) * rowBytes;
  for (let at = looks, end = looks + (lookCount << 3); at < end; at += 8) {
    const a = load<u32>(at) + x;
    const b = load<u32>(at, 4) + x;
    if (((load<u8>(row + (a >> 3)) >> (a & 7)) | (load<u8>(row + (b >> 3)) >> (b & 7))) & 1) return false;
  }
  return true;
}
