// AssemblyScript, part of the kernel `strut-kernel.as.ts`: the sections of struts and balls in the plane of a layer.

import { greater, lesser } from "../raster/coverage.as";
import { rows } from "../raster/row-pieces.as";
import { NO_LIMIT, PIECE_BYTES, cutPiece, left, pieceBottom, pieceTop, right, writePiece } from "./conic-piece.as";

/** Raster to lattice coordinates: x pixels across, y pixels down and the plane of the layer are at (o) + x·(e) + y·(f). */
export let ox: f64, oy: f64, oz: f64;
export let ex: f64, ey: f64, ez: f64;
export let fx: f64, fy: f64, fz: f64;

/** Struts to add, 8 numbers of 8 bytes each: both ends in lattice coordinates, and their radii. */
export let struts: usize;
/** The caps of these struts (1 byte each): that of the first end plus 4 times that of the second. */
export let caps: usize;
/** As in `strut-lattice.ts`. */
const SPHERE = 0;
const HEMISPHERE = 1;
const BUTT = 2;

/** For each row, the first of the sections that begin in it (4 bytes each); 0 for none. */
export let firstInRow: usize;

/**
 * The sections follow each other at the end of memory, which grows with them. A section is convex: the convex hull, row by row, of one to three
 * pieces. It has the next section of its row and the number of its pieces (4 bytes each); its extent in y, its intervals at the top and the bottom
 * of the current row, and by how much both sides moved in the row before (8 × 8 bytes); and its pieces.
 */
export let sections: usize;
let end: usize;
const HEADER_BYTES: usize = 72;
/** Sections that begin at less than this distance from each other, pixels, have no area. */
const LEAST_EXTENT: f64 = 1e-9;
/** A half ball on the smaller end of a frustum reaches this far into it, pixels, so that no seam is left. */
const SEAM: f64 = 1.5;

/** Starts a layer. */
export function beginSections(): void {
  end = sections;
  memory.fill(firstInRow, 0, rows << 2);
}

/** Adds the sections of `count` struts. */
export function addStruts(count: i32): void {
  for (let i = 0; i < count; i++) addStrut(struts + (i << 6), load<u8>(caps + i));
}

/** Adds the sections of `count` balls: their centres and radii stand in place of the first end and radius of struts. */
export function addBalls(count: i32): void {
  for (let i = 0; i < count; i++) {
    const at = struts + (i << 6);
    const section = newSection();
    addBall(section, load<f64>(at), load<f64>(at, 8), load<f64>(at, 16), load<f64>(at, 48));
    endSection(section);
  }
}

function addStrut(at: usize, cap: u32): void {
  const px = load<f64>(at);
  const py = load<f64>(at, 8);
  const pz = load<f64>(at, 16);
  const dx = load<f64>(at, 24) - px;
  const dy = load<f64>(at, 32) - py;
  const dz = load<f64>(at, 40) - pz;
  const r1 = load<f64>(at, 48);
  const r2 = load<f64>(at, 56);
  const cap1 = cap & 3;
  const cap2 = cap >> 2;
  const dd = dx * dx + dy * dy + dz * dz;
  // The axis at a point of the layer: s = l0 + x·lx + y·ly, from 0 at the first end to dd at the second.
  const qx = ox - px;
  const qy = oy - py;
  const qz = oz - pz;
  const l0 = qx * dx + qy * dy + qz * dz;
  const lx = ex * dx + ey * dy + ez * dz;
  const ly = fx * dx + fy * dy + fz * dz;
  const section = newSection();
  addFrustum(section, qx, qy, qz, dd, r1, r2, l0, lx, ly);
  // Convex with the frustum are half balls on both ends of a cylinder, and one on the larger end of another frustum.
  const isCylinder = r1 === r2;
  const joins1 = cap1 !== BUTT && (isCylinder || (cap1 === HEMISPHERE && r1 > r2));
  const joins2 = cap2 !== BUTT && (isCylinder || (cap2 === HEMISPHERE && r2 > r1));
  if (joins1) addHalfBall(section, px, py, pz, r1, l0, lx, ly, -NO_LIMIT, 0);
  if (joins2) addHalfBall(section, px + dx, py + dy, pz + dz, r2, l0, lx, ly, dd, NO_LIMIT);
  endSection(section);
  // The other balls are sections of their own. A sphere on a cylinder may reach through the flat end of a short one.
  if (cap1 !== BUTT && (!joins1 || (cap1 === SPHERE && cap2 === BUTT && dd < r1 * r1))) {
    const ball = newSection();
    addHalfBall(ball, px, py, pz, r1, l0, lx, ly, -NO_LIMIT, cap1 === SPHERE ? NO_LIMIT : seam(dd));
    endSection(ball);
  }
  if (cap2 !== BUTT && (!joins2 || (cap2 === SPHERE && cap1 === BUTT && dd < r2 * r2))) {
    const ball = newSection();
    addHalfBall(ball, px + dx, py + dy, pz + dz, r2, l0, lx, ly, cap2 === SPHERE ? -NO_LIMIT : dd - seam(dd), NO_LIMIT);
    endSection(ball);
  }
}

