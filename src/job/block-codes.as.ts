// AssemblyScript, part of the kernel `layer-kernel.as.ts`: the codes of a dynamic block of deflate, and its header, which states them.

import { packed, write } from "./bit-output.as";
import { MAX_SYMBOLS, setCodeLengths, setCodes } from "./huffman-code.as";

// RFC 1951, section 3.2.5.
export const MIN_MATCH: u32 = 3;
export const MAX_MATCH: u32 = 258;
/** The symbol after the 256 literals. */
const END_OF_BLOCK: i32 = 256;
export const FIRST_LENGTH_SYMBOL: i32 = 257;
/** The symbol of {@link MAX_MATCH} alone, although symbol 284 with all extra bits set could express that length, too. */
export const LONGEST_MATCH: i32 = 285;
const MAX_CODE_LENGTH: i32 = 15;
const MAX_DISTANCE_SYMBOLS: i32 = 30;
/** Below the limit of deflate, so that a match without the extra bits of its distance is a {@link packed} word. */
const MAX_DISTANCE_CODE_LENGTH: i32 = 7;

/** By symbol: how often the block uses it (4 bytes), its code (2 bytes) and the length of that (1 byte). */
export let counts: usize;
export let codes: usize;
export let codeLengths: usize;
/** The same for the symbols of distances. */
export let distanceCounts: usize;
export let distanceCodes: usize;
export let distanceLengths: usize;

/** Begins to count the symbols of a block. */
export function clearCounts(): void {
  memory.fill(counts, 0, 4 * MAX_SYMBOLS);
  memory.fill(distanceCounts, 0, 4 * MAX_DISTANCE_SYMBOLS);
  store<u32>(counts + (END_OF_BLOCK << 2), 1);
}

// @ts-ignore: a decorator of AssemblyScript.
@inline
export function count(symbol: i32, times: u32): void {
  const at = counts + (symbol << 2);
  store<u32>(at, load<u32>(at) + times);
}

// @ts-ignore: a decorator of AssemblyScript.
@inline
export function countDistance(symbol: u32, times: u32): void {
  const at = distanceCounts + (symbol << 2);
  store<u32>(at, load<u32>(at) + times);
}

/** The number of extra bits of a match of a length below {@link MAX_MATCH}: the first eight symbols have none, then it grows every four. */
// @ts-ignore: a decorator of AssemblyScript.
@inline
function extraBits(length: u32): u32 {
  return length < 11 ? 0 : 29 - clz(length - MIN_MATCH);
}

/** The symbol of a match of a length below {@link MAX_MATCH}. */
// @ts-ignore: a decorator of AssemblyScript.
@inline
export function lengthSymbol(length: u32): i32 {
  const bits = extraBits(length);
  return FIRST_LENGTH_SYMBOL + <i32>((bits << 2) + ((length - MIN_MATCH) >> bits));
}

/** Sets the codes of the symbols that were counted, and writes the header of the last block of a stream. */
export function writeCodes(): void {
  setCodeLengths(counts, MAX_SYMBOLS, MAX_CODE_LENGTH, codeLengths);
  setCodes(codeLengths, MAX_SYMBOLS, codes);
  let distances = 0;
  for (let symbol = 0; symbol < MAX_DISTANCE_SYMBOLS; symbol++) {
    if (load<u32>(distanceCounts + (symbol << 2)) > 0) distances++;
  }
  if (distances > 1) {
    setCodeLengths(distanceCounts, MAX_DISTANCE_SYMBOLS, MAX_DISTANCE_CODE_LENGTH, distanceLengths);
  } else {
    // The only code is one bit long. Blocks without distances have it, too.
    memory.fill(distanceLengths, 0, MAX_DISTANCE_SYMBOLS);
    store<u8>(distanceLengths, 1);
  }
  setCodes(distanceLengths, MAX_DISTANCE_SYMBOLS, distanceCodes);
  writeHeader();
}

/** Writes a literal. */
// @ts-ignore: a decorator of AssemblyScript.
@inline
export function writeLiteral(value: u32): void {
  write(load<u16>(codes + (value << 1)), load<u8>(codeLengths + value));
}

export function writeEndOfBlock(): void {
  writeLiteral(END_OF_BLOCK);
}

/** Fills a table by the length of a match: its code, extra bits and the code of a distance without extra bits, as packed words. */
export function packMatches(matches: usize, distanceSymbol: i32): void {
  for (let length = MIN_MATCH; length < MAX_MATCH; length++) {
    const bits = extraBits(length);
    const extra = (length - MIN_MATCH) & ((1 << bits) - 1);
    store<u32>(matches + (length << 2), packedMatch(lengthSymbol(length), extra, bits, distanceSymbol));
  }
  store<u32>(matches + (MAX_MATCH << 2), packedMatch(LONGEST_MATCH, 0, 0, distanceSymbol));
}

