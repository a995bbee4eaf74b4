// AssemblyScript, compiled by `bun run wasm` to `depth-kernel.wasm.ts`. `depth-kernel.ts` allocates its memory and
// calls it;
// `depth-field.ts` describes the method.

import { squaredLength } from "./facet-record.as";
import {
  closestPoint,
  columns,
  distanceInTile,
  distanceTo,
  gatherTile,
  loadWord,
  NO_SEED,
  places,
  rows,
  seeds,
  storeWord,
  TILE,
} from "./nearest-facet.as";

export { prepareRecords } from "./facet-record.as";
export {
  columns,
  distanceTo,
  facets,
  lastSearchOfSeed,
  lastTileOfSeed,
  layers,
  patches,
  places,
  records,
  rows,
  seeds,
  starts,
  TILE,
  tileBounds,
  tileRecords,
  tileSeeds,
} from "./nearest-facet.as";

/** Addresses of more arrays of the coarse grid. */
export let isInside: usize;
export let depths: usize;
export let directions: usize;

/**
 * The fine grid, of voxels half as large; its first voxel is this even number of fine voxels from the first coarse one.
 */
export let fineColumns: i32;
export let fineRows: i32;
export let fineLayers: i32;
export let offsetX: i32;
export let offsetY: i32;
export let offsetZ: i32;
/** The levels of `DepthLevels`, and the value of voxels far below both, in fine voxels. */
export let wall: f64;
export let core: f64;
export let deepest: f64;
/** Depths within a block of 2 × 2 × 2 voxels differ from that of a corner by no more. */
export let blockDiagonal: f64;
/** Depth of each fine voxel. */
export let values: usize;

/** First voxels of the blocks that a level may cross, of those with inexact depths, and of those with a ridge. */
export let blocks: usize;
export let blockCount: i32 = 0;
export let unsure: usize;
export let unsureCount: i32 = 0;
export let ridges: usize;
export let ridgeCount: i32 = 0;

/** Directions are stored as 16-bit integers, a unit length as this. */
const DIRECTION_STEPS: f64 = 32_767;

/** An interpolated depth this close to a level is computed exactly instead, in voxels. */
const EXACT_WITHIN: f64 = 0.6;

/**
 * An interpolated depth passes as exact when it and the depths extrapolated from each corner differ from each other by
 * less, in voxels.
 */
const AGREEMENT: f64 = 0.15;

/**
 * Depths extrapolated from the corners that differ by more mark a ridge, in voxels. A smaller fold, of at most 17°,
 * makes the walls thinner by a hundredth of the ball of the feature size.
 */
const RIDGE: f64 = 0.3;

// The corners of the current block, with the bits 1 in x, 2 in y and 4 in z: their depths, slopes along the three axes
// toward
// the next corner, and whether they are exact.
const cornerDepths = memory.data(8 * 8);
const cornerSlopes = memory.data(8 * 24);
const cornerIsExact = memory.data(4 * 8);
let isRidge = false;

// 1. Depths of the coarse grid.

/** Fills the tiles whose first voxels are in row `y` of layer `z`, up to the layer `to`. */
export function fillCoarseRow(y: i32, z: i32, to: i32, exactFrom: f64, limit: f64): void {
  for (let x = 0; x < columns; x += TILE) fillTile(x, y, z, min(z + TILE, to), exactFrom, limit);
}

function fillTile(x0: i32, y0: i32, z0: i32, z1: i32, exactFrom: f64, limit: f64): void {
  let isGathered = false;
  for (let z = z0; z < z1; z++) {
    for (let y = y0; y < min(y0 + TILE, rows); y++) {
      for (let x = x0; x < min(x0 + TILE, columns); x++) {
        const voxel = (z * rows + y) * columns + x;
        if (!fillFromSeed(voxel, x, y, z, exactFrom, limit)) continue;
        if (!isGathered) gatherTile(x0, y0, z0);
        isGathered = true;
        const depth = distanceInTile(x, y, z);
        store<f32>(depths + (<usize>voxel << 2), <f32>depth);
        const direction = directions + <usize>voxel * 6;
        store<i16>(direction, toSteps(<f64>x - closestPoint(0), depth));
        store<i16>(direction + 2, toSteps(<f64>y - closestPoint(1), depth));
        store<i16>(direction + 4, toSteps(<f64>z - closestPoint(2), depth));
      }
    }
  }
}

/**
 * Stores the distance to the nearest seed, or `limit` where there is none; returns whether an exact depth is needed.
 */
