import { codeLengths } from "./code-lengths.ts";

/** A code for each symbol, for a writer that puts the lowest bit first; where the length is 0 there is none. */
export interface PrefixCode {
  readonly codes: Uint16Array;
  readonly lengths: Uint8Array;
}

/** The code that suits the counts, of at most `limit` ≤ 15 bits, in the canonical order of RFC 1951, section 3.2.2. */
export function prefixCode(counts: Uint32Array, limit: number): PrefixCode {
  const lengths = codeLengths(counts, limit);
  const next = firstCodes(lengths, limit);
  const codes = new Uint16Array(lengths.length);
  for (let symbol = 0; symbol < lengths.length; symbol++) {
    const length = lengths[symbol];
    if (length > 0) codes[symbol] = reversed(next[length]++, length);
  }
  return { codes, lengths };
}

/** The first code of each length. */
function firstCodes(lengths: Uint8Array, limit: number): Uint16Array {
  const counts = new Uint16Array(limit + 1);
  for (const length of lengths) if (length > 0) counts[length]++;
  const first = new Uint16Array(limit + 1);
  for (let length = 1; length <= limit; length++) first[length] = (first[length - 1] + counts[length - 1]) << 1;
  return first;
}

function reversed(code: number, length: number): number {
  let turned = 0;
  for (let bit = 0; bit < length; bit++) turned |= ((code >> bit) & 1) << (length - 1 - bit);
  return turned;
}
