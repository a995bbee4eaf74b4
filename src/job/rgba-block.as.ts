// AssemblyScript, part of the kernel `layer-kernel.as.ts`: the rows of an RGBA picture of opaque greys, as one dynamic block of deflate.

import { beginBits, endOfBits, write, writePacked, writeRepeatedly } from "./bit-output.as";
import {
  LONGEST_MATCH,
  MAX_MATCH,
  MIN_MATCH,
  clearCounts,
  count,
  countDistance,
  lengthSymbol,
  packMatches,
  packedMatch,
  writeCodes,
  writeEndOfBlock,
  writeLiteral,
} from "./block-codes.as";
import { matches, runLengths, runValues } from "./deflate-block.as";
import { endOf, equalsRowAbove, firstRun, height, startOf, valueOf, width } from "./layer-runs.as";
import { addRunToChecksum, addToChecksum, beginChecksum } from "./row-checksum.as";

// PNG (Third Edition), section 9.2.
const NONE: u32 = 0;
const UP: u32 = 2;

const CHANNELS: u32 = 4;
const OPAQUE: u32 = 255;
/** The largest distance of a match, and the symbols of the distances of a byte and of a pixel (RFC 1951, section 3.2.5). */
const WINDOW_BYTES: u32 = 32_768;
const BYTE_BEFORE: i32 = 0;
const PIXEL_BEFORE: i32 = 3;
/** The symbol of a match of one pixel, which has no extra bits. */
const PIXEL_MATCH: i32 = 258;

/** By the value of a pixel: the place, from 1, of the first byte of the last pixel with it; 0: none (4 bytes). */
export let lastPlaces: usize;
/** By length of a match with the pixel before: its packed word, as `matches` for those with the byte before. */
export let pixelMatches: usize;

/** Place of the next byte, from 1. At most 16,383 columns in 65,535 rows: below 2³². */
let place: u32;
/** Number of entries in `runValues` and `runLengths`: each row is an entry with its filter, then one for each run of pixels, with their number
 * in the lower half of the word, and in the upper half the distance of a match from which their first pixel comes; 0 for literals, 1 for white
 * pixels that repeat the opacity before them. */
let entries: u32;

/**
 * Finds the matches of the rows, counts their symbols, and computes their checksum. A row equal to the row above gets the filter Up; all others
 * none. The first pixel of a run comes from the last one with its value, if this is near enough; the others repeat it.
 */
export function filterRgbaRows(): void {
  clearCounts();
  // Both have a code in any block.
  countDistance(BYTE_BEFORE, 1);
  countDistance(PIXEL_BEFORE, 1);
  beginChecksum();
  memory.fill(lastPlaces, 0, 4 << 8);
  place = 1;
  entries = 0;
  for (let row: u32 = 0; row < height; row++) {
    if (equalsRowAbove(row)) {
      addFilter(UP);
      countZeros();
      continue;
    }
    addFilter(NONE);
    let column: u32 = 0;
    for (let run = firstRun(row), end = firstRun(row + 1); run < end; run++) {
      const start = startOf(run);
      if (start > column) addPixels(0, start - column, column > 0);
      column = endOf(run);
      addPixels(valueOf(run), column - start, start > 0);
    }
    if (width > column) addPixels(0, width - column, column > 0);
  }
}

// @ts-ignore: a decorator of AssemblyScript.
@inline
function addEntry(value: u32, word: u32): void {
  store<u8>(runValues + entries, value);
  store<u32>(runLengths + (entries << 2), word);
  entries++;
}

function addFilter(filter: u32): void {
  addEntry(filter, 0);
  count(filter, 1);
  addRunToChecksum(filter, 1);
  place++;
}

/** Counts the symbols of a row of zeros after its filter. */
function countZeros(): void {
  const bytes = CHANNELS * width;
  addRunToChecksum(0, bytes);
  place += bytes;
  count(0, 1);
  countRepeats(bytes - 1, BYTE_BEFORE, 0, 0);
}