function fillFromSeed(voxel: i32, x: i32, y: i32, z: i32, exactFrom: f64, limit: f64): bool {
  if (load<u8>(isInside + voxel) === 0) return false;
  const depth = depths + (<usize>voxel << 2);
  const seed = loadWord(seeds, voxel);
  if (seed === NO_SEED) {
    store<f32>(depth, <f32>limit);
    return false;
  }
  const place = places + <usize>seed * 6;
  const dx = <f64>(x - <i32>load<u16>(place));
  const dy = <f64>(y - <i32>load<u16>(place + 2));
  const dz = <f64>(z - <i32>load<u16>(place + 4));
  const toSeed = Math.sqrt(squaredLength(dx, dy, dz));
  store<f32>(depth, <f32>toSeed);
  return toSeed > exactFrom && toSeed < limit;
}

@inline
function toSteps(difference: f64, length: f64): i16 {
  return <i16>(<i32>Math.floor((DIRECTION_STEPS * difference) / length + 0.5));
}

// 2. Depths of the fine grid, interpolated between the coarse ones.

/**
 * Fills the fine layers `z` and `z` + 1: exact depths near a level, and negative ones where the corners around a voxel
 * do not agree. Between coarse voxels the depth is that of the cubic polynomial through their depths and slopes, except
 * where their closest points lie on different sides of a ridge.
 */
export function interpolateLayer(z: i32): void {
  for (let y = 0; y < fineRows; y += 2) {
    let at = ((z + offsetZ) / 2) * columns * rows + ((y + offsetY) / 2) * columns + offsetX / 2;
    for (let x = 0; x < fineColumns; x += 2, at++) {
      // No corner is deeper than the first by more than two diagonals; depths that are not exact are wrong by at most
      // one.
      const depth = 2 * <f64>load<f32>(depths + (<usize>at << 2));
      if (depth >= wall - 4 * blockDiagonal) fillBlock(x, y, z, at);
    }
  }
}

/** Fills the block whose first voxel is x, y, z; its first corner is voxel `at` of the coarse grid. */
function fillBlock(x: i32, y: i32, z: i32, at: i32): void {
  let least: f64 = Infinity;
  let most: f64 = 0;
  for (let corner = 0; corner < 8; corner++) {
    const depth = 2 * <f64>load<f32>(depths + (<usize>coarseVoxel(at, corner) << 2));
    store<f64>(cornerDepths + (<usize>corner << 3), depth);
    least = min(least, depth);
    most = max(most, depth);
  }
  if (most < wall - blockDiagonal) return;
  const isDeep = least > core + blockDiagonal;
  const first = (z * fineRows + y) * fineColumns + x;
  if (!isDeep) {
    storeWord(blocks, blockCount++, first);
    loadSlopes(at);
  }
  let isUnsure = false;
  isRidge = false;
  for (let i = 0; i < 8; i++) {
    const xi = x + (i & 1);
    const yi = y + ((i >> 1) & 1);
    const zi = z + (i >> 2);
    if (xi >= fineColumns || yi >= fineRows || zi >= fineLayers) continue;
    let depth = deepest;
    if (!isDeep) {
      depth = i === 0 ? depthOf(0) : interpolate(i);
      if (depth < 0) {
        isUnsure = true;
        if (Math.abs(-depth - wall) < EXACT_WITHIN || Math.abs(-depth - core) < EXACT_WITHIN) depth = exactDepth(xi, yi, zi);
      }
    }
    storeValue((zi * fineRows + yi) * fineColumns + xi, depth);
  }
  if (isUnsure) storeWord(unsure, unsureCount++, first);
  if (isRidge) storeWord(ridges, ridgeCount++, first);
}

/** The coarse voxel at a corner of the block whose first corner is `at`. */
@inline
function coarseVoxel(at: i32, corner: i32): i32 {
  return at + (corner & 1) + (((corner >> 1) & 1) + (corner >> 2) * rows) * columns;
}

function loadSlopes(at: i32): void {
  for (let corner = 0; corner < 8; corner++) {
    const direction = directions + <usize>coarseVoxel(at, corner) * 6;
    let bits = 0;
    for (let axis = 0; axis < 3; axis++) {
      const along = <i32>load<i16>(direction + (<usize>axis << 1));
      bits |= along;
      const slope = <f64>((corner >> axis) & 1 ? -along : along) / DIRECTION_STEPS;
      store<f64>(cornerSlopes + (<usize>(3 * corner + axis) << 3), slope);
    }
    storeWord(cornerIsExact, corner, bits);
  }
}

@inline
function depthOf(corner: i32): f64 {
  return load<f64>(cornerDepths + (<usize>corner << 3));
}

