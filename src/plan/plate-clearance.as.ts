// AssemblyScript, part of `plate-kernel.as.ts`. Exact distances of the edges of parts on the floor.

import {
  BOX,
  EDGES,
  EDGE_BYTES,
  cellMm,
  cornerRadius,
  endOfEdges,
  gapMm,
  innerX,
  innerY,
  maxX,
  maxY,
  minX,
  minY,
} from "./plate-floor.as";

/** Address and number of the placed parts: 24 bytes each, the address of the shape and, from byte 8 on, x and y in mm. */
export let placed: usize;
export let placedCount: i32;
export const PLACED_BYTES: usize = 24;

/** The place that {@link settle} found, mm. */
export let settledX: f64;
export let settledY: f64;

/** Half of the tolerance of `layout/resolve-overlaps.ts`, so that rounding errors never decide there. */
const TOLERANCE_MM: f64 = 1e-7;

export function clearPlaced(): void {
  placedCount = 0;
}

export function addPlaced(shape: usize, x: f64, y: f64): void {
  const at = placed + <usize>placedCount * PLACED_BYTES;
  store<u32>(at, <u32>shape);
  store<f64>(at, x, 8);
  store<f64>(at, y, 16);
  placedCount++;
}

/** Whether a shape at x, y is within the floor and keeps the gap to all placed parts. */
export function isClear(shape: usize, x: f64, y: f64): bool {
  const left = x + load<f64>(shape, BOX);
  const front = y + load<f64>(shape, BOX + 8);
  const right = x + load<f64>(shape, BOX + 16);
  const back = y + load<f64>(shape, BOX + 24);
  if (left < minX - TOLERANCE_MM || right > maxX + TOLERANCE_MM) return false;
  if (front < minY - TOLERANCE_MM || back > maxY + TOLERANCE_MM) return false;
  const nearCorner = max(-left, right) > innerX && max(-front, back) > innerY;
  if (cornerRadius > 0 && nearCorner && exceedsCorner(shape, x, y)) return false;
  for (let at = placed, end = placed + <usize>placedCount * PLACED_BYTES; at < end; at += PLACED_BYTES) {
    const other = load<u32>(at);
    const u = load<f64>(at, 8);
    const v = load<f64>(at, 16);
    if (u + load<f64>(other, BOX) >= right + gapMm || u + load<f64>(other, BOX + 16) <= left - gapMm) continue;
    if (v + load<f64>(other, BOX + 8) >= back + gapMm || v + load<f64>(other, BOX + 24) <= front - gapMm) continue;
    if (isTooClose(shape, other, u - x, v - y)) return false;
  }
  return true;
}

function exceedsCorner(shape: usize, x: f64, y: f64): bool {
  const limit = (cornerRadius + TOLERANCE_MM) * (cornerRadius + TOLERANCE_MM);
  for (let at: usize = load<u32>(shape, EDGES), end = endOfEdges(shape); at < end; at += EDGE_BYTES) {
    const u = abs(x + load<f64>(at)) - innerX;
    const v = abs(y + load<f64>(at, 8)) - innerY;
    if (u > 0 && v > 0 && u * u + v * v > limit) return true;
  }
  return false;
}

/** Whether `b`, moved by (dx, dy), is nearer to `a` than the gap, or overlaps it. */
function isTooClose(a: usize, b: usize, dx: f64, dy: f64): bool {
  const edgesA: usize = load<u32>(a, EDGES);
  const edgesB: usize = load<u32>(b, EDGES);
  const endA = endOfEdges(a);
  const endB = endOfEdges(b);
  const left = load<f64>(b, BOX) + dx - gapMm;
  const front = load<f64>(b, BOX + 8) + dy - gapMm;
  const right = load<f64>(b, BOX + 16) + dx + gapMm;
  const back = load<f64>(b, BOX + 24) + dy + gapMm;
  for (let at = edgesA; at < endA; at += EDGE_BYTES) {
    const px = load<f64>(at);
    const py = load<f64>(at, 8);
    const qx = load<f64>(at, 16);
    const qy = load<f64>(at, 24);
    if (min(px, qx) >= right || max(px, qx) <= left || min(py, qy) >= back || max(py, qy) <= front) continue;
    const fromX = min(px, qx) - gapMm - dx;
    const toX = max(px, qx) + gapMm - dx;
    const fromY = min(py, qy) - gapMm - dy;
    const toY = max(py, qy) + gapMm - dy;
    for (let to = edgesB; to < endB; to += EDGE_BYTES) {
      const rx = load<f64>(to);
      const sx = load<f64>(to, 16);
      if ((rx >= toX && sx >= toX) || (rx <= fromX && sx <= fromX)) continue;
      const ry = load<f64>(to, 8);
      const sy = load<f64>(to, 24);
      if ((ry >= toY && sy >= toY) || (ry <= fromY && sy <= fromY)) continue;
      if (areNear(px, py, qx, qy, rx + dx, ry + dy, sx + dx, sy + dy)) return true;
    }
  }
  return (
    covers(a, load<f64>(edgesB) + dx, load<f64>(edgesB, 8) + dy) ||
    covers(b, load<f64>(edgesA) - dx, load<f64>(edgesA, 8) - dy)
  );
}

