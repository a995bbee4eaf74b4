import type { BitList } from "./bit-list.ts";
import { prefixCode } from "./huffman-code.ts";

/** Run-length encoded bytes, fewer than 2³² in all. The arrays may be longer than `size`. */
export interface ByteRuns {
  readonly values: Uint8Array;
  /** Each at least 1. */
  readonly lengths: Uint32Array;
  readonly size: number;
}

// Length symbols: RFC 1951, section 3.2.5.
const MIN_MATCH = 3;
const MAX_MATCH = 258;
/** The symbol after the 256 literals. */
const END_OF_BLOCK = 256;
const FIRST_LENGTH_SYMBOL = 257;
/** Number of symbols for literals, the end of a block, and match lengths. */
const LITERAL_LENGTH_SYMBOLS = 286;
/** The symbol of {@link MAX_MATCH} alone, although symbol 284 with all extra bits set could express that length, too. */
const LONGEST_MATCH = 285;

const { lengthSymbol, lengthExtra, lengthExtraBits } = matchLengthTables();

/** By the length of a match: its symbol, and the extra bits that distinguish the lengths of one symbol. */
function matchLengthTables() {
  const lengthSymbol = new Uint16Array(MAX_MATCH + 1);
  const lengthExtra = new Uint8Array(MAX_MATCH + 1);
  const lengthExtraBits = new Uint8Array(MAX_MATCH + 1);
  let length = MIN_MATCH;
  for (let symbol = FIRST_LENGTH_SYMBOL; symbol < LONGEST_MATCH; symbol++) {
    // The first eight symbols have one length each; from there on the number of bits grows by one every four symbols.
    const bits = Math.max(0, ((symbol - FIRST_LENGTH_SYMBOL) >> 2) - 1);
    for (let extra = 0; extra < 1 << bits; extra++, length++) {
      lengthSymbol[length] = symbol;
      lengthExtra[length] = extra;
      lengthExtraBits[length] = bits;
    }
  }
  lengthSymbol[MAX_MATCH] = LONGEST_MATCH;
  lengthExtra[MAX_MATCH] = 0;
  lengthExtraBits[MAX_MATCH] = 0;
  return { lengthSymbol, lengthExtra, lengthExtraBits };
}

// Codes: RFC 1951, section 3.2.7.
const MAX_CODE_LENGTH = 15;
/** All matches have the distance 1: the only distance code is 0, one bit long. */
const DISTANCE_BITS = 1;

let bits = new Uint32Array();
let bitLengths = new Uint8Array();
let times = new Uint32Array();

/** Encodes the bytes as one dynamic block of deflate, straight from their runs. The next call overwrites the result. */
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
    const isShort = rest < MIN_MATCH;
    add(codes[value], lengths[value], isShort ? 1 + rest : 1);
    if (isShort) continue;
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

/**
 * How often the block uses each symbol. A run is a literal, then matches of the longest length with the byte before; the
 * rest is a shorter match, or literals where it is too short for a match.
 */
function countSymbols({ values, lengths, size }: ByteRuns): Uint32Array {
  const counts = new Uint32Array(LITERAL_LENGTH_SYMBOLS);
  for (let i = 0; i < size; i++) {
    const value = values[i];
    let rest = lengths[i] - 1;
    if (rest >= MAX_MATCH) {
      counts[LONGEST_MATCH] += Math.floor(rest / MAX_MATCH);
      rest %= MAX_MATCH;
    }
    counts[value]++;
    if (rest < MIN_MATCH) counts[value] += rest;
    else counts[lengthSymbol[rest]]++;
  }
  counts[END_OF_BLOCK] = 1;
  return counts;
}

// Block header: RFC 1951, sections 3.2.3 and 3.2.7.
const LAST_BLOCK = 1;
const DYNAMIC = 2;
const MAX_HEADER_CODE_LENGTH = 7;
/** The order of the header's own code lengths. Trailing zeros are left out, but at least four lengths are written. */
const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15] as const;
const MIN_HEADER_CODES = 4;

/** A number and its length in bits. */
type BitField = readonly [bits: number, length: number];

/** The header of a dynamic block, the only one of its stream: the code lengths of literals and distances. */
function blockHeader(literals: Uint8Array, distances: Uint8Array): BitField[] {
  const used = literals.findLastIndex((length) => length > 0) + 1;
  const runs = codeLengthRuns(Uint8Array.of(...literals.subarray(0, used), ...distances));
  const { codes, lengths } = prefixCode(countsOf(runs), MAX_HEADER_CODE_LENGTH);
  const headerCodes = Math.max(MIN_HEADER_CODES, ORDER.findLastIndex((symbol) => lengths[symbol] > 0) + 1);
  return [
    [LAST_BLOCK, 1],
    [DYNAMIC, 2],
    [used - FIRST_LENGTH_SYMBOL, 5],
    [distances.length - 1, 5],
    [headerCodes - MIN_HEADER_CODES, 4],
    ...ORDER.slice(0, headerCodes).map((symbol): BitField => [lengths[symbol], 3]),
    ...runs.flatMap(({ symbol, extra }): BitField[] => [[codes[symbol], lengths[symbol]], extra]),
  ];
}

function countsOf(runs: readonly CodeLengthRun[]): Uint32Array {
  const counts = new Uint32Array(CODE_LENGTH_SYMBOLS);
  for (const { symbol } of runs) counts[symbol]++;
  return counts;
}

// RFC 1951, section 3.2.7: code lengths are written as symbols, too; these symbols mean repetitions.
const REPEAT = { symbol: 16, min: 3, max: 6, bits: 2 } as const;
const FEW_ZEROS = { symbol: 17, min: 3, max: 10, bits: 3 } as const;
const MANY_ZEROS = { symbol: 18, min: 11, max: 138, bits: 7 } as const;
/** Lengths 0 to 15 and the three repetitions. */
const CODE_LENGTH_SYMBOLS = 19;

/** The symbol of one code length, or of the repetition of one. */
export interface CodeLengthRun {
  readonly symbol: number;
  /** The bits that follow the symbol. */
  readonly extra: BitField;
}

/** The code lengths, in order, as the symbols of a block header. */
export function codeLengthRuns(lengths: Uint8Array): CodeLengthRun[] {
  const runs: CodeLengthRun[] = [];
  for (let at = 0; at < lengths.length;) {
    const value = lengths[at];
    let end = at + 1;
    while (end < lengths.length && lengths[end] === value) end++;
    if (value > 0) runs.push(singleLength(value), ...repetitions(end - at - 1, [REPEAT], value));
    else runs.push(...repetitions(end - at, [MANY_ZEROS, FEW_ZEROS], 0));
    at = end;
  }
  return runs;
}

type Repetition = typeof REPEAT | typeof FEW_ZEROS | typeof MANY_ZEROS;

/** `count` times `value`: repetitions of the first kind that fits, then single lengths for the rest. */
function repetitions(count: number, kinds: readonly Repetition[], value: number): CodeLengthRun[] {
  const kind = kinds.find(({ min }) => count >= min);
  if (kind === undefined) return Array.from({ length: count }, () => singleLength(value));
  const repeated = Math.min(count, kind.max);
  const run: CodeLengthRun = { symbol: kind.symbol, extra: [repeated - kind.min, kind.bits] };
  return [run, ...repetitions(count - repeated, kinds, value)];
}

const singleLength = (length: number): CodeLengthRun => ({ symbol: length, extra: [0, 0] });
