// AssemblyScript, part of the kernel `layer-kernel.as.ts`: the data of a layer in a `.goo` file (specification 1.2).

import { endOf, firstRun, height, startOf, valueOf, width } from "./layer-runs.as";

const MAGIC: u32 = 0x55;
const FULL: u32 = 255;
/** Bits 7 and 6 of a chunk's first byte. */
const KIND_EMPTY: u32 = 0x00;
const KIND_GREY: u32 = 0x40;
const KIND_DIFFERENCE: u32 = 0x80;
const KIND_FULL: u32 = 0xc0;
/** Flags of differences: the value decreases; a byte with the length follows. */
const NEGATIVE: u32 = 0x20;
const HAS_LENGTH: u32 = 0x10;
const MAX_DIFFERENCE: i32 = 15;
const MAX_LENGTH: u32 = (1 << 28) - 1;

/** The address of the next byte. */
let to: usize;
/** The value and the length of the chunk that may still grow, and the value before it. */
let value: u32;
let length: u32;
let last: u32;
/** Whether chunks may state the difference to the value before. */
let mayDiffer: bool;

/**
 * Writes the magic byte, chunks of equal pixels and the checksum from address `at` on, and returns the address after them.
 * `hasDifferences`: whether chunks may state the difference to the value before, which not all printers read.
 */
export function writeGooChunks(at: usize, hasDifferences: bool): usize {
  to = at;
  mayDiffer = hasDifferences;
  writeByte(MAGIC);
  value = 0;
  length = 0;
  last = 0;
  for (let row: u32 = 0; row < height; row++) {
    let column: u32 = 0;
    for (let run = firstRun(row), end = firstRun(row + 1); run < end; run++) {
      const start = startOf(run);
      add(0, start - column);
      column = endOf(run);
      add(valueOf(run), column - start);
    }
    add(0, width - column);
  }
  writeChunk(length);
  writeByte(~sumOfBytes(at + 1, to));
  return to;
}

// @ts-ignore: a decorator of AssemblyScript.
@inline
function add(nextValue: u32, count: u32): void {
  if (count === 0) return;
  if (nextValue !== value) {
    if (length > 0) writeChunk(length);
    value = nextValue;
    length = 0;
  }
  length += count;
  for (; length > MAX_LENGTH; length -= MAX_LENGTH) writeChunk(MAX_LENGTH);
}

/** Writes a chunk of the present value. */
function writeChunk(count: u32): void {
  const difference = <i32>value - <i32>last;
  last = value;
  if (mayDiffer && value > 0 && value < FULL && abs(difference) <= MAX_DIFFERENCE && isShorterAsDifference(count)) {
    const flags = (difference < 0 ? NEGATIVE : 0) | (count > 1 ? HAS_LENGTH : 0);
    writeByte(KIND_DIFFERENCE | flags | <u32>abs(difference));
    if (count > 1) writeByte(count);
    return;
  }
  const lengthBytes: u32 = count < 1 << 4 ? 0 : count < 1 << 12 ? 1 : count < 1 << 20 ? 2 : 3;
  const kind = value === 0 ? KIND_EMPTY : value === FULL ? KIND_FULL : KIND_GREY;
  writeByte(kind | (lengthBytes << 4) | (count & 15));
  if (kind === KIND_GREY) writeByte(value);
  for (let left = lengthBytes; left > 0; left--) writeByte(count >> (8 * left - 4));
}

/** Whether a difference is a byte shorter than a grey run, which takes two bytes up to 15 pixels and three from there on. */
// @ts-ignore: a decorator of AssemblyScript.
@inline
function isShorterAsDifference(count: u32): bool {
  return count === 1 || (count > 15 && count <= 255);
}

// @ts-ignore: a decorator of AssemblyScript.
@inline
function writeByte(byte: u32): void {
  store<u8>(to++, byte);
}

function sumOfBytes(from: usize, end: usize): u32 {
  let sum: u32 = 0;
  for (let at = from; at < end; at++) sum += load<u8>(at);
  return sum;
}
