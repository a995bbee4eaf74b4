import type { BitList } from "./bit-list.ts";
import { blockHeader } from "./block-header.ts";
import type { ByteRuns } from "./byte-runs.ts";
import { countSymbols } from "./count-symbols.ts";
import {
  END_OF_BLOCK,
  lengthExtra,
  lengthExtraBits,
  lengthSymbol,
  LONGEST_MATCH,
  MAX_MATCH,
  MIN_MATCH,
} from "./length-codes.ts";
import { prefixCode } from "./prefix-code.ts";

// RFC 1951, section 3.2.7.
const MAX_CODE_LENGTH = 15;
/** Matches reach one byte back, always: the only distance has the code 0, of one bit. */
const DISTANCE_BITS = 1;

let bits = new Uint32Array();
let bitLengths = new Uint8Array();
let times = new Uint32Array();

/** The bytes as a block of deflate with the codes that suit them; good until the next call. */
export function deflateRuns(runs: ByteRuns): BitList {
  const { codes, lengths } = prefixCode(countSymbols(runs), MAX_CODE_LENGTH);
  const header = blockHeader(lengths, Uint8Array.of(DISTANCE_BITS));
  reserve(header.length + 3 * runs.size + 1);
  const [toBits, toLengths, toTimes] = [bits, bitLengths, times];
  let size = 0;
  const add = (word: number, length: number, count: number): void => {
    toBits[size] = word;
    toLengths[size] = length;
    toTimes[size++] = count;
  };
  const longestLength = lengths[LONGEST_MATCH] + DISTANCE_BITS;
  for (const [word, length] of header) add(word, length, 1);
  for (let i = 0; i < runs.size; i++) {
    const value = runs.values[i];
    let rest = runs.lengths[i] - 1;
    const few = rest < MIN_MATCH;
    add(codes[value], lengths[value], few ? 1 + rest : 1);
    if (few) continue;
    if (rest >= MAX_MATCH) {
      add(codes[LONGEST_MATCH], longestLength, Math.floor(rest / MAX_MATCH));
      rest %= MAX_MATCH;
    }
    if (rest >= MIN_MATCH) {
      const symbol = lengthSymbol[rest];
      const length = lengths[symbol];
      add(codes[symbol] | (lengthExtra[rest] << length), length + lengthExtraBits[rest] + DISTANCE_BITS, 1);
    } else if (rest > 0) {
      add(codes[value], lengths[value], rest);
    }
  }
  add(codes[END_OF_BLOCK], lengths[END_OF_BLOCK], 1);
  return { bits, lengths: bitLengths, times, size };
}

function reserve(capacity: number): void {
  if (capacity <= bits.length) return;
  bits = new Uint32Array(2 * capacity);
  bitLengths = new Uint8Array(2 * capacity);
  times = new Uint32Array(2 * capacity);
}
