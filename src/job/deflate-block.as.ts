// AssemblyScript, part of the kernel `layer-kernel.as.ts`: one dynamic block of deflate whose matches all have the distance 1.

import { MAX_SYMBOLS, setCodeLengths, setCodes } from "./huffman-code.as";

// RFC 1951, section 3.2.5.
const MIN_MATCH: u32 = 3;
const MAX_MATCH: u32 = 258;
/** The symbol after the 256 literals. */
const END_OF_BLOCK: i32 = 256;
const FIRST_LENGTH_SYMBOL: i32 = 257;
/** The symbol of {@link MAX_MATCH} alone, although symbol 284 with all extra bits set could express that length, too. */
const LONGEST_MATCH: i32 = 285;
/** The only distance code is 0, one bit long. */
const DISTANCE_BITS: u32 = 1;
const MAX_CODE_LENGTH: i32 = 15;

/** The bytes of the block as runs of equal bytes: a value of one byte and a length of four bytes each. */
export let runValues: usize;
export let runLengths: usize;
let runCount: u32;

/** By symbol: how often the block uses it (4 bytes), its code (2 bytes) and the length of that (1 byte, and one entry more). */
export let counts: usize;
export let codes: usize;
export let codeLengths: usize;

/** Begins a block. */
export function clearRuns(): void {
  runCount = 0;
  memory.fill(counts, 0, 4 * MAX_SYMBOLS);
  store<u32>(counts + (END_OF_BLOCK << 2), 1);
}

/**
 * Adds a run. In the block it is a literal, then matches of the longest length with the byte before; the rest is a shorter match, or
 * literals where it is too short for a match.
 */
export function addRun(value: u32, length: u32): void {
  store<u8>(runValues + runCount, value);
  store<u32>(runLengths + (runCount << 2), length);
  runCount++;
  let literals: u32 = 1;
  let rest = length - 1;
  if (rest >= MAX_MATCH) {
    count(LONGEST_MATCH, rest / MAX_MATCH);
    rest %= MAX_MATCH;
  }
  if (rest < MIN_MATCH) literals += rest;
  else count(lengthSymbol(rest), 1);
  count(value, literals);
}

