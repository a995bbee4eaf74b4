// AssemblyScript, part of `plate-kernel.as.ts`. The cells of shapes and of the surroundings of placed parts.

import { BOX, EDGES, EDGE_BYTES, cellMm, endOfEdges } from "./plate-floor.as";

/** Runs of a column, from a row up to another, exclusive. They may overlap and reach beyond the floor. */
const MAX_RUNS: i32 = 160;
const runs: usize = memory.data(8 * 160);
export let runCount: i32;

// @ts-ignore: decorator
@inline
export function runStart(i: i32): i32 {
  return load<i32>(runs + 8 * i);
}

// @ts-ignore: decorator
@inline
export function runEnd(i: i32): i32 {
  return load<i32>(runs + 8 * i, 4);
}

/** Crossings of a line with edges: y as f32 and 1 or −1. */
const MAX_CROSSINGS: i32 = 120;
const crossings: usize = memory.data(8 * 120);
let crossingCount: i32;

/** Rounding never decides whether the centre of a cell is inside. */
const ROUNDING: f64 = 1e-6;

/**
 * Finds the runs of the cells whose centres are in a shape or nearer than `grownMm` to it. The column has its centre at `x`, and row 0
 * begins at `y`, relative to the position of the shape.
 */
export function findRuns(shape: usize, x: f64, y: f64, grownMm: f64): void {
  runCount = 0;
  crossingCount = 0;
  for (let at: usize = load<u32>(shape, EDGES), end = endOfEdges(shape); at < end; at += EDGE_BYTES) {
    const ax = load<f64>(at);
    const ay = load<f64>(at, 8);
    const bx = load<f64>(at, 16);
    const by = load<f64>(at, 24);
    if (grownMm > 0) addCapsule(x, y, ax, ay, bx, by, grownMm);
    // The solid side is to the left of an edge: above one that runs to the right.
    if (ax <= x !== bx <= x) addCrossing(ay + ((x - ax) * (by - ay)) / (bx - ax), bx > ax ? 1 : -1);
  }
  let winding = 0;
  for (let i = 0; i + 1 < crossingCount; i++) {
    winding += load<i32>(crossings + 8 * i, 4);
    if (winding > 0) addRun(load<f32>(crossings + 8 * i) - y, load<f32>(crossings + 8 * i + 8) - y);
  }
}

/** Keeps crossings in order by insertion: there are few. */
function addCrossing(y: f64, direction: i32): void {
  if (crossingCount === MAX_CROSSINGS) return;
  let i = crossingCount++;
  for (; i > 0 && load<f32>(crossings + 8 * (i - 1)) > <f32>y; i--) {
    store<u64>(crossings + 8 * i, load<u64>(crossings + 8 * (i - 1)));
  }
  store<f32>(crossings + 8 * i, <f32>y);
  store<i32>(crossings + 8 * i, direction, 4);
}

/** The points of a column that are nearer to a segment than `r`. */
function addCapsule(x: f64, y: f64, ax: f64, ay: f64, bx: f64, by: f64, r: f64): void {
  if (min(ax, bx) >= x + r || max(ax, bx) <= x - r) return;
  let from = Infinity;
  let to = -Infinity;
  const squareA = r * r - (x - ax) * (x - ax);
  if (squareA >= 0) {
    from = ay - sqrt(squareA);
    to = ay + sqrt(squareA);
  }
  const squareB = r * r - (x - bx) * (x - bx);
  if (squareB >= 0) {
    from = min(from, by - sqrt(squareB));
    to = max(to, by + sqrt(squareB));
  }
  const length = sqrt((bx - ax) * (bx - ax) + (by - ay) * (by - ay));
  if (length > 0) {
    const u = (r * (by - ay)) / length;
    const v = (r * (bx - ax)) / length;
    for (let sign: f64 = -1; sign <= 1; sign += 2) {
      const low = ax - sign * u;
      const high = bx - sign * u;
      if (low > x === high > x) continue;
      const height = ay + sign * v + ((by - ay) * (x - low)) / (high - low);
      from = min(from, height);
      to = max(to, height);
    }
  }
  if (from < to) addRun(from - y, to - y);
}

/** Adds the cells with centres between two heights, exclusive; joins them with the run before where they overlap. */
function addRun(from: f64, to: f64): void {
  const first = <i32>floor(from / cellMm - 0.5 + ROUNDING) + 1;
  const end = <i32>ceil(to / cellMm - 0.5 - ROUNDING);
  if (first >= end) return;
  if (runCount > 0 && first <= runEnd(runCount - 1) && end >= runStart(runCount - 1)) {
    const at = runs + 8 * (runCount - 1);
    store<i32>(at, min(first, load<i32>(at)));
    store<i32>(at, max(end, load<i32>(at, 4)), 4);
  } else if (runCount < MAX_RUNS) {
    store<i32>(runs + 8 * runCount, first);
    store<i32>(runs + 8 * runCount++, end, 4);
  }
}

/** Words of 64 bits of a column of the field, for rows from −1 to `depth`. */
export function wordsOf(depth: i32): i32 {
  return (depth + 2 + 63) >> 6;
}

/**
 * Sets the bits of the cells of a shape in a field of `width` + 2 columns, which begins one cell before its box: bit 0 of a column is row −1.
 */
export function markCells(shape: usize, field: usize, width: i32, depth: i32): void {
  const columnBytes = 8 * wordsOf(depth);
  memory.fill(field, 0, (width + 2) * columnBytes);
  for (let column = 0; column < width; column++) {
    findRuns(shape, load<f64>(shape, BOX) + cellMm * (<f64>column + 0.5), load<f64>(shape, BOX + 8), 0);
    const base = field + (column + 1) * columnBytes;
    for (let i = 0; i < runCount; i++) setBits(base, max(0, runStart(i)) + 1, min(depth, runEnd(i)) + 1);
  }
}

/** Sets the bits from one up to another, exclusive. */
export function setBits(base: usize, from: i32, to: i32): void {
  if (from >= to) return;
  const first = from >> 6;
  const last = (to - 1) >> 6;
  for (let word = first; word <= last; word++) {
    let mask: u64 = ~0;
    if (word === first) mask &= (<u64>~0) << (from & 63);
    if (word === last) mask &= (<u64>~0) >> (63 - ((to - 1) & 63));
    const at = base + 8 * word;
    store<u64>(at, load<u64>(at) | mask);
  }
}

/** The first bit from one on that is set, or with `flip` = ~0 that is not; `end` if there is none before it. */
export function nextBit(base: usize, from: i32, end: i32, flip: u64): i32 {
  for (let at = from; at < end; at = (at | 63) + 1) {
    const word = (load<u64>(base + 8 * (at >> 6)) ^ flip) >> (at & 63);
    if (word !== 0) return min(end, at + <i32>ctz(word));
  }
  return end;
}