/** {@link SEAM} in terms of the axis. */
function seam(dd: f64): f64 {
  return min(dd, SEAM * sqrt(dd * max(ex * ex + ey * ey + ez * ez, fx * fx + fy * fy + fz * fz)));
}

/** Adds the frustum of an axis of squared length `dd`, whose first end is at −q: |v|²·dd − s² ≤ dd·(r1 + s·(r2 − r1) / dd)². */
function addFrustum(
  section: usize,
  qx: f64,
  qy: f64,
  qz: f64,
  dd: f64,
  r1: f64,
  r2: f64,
  l0: f64,
  lx: f64,
  ly: f64,
): void {
  if (dd === 0) return;
  const ee = ex * ex + ey * ey + ez * ez;
  const slope = (r2 - r1) / dd;
  const turn = (1 + dd * slope * slope) / dd;
  const grow = r1 * slope;
  // Divided by dd · ee: the form is in pixels².
  addPiece(
    section,
    1 - (turn * lx * lx) / ee,
    (ex * fx + ey * fy + ez * fz - turn * lx * ly) / ee,
    (fx * fx + fy * fy + fz * fz - turn * ly * ly) / ee,
    (qx * ex + qy * ey + qz * ez - turn * l0 * lx - grow * lx) / ee,
    (qx * fx + qy * fy + qz * fz - turn * l0 * ly - grow * ly) / ee,
    (qx * qx + qy * qy + qz * qz - turn * l0 * l0 - 2 * grow * l0 - r1 * r1) / ee,
    l0,
    lx,
    ly,
    0,
    dd,
  );
}

// @ts-ignore: a decorator of AssemblyScript.
@inline
function addBall(section: usize, px: f64, py: f64, pz: f64, radius: f64): void {
  addHalfBall(section, px, py, pz, radius, 0, 0, 0, -NO_LIMIT, NO_LIMIT);
}

/** Adds the part of a ball where the linear form is between `low` and `high`. */
function addHalfBall(
  section: usize,
  px: f64,
  py: f64,
  pz: f64,
  radius: f64,
  l0: f64,
  lx: f64,
  ly: f64,
  low: f64,
  high: f64,
): void {
  const ee = ex * ex + ey * ey + ez * ez;
  const qx = ox - px;
  const qy = oy - py;
  const qz = oz - pz;
  addPiece(
    section,
    1,
    (ex * fx + ey * fy + ez * fz) / ee,
    (fx * fx + fy * fy + fz * fz) / ee,
    (qx * ex + qy * ey + qz * ez) / ee,
    (qx * fx + qy * fy + qz * fz) / ee,
    (qx * qx + qy * qy + qz * qz - radius * radius) / ee,
    l0,
    lx,
    ly,
    low,
    high,
  );
}

function newSection(): usize {
  const needed = end + HEADER_BYTES + 3 * PIECE_BYTES;
  const missing = <i64>needed - ((<i64>memory.size()) << 16);
  // Doubled, because growth may copy the whole memory.
  if (missing > 0 && memory.grow(max<i32>(<i32>(missing >> 16) + 1, memory.size() >> 1)) < 0) {
    if (memory.grow(<i32>(missing >> 16) + 1) < 0) unreachable();
  }
  store<u32>(end, 0, 4);
  store<f64>(end, NO_LIMIT, 8);
  store<f64>(end, -NO_LIMIT, 16);
  return end;
}

