// AssemblyScript, part of the kernel `png-runs.as.ts`: the codes of a block of deflate (RFC 1951, sections 3.2.2 to 3.2.7) as tables.

import { drop, peek, refill, take } from "./bit-input.as";

/** Symbol, shifted by 4 bits, and length of the code that begins with 15 bits; 0 for none. 2 bytes each. */
export let literalTable: usize;
export let distanceTable: usize;
/** Lengths of both codes, one after the other, 1 byte each, then those of the code of lengths. */
export let lengths: usize;

const TABLE_ENTRIES: u32 = 1 << 15;
const MAX_CODE_LENGTH: u32 = 15;
const LITERALS: u32 = 288;
const DISTANCES: u32 = 32;
const LENGTH_SYMBOLS: u32 = 19;
/** Symbols of the code of lengths, in the order of the file. */
const LENGTH_ORDER: usize = memory.data<u8>([16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]);

export function setFixedTables(): void {
  memory.fill(lengths, 8, 144);
  memory.fill(lengths + 144, 9, 112);
  memory.fill(lengths + 256, 7, 24);
  memory.fill(lengths + 280, 8, 8);
  memory.fill(lengths + LITERALS, 5, DISTANCES);
  setTable(literalTable, lengths, LITERALS);
  setTable(distanceTable, lengths + LITERALS, DISTANCES);
}

/** Reads the codes at the beginning of a block. Returns whether they are codes. */
export function readTables(): bool {
  refill();
  const literals = take(5) + 257;
  const distances = take(5) + 1;
  const ordered = take(4) + 4;
  const own = lengths + LITERALS + DISTANCES;
  memory.fill(own, 0, LENGTH_SYMBOLS);
  for (let i: u32 = 0; i < ordered; i++) {
    refill();
    store<u8>(own + load<u8>(LENGTH_ORDER + i), take(3));
  }
  if (!setTable(literalTable, own, LENGTH_SYMBOLS)) return false;
  if (literals > LITERALS || !readLengths(literals + distances)) return false;
  return setTable(distanceTable, lengths + literals, distances) && setTable(literalTable, lengths, literals);
}

/** Reads lengths by the code in the table of literals. */
function readLengths(count: u32): bool {
  for (let i: u32 = 0; i < count; ) {
    refill();
    const entry = <u32>load<u16>(literalTable + (peek() << 1));
    if (entry === 0) return false;
    drop(entry & 15);
    const symbol = entry >> 4;
    if (symbol < 16) {
      store<u8>(lengths + i++, symbol);
      continue;
    }
    if (symbol === 16 && i === 0) return false;
    const length: u32 = symbol === 16 ? load<u8>(lengths + i - 1) : 0;
    const times = symbol === 16 ? 3 + take(2) : symbol === 17 ? 3 + take(3) : 11 + take(7);
    if (i + times > count) return false;
    memory.fill(lengths + i, <u8>length, times);
    i += times;
  }
  return true;
}

/** Sets the table of the canonical code with these lengths. Returns false for lengths of no code. */
function setTable(table: usize, from: usize, symbols: u32): bool {
  memory.fill(table, 0, TABLE_ENTRIES << 1);
  let code: u32 = 0;
  for (let length: u32 = 1; length <= MAX_CODE_LENGTH; length++) {
    code <<= 1;
    for (let symbol: u32 = 0; symbol < symbols; symbol++) {
      if (load<u8>(from + symbol) !== length) continue;
      if (code >> length !== 0) return false;
      const entry = (symbol << 4) | length;
      for (let bits = reversed(code, length); bits < TABLE_ENTRIES; bits += 1 << length) {
        store<u16>(table + (bits << 1), entry);
      }
      code++;
    }
  }
  return true;
}

function reversed(code: u32, length: u32): u32 {
  let bits: u32 = 0;
  for (let i: u32 = 0; i < length; i++) bits |= ((code >> i) & 1) << (length - 1 - i);
  return bits;
}
