// AssemblyScript, part of the kernel `layer-kernel.as.ts`: one dynamic block of deflate whose matches all have the distance 1.

import { beginBits, endOfBits, write, writePacked, writeRepeatedly } from "./bit-output.as";
import {
  LONGEST_MATCH,
  MAX_MATCH,
  MIN_MATCH,
  clearCounts,
  codeLengths,
  codes,
  count,
  lengthSymbol,
  packMatches,
  writeCodes,
  writeEndOfBlock,
} from "./block-codes.as";

/** The bytes of the block as runs of equal bytes: a value of one byte and a length of four bytes each. */
export let runValues: usize;
export let runLengths: usize;
let runCount: u32;

/** Begins a block. */
export function clearRuns(): void {
  runCount = 0;
  clearCounts();
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

/** By length of a match with the byte before: its packed word. */
export let matches: usize;
/** The symbol of the distance 1. */
const BYTE_BEFORE: i32 = 0;

/** Writes the block of the runs from address `at` on, and returns the address after it. The eight bytes after it may be overwritten. */
export function writeBlock(at: usize): usize {
  beginBits(at);
  writeCodes();
  packMatches(matches, BYTE_BEFORE);
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
  writeEndOfBlock();
  return endOfBits();
}
