// AssemblyScript, part of the kernel `volume-kernel.as.ts`: what polygons of facets add to the volumes of pixels.
//
// The share v of a pixel's volume inside a closed surface is, by the divergence theorem along x, the sum over its facets of the integral of
// clamp(p + 1 − x, 0, 1) over their signed areas in y and z, within the row and the slab; p is the pixel. A trapezoid between two lines of
// constant y is two triangles, over which x is linear: the integral of max(0, t − x) over a triangle is a cubic in t, without division by
// anything that vanishes.

import { columns } from "../raster/row-pieces.as";

/** The first and the last block of each row (4 bytes each), 0 if there is none. */
export let rowHeads: usize;
export let rowTails: usize;

/**
 * Blocks of pieces: the next block of the row, the ends of its pieces and of its memory (4 bytes each); pieces follow. So those of a row are
 * read nearly in the order of memory. The last array of the memory, which grows with it.
 */
export let slabPieces: usize;
const BLOCK_HEAD_BYTES: usize = 16;
const BLOCK_BYTES: usize = 512;
export let piecesEnd: usize = 0;

/**
 * A piece: its body, the first pixel and the number of pixels (4 bytes each), and what it adds to the difference of each of these pixels from
 * the one before (8 bytes each).
 */
const HEAD_BYTES: usize = 16;
/** Number of all differences of the pieces. */
export let changeCount: i32 = 0;

// @ts-ignore: a decorator of AssemblyScript.
@inline
export function bodyOf(piece: usize): u32 {
  return load<u32>(piece);
}
// @ts-ignore: a decorator of AssemblyScript.
@inline
export function pixelOf(piece: usize): i32 {
  return load<i32>(piece, 4);
}
// @ts-ignore: a decorator of AssemblyScript.
@inline
export function changesOf(piece: usize): i32 {
  return load<i32>(piece, 8);
}
/** The address of the first difference. */
// @ts-ignore: a decorator of AssemblyScript.
@inline
export function changesAt(piece: usize): usize {
  return piece + HEAD_BYTES;
}

/** The block that is read. */
let block: usize = 0;

/** The first piece of a row; 0 if it has none. Pieces ascend by bodies. */
// @ts-ignore: a decorator of AssemblyScript.
@inline
export function firstPiece(row: i32): usize {
  block = load<u32>(rowHeads + (row << 2));
  return block === 0 ? 0 : block + BLOCK_HEAD_BYTES;
}

/** The piece after one of the row that is read. */
// @ts-ignore: a decorator of AssemblyScript.
@inline
export function nextPiece(piece: usize): usize {
  const next = piece + HEAD_BYTES + (<usize>changesOf(piece) << 3);
  if (next < <usize>load<u32>(block, 4)) return next;
  block = load<u32>(block);
  return block === 0 ? 0 : block + BLOCK_HEAD_BYTES;
}

/** Forgets the pieces of the rows from `from` to before `to`. */
export function beginPieces(from: i32, to: i32): void {
  const bytes = max(0, to - from) << 2;
  memory.fill(rowHeads + (from << 2), 0, bytes);
  memory.fill(rowTails + (from << 2), 0, bytes);
  piecesEnd = slabPieces;
  changeCount = 0;
}

/** Bytes of the memory. */
let memoryEnd: usize = 0;

/** Makes room for so many bytes at the end of the pieces. */
// @ts-ignore: a decorator of AssemblyScript.
@inline
export function reserve(bytes: usize): void {
  if (piecesEnd + bytes > memoryEnd) grow(bytes);
}

/** By an eighth at least, so that it is seldom needed. */
function grow(bytes: usize): void {
  memoryEnd = <usize>memory.size() << 16;
  if (piecesEnd + bytes <= memoryEnd) return;
  memory.grow(<i32>((piecesEnd + bytes - memoryEnd) >> 16) + 1 + (memory.size() >> 3));
  memoryEnd = <usize>memory.size() << 16;
}

/** Begins a piece of so many differences, which follow at the returned address. */
// @ts-ignore: a decorator of AssemblyScript.
@inline
function addPiece(row: i32, body: u32, pixel: i32, count: i32): usize {
  const bytes = HEAD_BYTES + (<usize>count << 3);
  const tail = rowTails + (row << 2);
  let last = <usize>load<u32>(tail);
  if (last === 0 || <usize>load<u32>(last, 4) + bytes > <usize>load<u32>(last, 8)) last = addBlock(row, last, bytes);
  const piece = <usize>load<u32>(last, 4);
  store<u32>(last, <u32>(piece + bytes), 4);
  changeCount += count;
  store<u32>(piece, body);
  store<i32>(piece, pixel, 4);
  store<i32>(piece, count, 8);
  return piece + HEAD_BYTES;
}