/** Adds `pixels` pixels of a value. `followsPixel`: whether they are not the first ones of the row. */
function addPixels(value: u32, pixels: u32, followsPixel: bool): void {
  const bytes = CHANNELS * pixels;
  const last = load<u32>(lastPlaces + (value << 2));
  let distance: u32 = 0;
  if (value === OPAQUE && followsPixel) distance = 1;
  else if (last > 0 && place - last <= WINDOW_BYTES) distance = place - last;
  addEntry(value, pixels | (distance << 16));
  if (distance === 1) {
    countRepeats(bytes, BYTE_BEFORE, value, value);
  } else {
    if (distance > 0) {
      count(PIXEL_MATCH, 1);
      countDistance(distanceSymbol(distance), 1);
    } else {
      count(value, 3);
      count(OPAQUE, 1);
    }
    if (pixels > 1) countRepeats(bytes - CHANNELS, PIXEL_BEFORE, value, OPAQUE);
  }
  store<u32>(lastPlaces + (value << 2), place + bytes - CHANNELS);
  place += bytes;
  const n = <u64>pixels;
  const greys = 3 * <u64>value;
  const weights = 2 * n * (n + 1);
  addToChecksum(bytes, n * (greys + OPAQUE), greys * (weights - n) + OPAQUE * (weights - 3 * n));
}

/** Counts the symbols of bytes that repeat those before them. `a` and `b`: the last two bytes, for a rest that is too short for a match. */
// @ts-ignore: a decorator of AssemblyScript.
@inline
function countRepeats(bytes: u32, distanceSymbol: i32, a: u32, b: u32): void {
  let rest = bytes;
  if (rest >= MAX_MATCH) {
    const times = rest / MAX_MATCH;
    count(LONGEST_MATCH, times);
    countDistance(distanceSymbol, times);
    rest %= MAX_MATCH;
  }
  if (rest >= MIN_MATCH) {
    count(lengthSymbol(rest), 1);
    countDistance(distanceSymbol, 1);
  } else if (rest > 0) {
    if (rest > 1) count(a, 1);
    count(b, 1);
  }
}

/** The number of extra bits of a distance. */
// @ts-ignore: a decorator of AssemblyScript.
@inline
function distanceBits(distance: u32): u32 {
  return distance < 5 ? 0 : 30 - clz(distance - 1);
}

// @ts-ignore: a decorator of AssemblyScript.
@inline
function distanceSymbol(distance: u32): i32 {
  const bits = distanceBits(distance);
  return (bits << 1) + ((distance - 1) >> bits);
}

/** Writes the block of the rows from address `at` on, and returns the address after it. The eight bytes after it may be overwritten. */
export function writeRgbaBlock(at: usize): usize {
  beginBits(at);
  writeCodes();
  packMatches(matches, BYTE_BEFORE);
  packMatches(pixelMatches, PIXEL_BEFORE);
  for (let i: u32 = 0; i < entries; i++) {
    const value = <u32>load<u8>(runValues + i);
    const word = load<u32>(runLengths + (i << 2));
    if (word === 0) {
      writeLiteral(value);
      if (value === UP) writeZeros();
      continue;
    }
    const bytes = CHANNELS * (word & 0xffff);
    const distance = word >> 16;
    if (distance === 1) {
      writeRepeats(bytes, matches, value, value);
      continue;
    }
    if (distance > 0) {
      const bits = distanceBits(distance);
      writePacked(packedMatch(PIXEL_MATCH, 0, 0, distanceSymbol(distance)));
      write((distance - 1) & ((1 << bits) - 1), bits);
    } else {
      for (let channel = 0; channel < 3; channel++) writeLiteral(value);
      writeLiteral(OPAQUE);
    }
    if (bytes > CHANNELS) writeRepeats(bytes - CHANNELS, pixelMatches, value, OPAQUE);
  }
  writeEndOfBlock();
  return endOfBits();
}

function writeZeros(): void {
  writeLiteral(0);
  writeRepeats(CHANNELS * width - 1, matches, 0, 0);
}

/** Writes what {@link countRepeats} counts. */
// @ts-ignore: a decorator of AssemblyScript.
@inline
function writeRepeats(bytes: u32, words: usize, a: u32, b: u32): void {
  let rest = bytes;
  if (rest >= MAX_MATCH) {
    writeRepeatedly(load<u32>(words + (MAX_MATCH << 2)), rest / MAX_MATCH);
    rest %= MAX_MATCH;
  }
  if (rest >= MIN_MATCH) {
    writePacked(load<u32>(words + (rest << 2)));
  } else if (rest > 0) {
    if (rest > 1) writeLiteral(a);
    writeLiteral(b);
  }
}
