// AssemblyScript, compiled by `bun run wasm` to `png-runs.wasm.ts`. `png-runs.ts` allocates its memory and calls it.
//
// The rows of a layer from the deflated data of a PNG picture, without its bytes: data that repeat only the byte before (matches at
// distance 1, RFC 1951) are runs already, and so are rows without a filter or equal to the row above (PNG, section 9).

import { literalTable, distanceTable, readTables, setFixedTables } from "./inflate-tables.as";
import { align, at, drop, end, hasOverrun, limit, peek, refill, setAt, take } from "./bit-input.as";

export { distanceTable, lengths, literalTable } from "./inflate-tables.as";

/** The deflated data, with 16 bytes after them. */
export let packed: usize;
export let packedBytes: u32;
/** Bytes of a row, at least as many as its columns: those beyond are left out. */
export let rowBytes: u32;
export let columns: u32;
export let height: u32;
/** The runs, as in `LayerRuns`. */
export let rowStarts: usize;
export let starts: usize;
export let ends: usize;
export let values: usize;
/** Runs for which there is room. */
export let capacity: u32;

/** Results: all rows are there; the data have other matches or filters, or are damaged; there is no room for the runs. */
const DONE: i32 = 0;
const OTHER: i32 = 1;
const FULL: i32 = 2;

const NONE: u32 = 0;
const UP: u32 = 2;
/** No byte was read yet. */
const NO_VALUE: u32 = 256;
const FILTER_NEXT: u32 = 0xffff_ffff;

let count: u32;
let row: u32;
let column: u32;
let filter: u32;
/** The run of bytes that may still grow. */
let value: u32;
let length: u32;

export function readRuns(): i32 {
  setAt(packed, packed + packedBytes);
  count = 0;
  row = 0;
  column = FILTER_NEXT;
  value = NO_VALUE;
  length = 0;
  store<u32>(rowStarts, 0);
  for (let isLast = false; !isLast; ) {
    refill();
    isLast = take(1) === 1;
    const kind = take(2);
    if (kind === 3) return OTHER;
    const status = kind === 0 ? readStored() : readCoded(kind === 1);
    if (status !== DONE) return status;
    if (hasOverrun()) return OTHER;
  }
  const status = place();
  if (status !== DONE) return status;
  return row === height && column === FILTER_NEXT ? DONE : OTHER;
}

/** A block without compression. */
function readStored(): i32 {
  align();
  if (at + 4 > end) return OTHER;
  const size = <u32>load<u16>(at);
  if ((size ^ <u32>load<u16>(at + 2)) !== 0xffff || at + 4 + size > end) return OTHER;
  const from = at + 4;
  for (let i: u32 = 0; i < size; i++) {
    const status = add(load<u8>(from + i));
    if (status !== DONE) return status;
  }
  setAt(from + size, end);
  return DONE;
}

const END_OF_BLOCK: u32 = 256;

function readCoded(isFixed: bool): i32 {
  if (isFixed) setFixedTables();
  else if (!readTables()) return OTHER;
  while (at <= limit) {
    refill();
    const entry = <u32>load<u16>(literalTable + (peek() << 1));
    if (entry === 0) return OTHER;
    drop(entry & 15);
    const symbol = entry >> 4;
    if (symbol < END_OF_BLOCK) {
      const status = add(symbol);
      if (status !== DONE) return status;
      continue;
    }
    if (symbol === END_OF_BLOCK) return DONE;
    const more = matchLength(symbol);
    const distance = <u32>load<u16>(distanceTable + (peek() << 1));
    // Symbol 0 is distance 1.
    if (more === 0 || distance === 0 || distance >> 4 !== 0 || value === NO_VALUE) return OTHER;
    drop(distance & 15);
    length += more;
  }
  return OTHER;
}

/** Length of a match (RFC 1951, section 3.2.5); 0 for a symbol that has none. */
// @ts-ignore: a decorator of AssemblyScript.
@inline
function matchLength(symbol: u32): u32 {
  if (symbol < 265) return symbol - 254;
  if (symbol === 285) return 258;
  if (symbol > 285) return 0;
  const extra = (symbol - 261) >> 2;
  return ((4 + ((symbol - 265) & 3)) << extra) + 3 + take(extra);
}

// @ts-ignore: a decorator of AssemblyScript.
@inline
function add(byte: u32): i32 {
  if (byte === value) {
    length++;
    return DONE;
  }
  const status = place();
  value = byte;
  length = 1;
  return status;
}

/** Puts the present run of bytes into the rows. */
function place(): i32 {
  while (length > 0) {
    if (column === FILTER_NEXT) {
      if (row === height || (value !== NONE && value !== UP)) return OTHER;
      filter = value;
      column = 0;
      length--;
      continue;
    }
    const part = min(length, rowBytes - column);
    if (value !== 0) {
      if (filter === UP) return OTHER;
      if (column < columns && !push(column, min(column + part, columns), value)) return FULL;
    }
    column += part;
    length -= part;
    if (column === rowBytes && !endRow()) return FULL;
  }
  return DONE;
}

// @ts-ignore: a decorator of AssemblyScript.
@inline
function push(start: u32, end: u32, value: u32): bool {
  if (count === capacity) return false;
  store<u16>(starts + (count << 1), start);
  store<u16>(ends + (count << 1), end);
  store<u8>(values + count, value);
  count++;
  return true;
}

/** Ends a row. One with the filter Up, whose differences are 0, has the runs of the row above. */
function endRow(): bool {
  if (filter === UP && row > 0) {
    const first = load<u32>(rowStarts + ((row - 1) << 2));
    const runs = count - first;
    if (count + runs > capacity) return false;
    memory.copy(starts + (count << 1), starts + (first << 1), runs << 1);
    memory.copy(ends + (count << 1), ends + (first << 1), runs << 1);
    memory.copy(values + count, values + first, runs);
    count += runs;
  }
  row++;
  store<u32>(rowStarts + (row << 2), count);
  column = FILTER_NEXT;
  return true;
}