/** Whether the segments p–q and r–s cross, or are nearer than the gap. */
function areNear(px: f64, py: f64, qx: f64, qy: f64, rx: f64, ry: f64, sx: f64, sy: f64): bool {
  const least = (gapMm - TOLERANCE_MM) * abs(gapMm - TOLERANCE_MM);
  if (squareToSegment(px, py, rx, ry, sx, sy) < least || squareToSegment(qx, qy, rx, ry, sx, sy) < least) return true;
  if (squareToSegment(rx, ry, px, py, qx, qy) < least || squareToSegment(sx, sy, px, py, qx, qy) < least) return true;
  const r = side(px, py, qx, qy, rx, ry);
  const s = side(px, py, qx, qy, sx, sy);
  if (!((r > 0 && s < 0) || (r < 0 && s > 0))) return false;
  const p = side(rx, ry, sx, sy, px, py);
  const q = side(rx, ry, sx, sy, qx, qy);
  return (p > 0 && q < 0) || (p < 0 && q > 0);
}

// @ts-ignore: decorator
@inline
function side(px: f64, py: f64, qx: f64, qy: f64, x: f64, y: f64): f64 {
  return (qx - px) * (y - py) - (qy - py) * (x - px);
}

// @ts-ignore: decorator
@inline
function squareToSegment(x: f64, y: f64, ax: f64, ay: f64, bx: f64, by: f64): f64 {
  const ux = bx - ax;
  const uy = by - ay;
  const square = ux * ux + uy * uy;
  const share = square > 0 ? min<f64>(1, max<f64>(0, ((x - ax) * ux + (y - ay) * uy) / square)) : 0;
  const u = ax + share * ux - x;
  const v = ay + share * uy - y;
  return u * u + v * v;
}

/** Whether a point is in a shape, by the non-zero rule. */
function covers(shape: usize, x: f64, y: f64): bool {
  if (x < load<f64>(shape, BOX) || x > load<f64>(shape, BOX + 16)) return false;
  if (y < load<f64>(shape, BOX + 8) || y > load<f64>(shape, BOX + 24)) return false;
  let winding = 0;
  for (let at: usize = load<u32>(shape, EDGES), end = endOfEdges(shape); at < end; at += EDGE_BYTES) {
    const ay = load<f64>(at, 8);
    const by = load<f64>(at, 24);
    if (ay <= y === by <= y) continue;
    const ax = load<f64>(at);
    const across = (load<f64>(at, 16) - ax) * (y - ay) - (by - ay) * (x - ax);
    if (by > ay && across > 0) winding++;
    else if (by < ay && across < 0) winding--;
  }
  return winding > 0;
}

/** How far from its cell a part is looked for, in quarters of a cell. */
const REACH: i32 = 2;
/** The least step of a push, as a fraction of a cell. */
const LEAST_STEP: f64 = 1.0 / 32;
const PUSHES: i32 = 3;

/**
 * Finds a place near a cell that keeps the gap exactly, and pushes the shape from there to the left and to the front. False where none is
 * near.
 */
export function settle(shape: usize, column: i32, row: i32): bool {
  const x = min(minX + cellMm * column - load<f64>(shape, BOX), maxX - load<f64>(shape, BOX + 16));
  const y = min(minY + cellMm * row - load<f64>(shape, BOX + 8), maxY - load<f64>(shape, BOX + 24));
  if (!findNear(shape, x, y)) return false;
  for (let step = cellMm / 2; step > cellMm * LEAST_STEP; step /= 2) {
    for (let i = 0; i < PUSHES; i++) {
      const left = isClear(shape, settledX - step, settledY);
      if (left) settledX -= step;
      const front = isClear(shape, settledX, settledY - step);
      if (front) settledY -= step;
      if (!left && !front) break;
    }
  }
  snap(shape);
  return true;
}

/**
 * Moves a shape by what is left to the sides of the floor and of the boxes of placed parts: halving steps end short of them, and rows of boxes
 * may need the last micrometre.
 */
function snap(shape: usize): void {
  const left = load<f64>(shape, BOX);
  const front = load<f64>(shape, BOX + 8);
  snapX(shape, minX - left);
  snapY(shape, minY - front);
  for (let at = placed, end = placed + <usize>placedCount * PLACED_BYTES; at < end; at += PLACED_BYTES) {
    const other = load<u32>(at);
    snapX(shape, load<f64>(at, 8) + load<f64>(other, BOX + 16) + gapMm - left);
    snapY(shape, load<f64>(at, 16) + load<f64>(other, BOX + 24) + gapMm - front);
  }
}

function snapX(shape: usize, x: f64): void {
  if (x < settledX && settledX - x <= 2 * cellMm * LEAST_STEP && isClear(shape, x, settledY)) settledX = x;
}

function snapY(shape: usize, y: f64): void {
  if (y < settledY && settledY - y <= 2 * cellMm * LEAST_STEP && isClear(shape, settledX, y)) settledY = y;
}

/** Squares around a place, the nearest first. */
function findNear(shape: usize, x: f64, y: f64): bool {
  for (let reach = 0; reach <= REACH; reach++) {
    for (let u = -reach; u <= reach; u++) {
      for (let v = -reach; v <= reach; v++) {
        if (max(abs(u), abs(v)) !== reach) continue;
        settledX = x + (cellMm / 4) * u;
        settledY = y + (cellMm / 4) * v;
        if (isClear(shape, settledX, settledY)) return true;
      }
    }
  }
  return false;
}
