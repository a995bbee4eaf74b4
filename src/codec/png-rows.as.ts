// AssemblyScript, compiled by `bun run wasm` to `png-rows.wasm.ts`. `png-rows.ts` allocates its memory and calls it.

/** Pixels of a row. */
export let width: i32;
/** Red, green, blue and another byte of each pixel, row by row. */
export let pixels: usize;
/** The filtered rows: the number of the filter, then red, green and blue of each pixel. */
export let filtered: usize;
/** The Adler-32 checksum of all filtered rows, and before the first ones 1. */
export let checksum: u32;

// PNG (Third Edition), section 9.2.
const SUB: u8 = 1;
const UP: u8 = 2;
const CHANNELS: i32 = 3;

/** Filters `count` rows, each with the filter, Sub or Up, that leaves the smaller differences. `isTop`: no row precedes them. */
export function filterRows(count: i32, isTop: bool): void {
  let row = pixels + (isTop ? 0 : width << 2);
  let to = filtered;
  for (let i = 0; i < count; i++) {
    const hasAbove = i > 0 || !isTop;
    const usesSub = sizeBySub(row) < (hasAbove ? sizeByUp(row) : sizeUnfiltered(row));
    store<u8>(to++, usesSub ? SUB : UP);
    const before = usesSub ? 4 : width << 2;
    for (let x = 0; x < width; x++, to += CHANNELS) {
      const at = row + (x << 2);
      const isFirst = usesSub ? x === 0 : !hasAbove;
      for (let channel = 0; channel < CHANNELS; channel++) {
        const value = load<u8>(at + channel);
        store<u8>(to + channel, isFirst ? value : value - load<u8>(at + channel - before));
      }
    }
    row += width << 2;
  }
  addToChecksum(filtered, to);
}

function sizeBySub(row: usize): u32 {
  let size = firstSize(row);
  for (let at = row + 4, end = row + (width << 2); at < end; at += 4) {
    for (let channel = 0; channel < CHANNELS; channel++) {
      size += distance(load<u8>(at + channel) - load<u8>(at + channel - 4));
    }
  }
  return size;
}

function sizeByUp(row: usize): u32 {
  const above = width << 2;
  let size: u32 = 0;
  for (let at = row, end = row + (width << 2); at < end; at += 4) {
    for (let channel = 0; channel < CHANNELS; channel++) {
      size += distance(load<u8>(at + channel) - load<u8>(at + channel - above));
    }
  }
  return size;
}

function sizeUnfiltered(row: usize): u32 {
  let size: u32 = 0;
  for (let at = row, end = row + (width << 2); at < end; at += 4) size += firstSize(at);
  return size;
}

// @ts-ignore: a decorator of AssemblyScript.
@inline
function firstSize(pixel: usize): u32 {
  return distance(load<u8>(pixel)) + distance(load<u8>(pixel, 1)) + distance(load<u8>(pixel, 2));
}

/** Distance of a difference, modulo 256, from 0. */
// @ts-ignore: a decorator of AssemblyScript.
@inline
function distance(difference: u8): u32 {
  return min(<u32>difference, 256 - <u32>difference);
}

/** The largest prime below 2¹⁶, and the number of bytes that can be added before a sum exceeds 2³² (RFC 1950, section 8.2). */
const ADLER_BASE: u32 = 65_521;
const ADLER_BYTES: usize = 5552;

function addToChecksum(from: usize, end: usize): void {
  let low = checksum & 0xffff;
  let high = checksum >> 16;
  for (let at = from; at < end; ) {
    const stop = min(end, at + ADLER_BYTES);
    for (; at < stop; at++) {
      low += load<u8>(at);
      high += low;
    }
    low %= ADLER_BASE;
    high %= ADLER_BASE;
  }
  checksum = (high << 16) | low;
}
