// AssemblyScript, part of the kernel `volume-kernel.as.ts`: the volumes of the pixels of a row, as sums over bodies.
//
// A sum over bodies is the volume of their union where at most one of them fills a pixel in part. Elsewhere it may count a part twice.

import { columns } from "../raster/row-pieces.as";
import { bodyOf, changesAt, changesOf, firstPiece, nextPiece, pixelOf } from "./slab-pieces.as";

/** The volume of each pixel minus that of the pixel before it (8 bytes), for two pixels more than a row has: of all bodies, and of one. */
export let sharedCover: usize;
export let ownCover: usize;
/** A bit for each of these that is set, in words of 64. */
export let sharedBits: usize;
export let ownBits: usize;
/** Bits of the pixels that a body fills in part, and of those in which several bodies may do so; only of rows with several bodies. */
export let fractionBits: usize;
export let mixedBits: usize;
export let hasMixed: bool = false;
/** The first word that is set in a row, and the last one. */
export let firstWord: i32 = 0;
export let lastWord: i32 = -1;
let ownFirstWord: i32 = 0;
let ownLastWord: i32 = -1;
let ownFirstPixel: i32 = 0;
let ownEndPixel: i32 = 0;

/** Half a grey: a smaller share of a pixel is not seen. */
const UNSEEN: f64 = 1 / 510;
/** A body overlaps itself in a pixel if it has more than all of it by this: planes are not more exact. */
export const OVERLAP: f64 = 1 / 32;

/**
 * Sums the pieces of a row. Returns whether pixels may be mixed: the pixels of several bodies overlap, or a solid with gaps, whose sum means
 * nothing, is in the pixels from `openFrom` to before `openTo`.
 */
export function gatherRow(row: i32, openFrom: i32, openTo: i32): bool {
  firstWord = columns;
  lastWord = -1;
  hasMixed = false;
  const isOpen = openFrom < openTo;
  if (!isOpen && addApart(row)) return false;
  if (isOpen) {
    setBit(openFrom);
    setBit(openTo);
    markInterval(openFrom, openTo, true);
  }
  for (let piece = firstPiece(row); piece !== 0; ) {
    piece = addBody(piece, ownCover, ownBits);
    firstWord = min(firstWord, ownFirstWord);
    lastWord = max(lastWord, ownLastWord);
    markFractions();
  }
  return true;
}

/** Sums the pieces of a row whose bodies have no pixels in common; else it returns false and leaves nothing. */
function addApart(row: i32): bool {
  let count = 0;
  for (let piece = firstPiece(row); piece !== 0; count++) {
    piece = addBody(piece, sharedCover, sharedBits);
    firstWord = min(firstWord, ownFirstWord);
    lastWord = max(lastWord, ownLastWord);
    // A single body, as most rows have, needs no marks.
    if (count === 0 && piece === 0) return true;
    markInterval(ownFirstPixel, min(columns, ownEndPixel), false);
  }
  const isApart = !hasMixed;
  forgetMixed();
  if (isApart) return true;
  for (let word = firstWord; word <= lastWord; word++) store<u64>(sharedBits + (<usize>word << 3), 0);
  memory.fill(sharedCover + (<usize>firstWord << 9), 0, min(<usize>(lastWord + 1 - firstWord) << 9, <usize>(columns + 2 - (firstWord << 6)) << 3));
  firstWord = columns;
  lastWord = -1;
  hasMixed = false;
  return false;
}

function setBit(pixel: i32): void {
  const word = pixel >> 6;
  const at = sharedBits + (<usize>word << 3);
  store<u64>(at, load<u64>(at) | (<u64>1 << <u64>(pixel & 63)));
  firstWord = min(firstWord, word);
  lastWord = max(lastWord, word);
}

/** Forgets which pixels are filled in part. */
export function forgetMixed(): void {
  const bytes = ((columns >> 6) + 1) << 3;
  memory.fill(fractionBits, 0, bytes);
  memory.fill(mixedBits, 0, bytes);
}