/** Adds a block with room for a piece of so many bytes after the last block of the row. */
function addBlock(row: i32, last: usize, bytes: usize): usize {
  const size = max(BLOCK_BYTES, BLOCK_HEAD_BYTES + bytes);
  reserve(size);
  const added = piecesEnd;
  piecesEnd += size;
  store<u32>(added, 0);
  store<u32>(added, <u32>(added + BLOCK_HEAD_BYTES), 4);
  store<u32>(added, <u32>piecesEnd, 8);
  if (last === 0) store<u32>(rowHeads + (row << 2), <u32>added);
  else store<u32>(last, <u32>added);
  store<u32>(rowTails + (row << 2), <u32>added);
  return added;
}

const THIRD: f64 = 1 / 3;

/**
 * Adds a trapezoid of two triangles with the signed areas `upperArea` and `lowerArea`: it has the x `a` and `b` at its upper line, and `c`
 * and `d` at its lower one, `c` below `a`.
 */
// @ts-ignore: a decorator of AssemblyScript.
@inline
export function addTrapezoid(
  row: i32,
  body: u32,
  upperArea: f64,
  lowerArea: f64,
  a: f64,
  b: f64,
  c: f64,
  d: f64,
): void {
  const leftEnd = min(min(a, b), min(c, d));
  if (leftEnd >= <f64>columns) return;
  const right = max(max(a, b), max(c, d));
  const left = max<f64>(0, floor(leftEnd));
  const first = <i32>left;
  const isWithinPixel = leftEnd >= 0 && right <= left + 1;
  if (!isWithinPixel && right > 0) {
    addWide(row, body, first, right, upperArea, lowerArea, a - left, b - left, c - left, d - left);
    return;
  }
  const area = upperArea + lowerArea;
  const both = b - left + (c - left);
  // To the left of the first pixel, x is that of its border.
  const moment = isWithinPixel ? (upperArea * (a - left + both) + lowerArea * (both + (d - left))) * THIRD : 0;
  const at = addPiece(row, body, first, 2);
  store<f64>(at, area - moment);
  store<f64>(at, moment, 8);
}

/** Adds a trapezoid over several pixels, from the pixel `first`, to which `a` to `d` are relative, up to the one with `right`. */
function addWide(
  row: i32,
  body: u32,
  first: i32,
  right: f64,
  upperArea: f64,
  lowerArea: f64,
  a: f64,
  b: f64,
  c: f64,
  d: f64,
): void {
  // The corners of both triangles, by x, and the coefficients of their cubics.
  const low = min(b, c);
  const high = max(b, c);
  const upperLow = min(a, low);
  const upperHigh = max(a, high);
  const upperMid = max(low, min(a, high));
  const lowerLow = min(d, low);
  const lowerHigh = max(d, high);
  const lowerMid = max(low, min(d, high));
  const upperPart = (upperArea * THIRD) / (upperHigh - upperLow);
  const lowerPart = (lowerArea * THIRD) / (lowerHigh - lowerLow);
  const upperRise = upperPart / (upperMid - upperLow);
  const upperFall = upperPart / (upperHigh - upperMid);
  const lowerRise = lowerPart / (lowerMid - lowerLow);
  const lowerFall = lowerPart / (lowerHigh - lowerMid);
  const upperMean = (a + b + c) * THIRD;
  const lowerMean = (b + c + d) * THIRD;
  const end = <i32>min<f64>(<f64>columns, ceil(right));
  const count = end - first;
  let at = addPiece(row, body, first, count + 1);
  // The volume to the left of the first pixel, which columns beyond the left border have, is that of no pixel.
  let volume =
    before(0, upperArea, upperLow, upperMid, upperHigh, upperMean, upperRise, upperFall) +
    before(0, lowerArea, lowerLow, lowerMid, lowerHigh, lowerMean, lowerRise, lowerFall);
  let share: f64 = 0;
  for (let i = 1; i <= count; i++, at += 8) {
    const t = <f64>i;
    const next =
      before(t, upperArea, upperLow, upperMid, upperHigh, upperMean, upperRise, upperFall) +
      before(t, lowerArea, lowerLow, lowerMid, lowerHigh, lowerMean, lowerRise, lowerFall);
    store<f64>(at, next - volume - share);
    share = next - volume;
    volume = next;
  }
  store<f64>(at, upperArea + lowerArea - share);
}

/** The integral of max(0, t − x) over a triangle; `rise` and `fall` are its cubic coefficients below and above its middle corner. */
// @ts-ignore: a decorator of AssemblyScript.
@inline
function before(t: f64, area: f64, low: f64, mid: f64, high: f64, mean: f64, rise: f64, fall: f64): f64 {
  if (t <= low) return 0;
  if (t < mid) return rise * (t - low) * (t - low) * (t - low);
  const linear = area * (t - mean);
  return t >= high ? linear : linear + fall * (high - t) * (high - t) * (high - t);
}
