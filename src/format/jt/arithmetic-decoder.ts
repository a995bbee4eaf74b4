import type { ErrorFactory } from "../../core/api-error.ts";
import { type BitReader, damagedNumbers } from "./bit-reader.ts";

/** Start of each entry of a context in the sum of their occurrences, and the entry at each position of this sum. */
export interface SymbolTable {
  readonly starts: readonly number[];
  readonly entryAt: Uint16Array;
}

const TOP = 0x8000;
const SECOND = 0x4000;
const MASK = 0xffff;

export function symbolTable(entries: readonly { readonly occurrences: number }[], refuse: ErrorFactory): SymbolTable {
  const starts = [0];
  for (const { occurrences } of entries) starts.push(starts.at(-1)! + occurrences);
  const total = starts.at(-1)!;
  if (total === 0 || total > MASK) throw damagedNumbers(refuse);
  const entryAt = new Uint16Array(total);
  for (let i = 0; i < entries.length; i++) entryAt.fill(i, starts[i], starts[i + 1]);
  return { starts, entryAt };
}

/**
 * Decodes arithmetic codes of 16 bits (I. Witten, R. Neal, J. Cleary, 1987): each call decodes the next entry of a table; the table
 * may change between calls.
 */
export function newArithmeticDecoder(bits: BitReader, refuse: ErrorFactory): (table: SymbolTable) => number {
  let [low, high, code] = [0, MASK, bits.unsigned(16)];
  return ({ starts, entryAt }) => {
    const total = entryAt.length;
    const range = high - low + 1;
    const rescaled = Math.floor(((code - low + 1) * total - 1) / range);
    if (!(rescaled >= 0 && rescaled < total)) throw damagedNumbers(refuse);
    const index = entryAt[rescaled];
    high = low + Math.floor((range * starts[index + 1]) / total) - 1;
    low += Math.floor((range * starts[index]) / total);
    for (;;) {
      if (((low ^ high) & TOP) !== 0) {
        if ((low & SECOND) === 0 || (high & SECOND) !== 0) return index;
        code ^= SECOND;
        low &= SECOND - 1;
        high |= SECOND;
      }
      low = (low << 1) & MASK;
      high = ((high << 1) & MASK) | 1;
      code = ((code << 1) & MASK) | bits.bit();
    }
  };
}