// @ts-ignore: a decorator of AssemblyScript.
@inline
export function isMixed(pixel: i32): bool {
  return ((load<u64>(mixedBits + ((pixel >> 6) << 3)) >> <u64>(pixel & 63)) & 1) === 1;
}

/** Adds the pieces of one body to a row. Returns the first piece of the next body. */
// @ts-ignore: a decorator of AssemblyScript.
@inline
function addBody(first: usize, cover: usize, bits: usize): usize {
  const body = bodyOf(first);
  ownFirstPixel = columns;
  ownEndPixel = 0;
  let piece = first;
  for (; piece !== 0 && bodyOf(piece) === body; piece = nextPiece(piece)) {
    const pixel = pixelOf(piece);
    const count = changesOf(piece);
    let at = cover + (<usize>pixel << 3);
    let from = changesAt(piece);
    for (const end = from + (<usize>count << 3); from < end; from += 8, at += 8) {
      store<f64>(at, load<f64>(at) + load<f64>(from));
    }
    ownFirstPixel = min(ownFirstPixel, pixel);
    ownEndPixel = max(ownEndPixel, pixel + count);
    const last = (pixel + count - 1) >> 6;
    for (let word = pixel >> 6, left = pixel; word <= last; word++, left = word << 6) {
      const bitsAt = bits + (<usize>word << 3);
      const most = pixel + count - left;
      const mask = most >= 64 ? ~(<u64>0) : (<u64>1 << <u64>most) - 1;
      store<u64>(bitsAt, load<u64>(bitsAt) | (mask << <u64>(left & 63)));
    }
  }
  ownFirstWord = ownFirstPixel >> 6;
  ownLastWord = (ownEndPixel - 1) >> 6;
  return piece;
}

/** Marks the pixels that a body fills in part, and moves its row to that of all bodies. */
function markFractions(): void {
  let sum: f64 = 0;
  let from = 0;
  for (let word = ownFirstWord; word <= ownLastWord; word++) {
    const bitsAt = ownBits + (<usize>word << 3);
    let left = load<u64>(bitsAt);
    if (left === 0) continue;
    const sharedBitsAt = sharedBits + (<usize>word << 3);
    store<u64>(sharedBitsAt, load<u64>(sharedBitsAt) | left);
    store<u64>(bitsAt, 0);
    for (; left !== 0; left &= left - 1) {
      const pixel = (word << 6) + <i32>ctz(left);
      markFraction(from, pixel, sum);
      const at = ownCover + (<usize>pixel << 3);
      const share = load<f64>(at);
      sum += share;
      from = pixel;
      const sharedAt = sharedCover + (<usize>pixel << 3);
      store<f64>(sharedAt, load<f64>(sharedAt) + share);
      store<f64>(at, 0);
    }
  }
  markFraction(from, columns, sum);
}

/** Marks pixels with a sum of one body: 0 or 1, or 0 or −1 of a cavity, if the body has all or nothing of them. */
function markFraction(from: i32, to: i32, sum: f64): void {
  if (abs(sum - nearest(sum)) <= UNSEEN) return;
  markInterval(from, min(to, columns), abs(sum) > 1 + OVERLAP);
}

/** Marks pixels as filled in part, and as mixed if they are so already, or if `isMixed`. */
function markInterval(from: i32, end: i32, isMixed: bool): void {
  for (let pixel = from; pixel < end; ) {
    const word = pixel >> 6;
    const next = min(end, (word + 1) << 6);
    const count = next - pixel;
    const mask = (count === 64 ? ~(<u64>0) : (<u64>1 << <u64>count) - 1) << <u64>(pixel & 63);
    const fractionAt = fractionBits + (<usize>word << 3);
    const mixedAt = mixedBits + (<usize>word << 3);
    const both = isMixed ? mask : load<u64>(fractionAt) & mask;
    if (both !== 0) {
      hasMixed = true;
      store<u64>(mixedAt, load<u64>(mixedAt) | both);
    }
    store<u64>(fractionAt, load<u64>(fractionAt) | mask);
    pixel = next;
  }
}