function addPiece(
  section: usize,
  xx: f64,
  xy: f64,
  yy: f64,
  x1: f64,
  y1: f64,
  c: f64,
  l0: f64,
  lx: f64,
  ly: f64,
  low: f64,
  high: f64,
): void {
  const count = load<u32>(section, 4);
  const piece = section + HEADER_BYTES + <usize>count * PIECE_BYTES;
  if (!writePiece(piece, xx, xy, yy, x1, y1, c, l0, lx, ly, low, high)) return;
  store<u32>(section, count + 1, 4);
  store<f64>(section, min(top(section), pieceTop(piece)), 8);
  store<f64>(section, max(bottom(section), pieceBottom(piece)), 16);
}

/** Keeps a section that is in the layer. */
function endSection(section: usize): void {
  const first = top(section);
  const last = bottom(section);
  if (!(last - first > LEAST_EXTENT) || last <= 0 || first >= <f64>rows) return;
  const head = firstInRow + (<usize>max<f64>(0, floor(first)) << 2);
  store<u32>(section, load<u32>(head));
  store<u32>(head, <u32>section);
  end = section + HEADER_BYTES + <usize>load<u32>(section, 4) * PIECE_BYTES;
  // Rows above the layer are not drawn.
  if (first < 0) store<f64>(section, 0, 8);
}

// @ts-ignore: a decorator of AssemblyScript.
@inline
export function nextSection(section: usize): usize {
  return load<u32>(section);
}

// @ts-ignore: a decorator of AssemblyScript.
@inline
export function setNextSection(section: usize, next: usize): void {
  store<u32>(section, <u32>next);
}

/** The extent of a section in y. */
// @ts-ignore: a decorator of AssemblyScript.
@inline
export function top(section: usize): f64 {
  return load<f64>(section, 8);
}

// @ts-ignore: a decorator of AssemblyScript.
@inline
export function bottom(section: usize): f64 {
  return load<f64>(section, 16);
}

/** The interval of a section at the top of the current row, as {@link keepCut} stored it. */
// @ts-ignore: a decorator of AssemblyScript.
@inline
export function leftAtTop(section: usize): f64 {
  return load<f64>(section, 24);
}

// @ts-ignore: a decorator of AssemblyScript.
@inline
export function rightAtTop(section: usize): f64 {
  return load<f64>(section, 32);
}

/** The interval of a section at the bottom of the current row. */
// @ts-ignore: a decorator of AssemblyScript.
@inline
export function leftAtBottom(section: usize): f64 {
  return load<f64>(section, 56);
}

// @ts-ignore: a decorator of AssemblyScript.
@inline
export function rightAtBottom(section: usize): f64 {
  return load<f64>(section, 64);
}

// @ts-ignore: a decorator of AssemblyScript.
@inline
export function leftStep(section: usize): f64 {
  return load<f64>(section, 40);
}

// @ts-ignore: a decorator of AssemblyScript.
@inline
export function rightStep(section: usize): f64 {
  return load<f64>(section, 48);
}

/**
 * Keeps the interval at the bottom of a row and the moves of its sides for the next row, and cuts the section at the bottom of that: one row ahead,
 * so that no branch waits for a root.
 */
// @ts-ignore: a decorator of AssemblyScript.
@inline
export function keepCut(section: usize, row: i32, left: f64, right: f64, leftMove: f64, rightMove: f64): void {
  store<f64>(section, left, 24);
  store<f64>(section, right, 32);
  store<f64>(section, leftMove, 40);
  store<f64>(section, rightMove, 48);
  cutSection(section, <f64>(row + 2));
  store<f64>(section, cutLeft, 56);
  store<f64>(section, cutRight, 64);
}

/** The last cut: none if `cutLeft` is not below `cutRight`. */
export let cutLeft: f64 = 0;
export let cutRight: f64 = 0;

/** Cuts a section with the row at y. */
export function cutSection(section: usize, y: f64): void {
  let piece = section + HEADER_BYTES;
  const count = load<u32>(section, 4);
  if (count === 1) {
    cutPiece(piece, y);
    cutLeft = left;
    cutRight = right;
    return;
  }
  cutLeft = NO_LIMIT;
  cutRight = -NO_LIMIT;
  for (let i = count; i > 0; i--, piece += PIECE_BYTES) {
    if (y < pieceTop(piece) || y > pieceBottom(piece)) continue;
    cutPiece(piece, y);
    if (!(left < right)) continue;
    cutLeft = lesser(cutLeft, left);
    cutRight = greater(cutRight, right);
  }
}