/** The code of the symbol of a length, its extra bits and the code of a distance. */
export function packedMatch(symbol: i32, extra: u32, extraBits: u32, distanceSymbol: i32): u32 {
  const bits = <u32>load<u8>(codeLengths + symbol);
  const word = <u32>load<u16>(codes + (symbol << 1)) | (extra << bits);
  const distanceCode = <u32>load<u16>(distanceCodes + (distanceSymbol << 1));
  const distanceBits = <u32>load<u8>(distanceLengths + distanceSymbol);
  return packed(word | (distanceCode << (bits + extraBits)), bits + extraBits + distanceBits);
}

// Header of a block: RFC 1951, sections 3.2.3 and 3.2.7.
const LAST_BLOCK: u32 = 1;
const DYNAMIC: u32 = 2;
const HEADER_SYMBOLS: i32 = 19;
const MAX_HEADER_CODE_LENGTH: i32 = 7;
const MIN_HEADER_CODES: i32 = 4;
/** Repetitions of the length before, of a few zeros, and of many zeros. */
const REPEAT: u32 = 16;
const FEW_ZEROS: u32 = 17;
const MANY_ZEROS: u32 = 18;

/** The order of the header's own code lengths. Trailing zeros are left out, but at least four lengths are written. */
const ORDER: StaticArray<u8> = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/** The code lengths of the block in the symbols of the header: a symbol, from bit 8 on the bits that follow it, from bit 16 on their number. */
export let headerRuns: usize;
let headerRunCount: i32;
/** As `counts`, `codes` and `codeLengths`, for the symbols of the header. */
export let headerCounts: usize;
export let headerCodes: usize;
export let headerLengths: usize;

/** The code lengths of the block, of symbols and distances, one byte each. */
export let statedLengths: usize;

function writeHeader(): void {
  const symbols = usedSymbols(codeLengths, MAX_SYMBOLS);
  const distances = usedSymbols(distanceLengths, MAX_DISTANCE_SYMBOLS);
  memory.copy(statedLengths, codeLengths, symbols);
  memory.copy(statedLengths + symbols, distanceLengths, distances);
  findHeaderRuns(symbols + distances);
  setCodeLengths(headerCounts, HEADER_SYMBOLS, MAX_HEADER_CODE_LENGTH, headerLengths);
  setCodes(headerLengths, HEADER_SYMBOLS, headerCodes);
  let lengths = HEADER_SYMBOLS;
  while (lengths > MIN_HEADER_CODES && load<u8>(headerLengths + unchecked(ORDER[lengths - 1])) === 0) lengths--;
  write(LAST_BLOCK, 1);
  write(DYNAMIC, 2);
  write(symbols - FIRST_LENGTH_SYMBOL, 5);
  write(distances - 1, 5);
  write(lengths - MIN_HEADER_CODES, 4);
  for (let i = 0; i < lengths; i++) write(load<u8>(headerLengths + unchecked(ORDER[i])), 3);
  for (let i = 0; i < headerRunCount; i++) {
    const run = load<u32>(headerRuns + (i << 2));
    const symbol = <usize>(run & 255);
    write(load<u16>(headerCodes + (symbol << 1)), load<u8>(headerLengths + symbol));
    write((run >> 8) & 255, run >> 16);
  }
}

/** The number of symbols up to the last one with a code. */
function usedSymbols(lengths: usize, symbols: i32): i32 {
  let used = symbols;
  while (load<u8>(lengths + used - 1) === 0) used--;
  return used;
}

/** Lists the stated code lengths as symbols of the header, and counts these. */
function findHeaderRuns(lengths: i32): void {
  headerRunCount = 0;
  memory.fill(headerCounts, 0, 4 * HEADER_SYMBOLS);
  for (let at = 0; at < lengths; ) {
    const length = load<u8>(statedLengths + at);
    let left: u32 = 0;
    for (; at < lengths && load<u8>(statedLengths + at) === length; at++) left++;
    if (length > 0) {
      addHeaderRun(length, 0, 0);
      left--;
    }
    while (left >= 3) {
      const most: u32 = length > 0 ? 6 : left >= 11 ? 138 : 10;
      const repeated = min(left, most);
      if (length > 0) addHeaderRun(REPEAT, repeated - 3, 2);
      else if (left >= 11) addHeaderRun(MANY_ZEROS, repeated - 11, 7);
      else addHeaderRun(FEW_ZEROS, repeated - 3, 3);
      left -= repeated;
    }
    for (; left > 0; left--) addHeaderRun(length, 0, 0);
  }
}

function addHeaderRun(symbol: u32, extra: u32, bits: u32): void {
  store<u32>(headerRuns + (headerRunCount++ << 2), symbol | (extra << 8) | (bits << 16));
  const at = headerCounts + (symbol << 2);
  store<u32>(at, load<u32>(at) + 1);
}
