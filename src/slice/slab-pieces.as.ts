// AssemblyScript, part of the kernel `volume-kernel.as.ts`: what polygons of facets add to the volumes of pixels.
//
// The share v of a pixel's volume inside a closed surface is, by the divergence theorem along x, the sum over its facets of the integral of
// clamp(p + 1 − x, 0, 1) over their signed areas in y and z, within the row and the slab; p is the pixel. A trapezoid between two lines of
// constant y is two triangles, over which x is linear: the integral of max(0, t − x) over a triangle is a cubic in t, without division by
// anything that vanishes.

import { columns } from "./row-pieces.as";

/** The last piece of each row (4 bytes), 0 if there is none. */
export let rowHeads: usize;
/**
 * Pieces: what each adds to the differences of two neighbouring pixels (8 bytes each), the first of them, the body, and the piece before it
 * in its row (4 bytes each). The last array of the memory, which grows with it.
 */
export let slabPieces: usize;
const PIECE_BYTES: usize = 32;
export let piecesEnd: usize = 0;

/** Most runs that the pieces make: each begins a run at two pixels. */
export function runsOfPieces(): i32 {
  return <i32>((piecesEnd - slabPieces) / PIECE_BYTES) << 1;
}

// @ts-ignore: a decorator of AssemblyScript.
@inline
export function shareOf(piece: usize): f64 {
  return load<f64>(piece);
}
// @ts-ignore: a decorator of AssemblyScript.
@inline
export function nextShareOf(piece: usize): f64 {
  return load<f64>(piece, 8);
}
// @ts-ignore: a decorator of AssemblyScript.
@inline
export function pixelOf(piece: usize): i32 {
  return load<i32>(piece, 16);
}
// @ts-ignore: a decorator of AssemblyScript.
@inline
export function bodyOf(piece: usize): u32 {
  return load<u32>(piece, 20);
}
// @ts-ignore: a decorator of AssemblyScript.
@inline
export function pieceBefore(piece: usize): usize {
  return load<u32>(piece, 24);
}
// @ts-ignore: a decorator of AssemblyScript.
@inline
export function lastPiece(row: i32): usize {
  return load<u32>(rowHeads + (row << 2));
}

/** Forgets the pieces of the rows from `from` to before `to`. */
export function beginPieces(from: i32, to: i32): void {
  memory.fill(rowHeads + (from << 2), 0, max(0, to - from) << 2);
  piecesEnd = slabPieces;
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

// @ts-ignore: a decorator of AssemblyScript.
@inline
function addPiece(row: i32, pixel: i32, share: f64, nextShare: f64, body: u32): void {
  const piece = piecesEnd;
  piecesEnd += PIECE_BYTES;
  store<f64>(piece, share);
  store<f64>(piece, nextShare, 8);
  store<i32>(piece, pixel, 16);
  store<u32>(piece, body, 20);
  store<u32>(piece, load<u32>(rowHeads + (row << 2)), 24);
  store<u32>(rowHeads + (row << 2), <u32>piece);
}

/** A triangle within a row: its signed area in y and z, and the x of its corners, ascending, relative to a pixel. */
// @ts-ignore: a decorator of AssemblyScript.
@unmanaged
class Triangle {
  area: f64;
  low: f64;
  mid: f64;
  high: f64;
  mean: f64;
}
const upper = changetype<Triangle>(memory.data(40, 8));
const lower = changetype<Triangle>(memory.data(40, 8));

// @ts-ignore: a decorator of AssemblyScript.
@inline
function setTriangle(triangle: Triangle, area: f64, a: f64, b: f64, c: f64): void {
  triangle.area = area;
  triangle.low = min(a, min(b, c));
  triangle.high = max(a, max(b, c));
  triangle.mid = max(min(a, b), min(max(a, b), c));
  triangle.mean = (a + b + c) * THIRD;
}
const THIRD: f64 = 1 / 3;

/** The integral of max(0, t − x) over a triangle. */
// @ts-ignore: a decorator of AssemblyScript.
@inline
function before(triangle: Triangle, t: f64): f64 {
  const area = triangle.area;
  const low = triangle.low;
  const mid = triangle.mid;
  const high = triangle.high;
  const mean = triangle.mean;
  if (t <= low) return 0;
  if (t < mid) return ((area * THIRD * (t - low)) / (high - low)) * ((t - low) / (mid - low)) * (t - low);
  if (t >= high) return area * (t - mean);
  return area * (t - mean + ((THIRD * (high - t)) / (high - low)) * ((high - t) / (high - mid)) * (high - t));
}

/**
 * Adds a trapezoid of two triangles with the signed areas `upperArea` and `lowerArea`: it has the x `a` and `b` at its upper line, and `c`
 * and `d` at its lower one, `c` below `a`.
 */
// @ts-ignore: a decorator of AssemblyScript.
@inline
export function addTrapezoid(row: i32, body: u32, upperArea: f64, lowerArea: f64, a: f64, b: f64, c: f64, d: f64): void {
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
  reserve(PIECE_BYTES);
  const area = upperArea + lowerArea;
  const both = b - left + (c - left);
  // To the left of the first pixel, x is that of its border.
  const moment = isWithinPixel ? (upperArea * (a - left + both) + lowerArea * (both + (d - left))) * THIRD : 0;
  addPiece(row, first, area - moment, moment, body);
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
  setTriangle(upper, upperArea, a, b, c);
  setTriangle(lower, lowerArea, b, c, d);
  const end = <i32>min<f64>(<f64>columns, ceil(right));
  reserve(<usize>((end - first) / 2 + 2) * PIECE_BYTES);
  // The volume of pixels to the left of t, with columns beyond the left border counted as nothing.
  let volume = before(upper, 0) + before(lower, 0);
  let share: f64 = 0;
  let held: f64 = 0;
  for (let pixel = first; pixel < end; pixel++) {
    const t = <f64>(pixel + 1 - first);
    const next = before(upper, t) + before(lower, t);
    const nextShare = next - volume;
    const change = nextShare - share;
    if (((pixel - first) & 1) === 0) held = change;
    else addPiece(row, pixel - 1, held, change, body);
    volume = next;
    share = nextShare;
  }
  const rest = upperArea + lowerArea - share;
  if (((end - first) & 1) === 0) addPiece(row, end, rest, 0, body);
  else addPiece(row, end - 1, held, rest, body);
}