// @ts-ignore: a decorator of AssemblyScript.
@inline
function count(symbol: i32, times: u32): void {
  const at = counts + (symbol << 2);
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
function lengthSymbol(length: u32): i32 {
  const bits = extraBits(length);
  return FIRST_LENGTH_SYMBOL + <i32>((bits << 2) + ((length - MIN_MATCH) >> bits));
}

/** By length of a match: its code, extra bits and distance code, as {@link writePacked} takes them. */
export let matches: usize;

/** Writes the block of the runs from address `at` on, and returns the address after it. The eight bytes after it may be overwritten. */
export function writeBlock(at: usize): usize {
  setCodeLengths(counts, MAX_SYMBOLS, MAX_CODE_LENGTH, codeLengths);
  setCodes(codeLengths, MAX_SYMBOLS, codes);
  pending = 0;
  used = 0;
  to = at;
  writeHeader();
  packMatches();
  const longest = load<u32>(matches + (MAX_MATCH << 2));
  for (let i: u32 = 0; i < runCount; i++) {
    const value = <u32>load<u8>(runValues + i);
    const code = <u64>load<u16>(codes + (value << 1));
    const bits = <u32>load<u8>(codeLengths + value);
    let rest = load<u32>(runLengths + (i << 2)) - 1;
    write(code, bits);
    if (rest >= MAX_MATCH) {
      writeRepeatedly(longest, rest / MAX_MATCH);
      rest %= MAX_MATCH;
    }
    if (rest >= MIN_MATCH) writePacked(load<u32>(matches + (rest << 2)));
    else for (; rest > 0; rest--) write(code, bits);
  }
  write(load<u16>(codes + (END_OF_BLOCK << 1)), load<u8>(codeLengths + END_OF_BLOCK));
  return to + (used > 0 ? 1 : 0);
}

/** Fills `matches`. */
function packMatches(): void {
  for (let length = MIN_MATCH; length < MAX_MATCH; length++) {
    const bits = extraBits(length);
    packMatch(length, lengthSymbol(length), (length - MIN_MATCH) & ((1 << bits) - 1), bits);
  }
  packMatch(MAX_MATCH, LONGEST_MATCH, 0, 0);
}

function packMatch(length: u32, symbol: i32, extra: u32, extraBits: u32): void {
  const bits = <u32>load<u8>(codeLengths + symbol);
  const word = <u32>load<u16>(codes + (symbol << 1)) | (extra << bits);
  store<u32>(matches + (length << 2), word | ((bits + extraBits + DISTANCE_BITS) << 24));
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

/** Writes the header of the last block of a stream: its code lengths. */
function writeHeader(): void {
  let symbols = MAX_SYMBOLS;
  while (load<u8>(codeLengths + symbols - 1) === 0) symbols--;
  // The only distance follows the other symbols.
  store<u8>(codeLengths + symbols, DISTANCE_BITS);
  findHeaderRuns(symbols + 1);
  store<u8>(codeLengths + symbols, 0);
  setCodeLengths(headerCounts, HEADER_SYMBOLS, MAX_HEADER_CODE_LENGTH, headerLengths);
  setCodes(headerLengths, HEADER_SYMBOLS, headerCodes);
  let lengths = HEADER_SYMBOLS;
  while (lengths > MIN_HEADER_CODES && load<u8>(headerLengths + unchecked(ORDER[lengths - 1])) === 0) lengths--;
  write(LAST_BLOCK, 1);
  write(DYNAMIC, 2);
  write(symbols - FIRST_LENGTH_SYMBOL, 5);
  write(0, 5); // One distance.
  write(lengths - MIN_HEADER_CODES, 4);
  for (let i = 0; i < lengths; i++) write(load<u8>(headerLengths + unchecked(ORDER[i])), 3);
  for (let i = 0; i < headerRunCount; i++) {
    const run = load<u32>(headerRuns + (i << 2));
    const symbol = <usize>(run & 255);
    write(load<u16>(headerCodes + (symbol << 1)), load<u8>(headerLengths + symbol));
    write((run >> 8) & 255, run >> 16);
  }
}

/** Lists the first code lengths as symbols of the header, and counts these. */
function findHeaderRuns(lengths: i32): void {
  headerRunCount = 0;
  memory.fill(headerCounts, 0, 4 * HEADER_SYMBOLS);
  for (let at = 0; at < lengths; ) {
    const length = load<u8>(codeLengths + at);
    let left: u32 = 0;
    for (; at < lengths && load<u8>(codeLengths + at) === length; at++) left++;
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

/** The bits of the unfinished byte, and their number. */
let pending: u64;
let used: u32;
/** The address of the next byte. */
let to: usize;

/** Writes the bits in the lower 24 bits of a word, whose number follows. */
// @ts-ignore: a decorator of AssemblyScript.
@inline
function writePacked(word: u32): void {
  write(word & 0xffffff, word >> 24);
}

/** Writes at most 32 bits. Always stores the unfinished bytes: a branch on the number of full bytes is mispredicted too often. */
// @ts-ignore: a decorator of AssemblyScript.
@inline
function write(word: u64, bits: u32): void {
  pending |= word << used;
  used += bits;
  store<u64>(to, pending);
  to += used >> 3;
  pending >>= used & 56;
  used &= 7;
}

/** From this number of repetitions on, copying bytes is faster than writing bits. */
const MIN_COPIED: u32 = 128;
/** Repetitions of which all bytes that the copies need are written. */
const WRITTEN_FIRST: u32 = 72;

function writeRepeatedly(word: u32, times: u32): void {
  let left = times;
  for (; left > 0; left--) {
    if (times >= MIN_COPIED && left === times - WRITTEN_FIRST) {
      // Eight repetitions are as many whole bytes as a repetition has bits: the bytes of 64 repetitions, at least eight, repeat.
      const bits = word >> 24;
      const bytes = (left >> 3) * bits;
      for (let done: usize = 0; done < bytes; done += 8) {
        store<u64>(to + done, load<u64>(to + done - (bits << 3)));
      }
      to += bytes;
      left &= 7;
      if (left === 0) return;
    }
    writePacked(word);
  }
}