@inline
function slopeOf(corner: i32, axis: i32): f64 {
  return load<f64>(cornerSlopes + (<usize>(3 * corner + axis) << 3));
}

/**
 * The depth of voxel `i` of the block, with the bits of a corner; negative where the corners do not agree on it. The
 * voxel is the centre of the corners whose bits are a subset of its own.
 */
function interpolate(i: i32): f64 {
  const dx = <f64>(i & 1);
  const dy = <f64>((i >> 1) & 1);
  const dz = <f64>(i >> 2);
  let sum: f64 = 0;
  let corners = 0;
  let low: f64 = Infinity;
  let high: f64 = -Infinity;
  let areExact = true;
  let corner = i;
  do {
    const depth = depthOf(corner);
    const rise = dx * slopeOf(corner, 0) + dy * slopeOf(corner, 1) + dz * slopeOf(corner, 2);
    if (load<i32>(cornerIsExact + (<usize>corner << 2)) === 0) areExact = false;
    low = min(low, depth + rise);
    high = max(high, depth + rise);
    sum += depth + rise / 2;
    corners++;
    corner = (corner - 1) & i;
  } while (corner !== i);
  const depth = sum / <f64>corners;
  const difference = max(high, depth) - min(low, depth);
  if (areExact && difference > RIDGE) isRidge = true;
  return areExact && difference < AGREEMENT ? depth : -depth;
}

/** The exact depth of a fine voxel. */
function exactDepth(x: i32, y: i32, z: i32): f64 {
  return 2 * distanceTo(<f64>(x + offsetX) / 2, <f64>(y + offsetY) / 2, <f64>(z + offsetZ) / 2);
}

@inline
function valueAt(voxel: i32): f64 {
  return <f64>load<f32>(values + (<usize>voxel << 2));
}

@inline
function storeValue(voxel: i32, value: f64): void {
  store<f32>(values + (<usize>voxel << 2), <f32>value);
}

// 3. Exact depths on both sides of a level.

/**
 * Of the unsure blocks `from` up to `to`: computes exactly the depths that have a neighbour on the other side of a
 * level.
 */
export function refineUnsure(from: i32, to: i32): void {
  for (let b = from; b < to; b++) forEachVoxel(loadWord(unsure, b), refineVoxel);
}

function refineVoxel(voxel: i32, x: i32, y: i32, z: i32): void {
  if (valueAt(voxel) <= 0 && isBesideLevel(voxel, x, y, z)) storeValue(voxel, exactDepth(x, y, z));
}

/** Whether a voxel has a neighbour on the other side of a level. */
function isBesideLevel(voxel: i32, x: i32, y: i32, z: i32): bool {
  const zone = zoneOf(valueAt(voxel));
  const layer = fineColumns * fineRows;
  return (
    (x > 0 && zoneOf(valueAt(voxel - 1)) !== zone) ||
    (x + 1 < fineColumns && zoneOf(valueAt(voxel + 1)) !== zone) ||
    (y > 0 && zoneOf(valueAt(voxel - fineColumns)) !== zone) ||
    (y + 1 < fineRows && zoneOf(valueAt(voxel + fineColumns)) !== zone) ||
    (z > 0 && zoneOf(valueAt(voxel - layer)) !== zone) ||
    (z + 1 < fineLayers && zoneOf(valueAt(voxel + layer)) !== zone)
  );
}

@inline
function zoneOf(depth: f64): i32 {
  return Math.abs(depth) < wall ? 0 : Math.abs(depth) < core ? 1 : 2;
}

/** Removes the sign that marks inexact depths. */
export function clearSigns(): void {
  for (let b = 0; b < unsureCount; b++) forEachVoxel(loadWord(unsure, b), clearSign);
}

function clearSign(voxel: i32, _x: i32, _y: i32, _z: i32): void {
  storeValue(voxel, Math.abs(valueAt(voxel)));
}

/** Visits the voxels of a block, given by its first, that lie in the fine grid. */
@inline
function forEachVoxel(block: i32, visit: (voxel: i32, x: i32, y: i32, z: i32) => void): void {
  const row = block / fineColumns;
  const z0 = row / fineRows;
  const y0 = row - z0 * fineRows;
  const x0 = block - row * fineColumns;
  for (let z = z0; z < min(z0 + 2, fineLayers); z++) {
    for (let y = y0; y < min(y0 + 2, fineRows); y++) {
      for (let x = x0; x < min(x0 + 2, fineColumns); x++) visit((z * fineRows + y) * fineColumns + x, x, y, z);
    }
  }
}
