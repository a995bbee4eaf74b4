// AssemblyScript: a part of `depths.as.ts`.

import { columns, depths, directions, put, rows } from "./coarse-grid.as";
import { DIRECTION_STEPS } from "./coarse-depths.as";
import { nearestTo } from "./facet-search.as";
import { blockDiagonal, core, deepest, fineColumns, fineLayers, fineRows, offsetX, offsetY, offsetZ, putValue, wall } from "./fine-grid.as";

/** What is interpolated so near to a level must be exact. */
const NEAR: f64 = 0.6;

/**
 * Where what is interpolated passes as exact it differs by no more, in voxels, from the depths that the corners foretell each for
 * itself, nor these from each other.
 */
const AGREED: f64 = 0.15;

/**
 * Where the corners foretell depths so far apart, in voxels, there is a ridge. A fold of less, 17° and below, makes the walls at most
 * a hundredth of the feature's ball thinner than the ball would.
 */
const RIDGE: f64 = 0.3;

/** First voxels of blocks that a level may cross, of those of them that have inexact depths, and of those with a ridge. */
export let blocks: usize;
export let blockCount: i32 = 0;
export let unsure: usize;
export let unsureCount: i32 = 0;
export let ridges: usize;
export let ridgeCount: i32 = 0;

/** Of the corners of a block, in bits 1 in x, 2 in y, 4 in z: depths; how far they grow from it to the next along each axis; whether exact. */
const around = memory.data(8 * 8);
const slopes = memory.data(8 * 24);
const isExact = memory.data(4 * 8);
let isRidge = false;

@inline
function depthOf(corner: i32): f64 {
  return load<f64>(around + (<usize>corner << 3));
}

@inline
function slopeOf(corner: i32, axis: i32): f64 {
  return load<f64>(slopes + (<usize>(3 * corner + axis) << 3));
}

/** The voxel of the coarse grid at a corner of the block whose first is `at`. */
@inline
function cornerOf(at: i32, corner: i32): i32 {
  return at + (corner & 1) + (((corner >> 1) & 1) + (corner >> 2) * rows) * columns;
}

function lookRound(at: i32): void {
  for (let corner = 0; corner < 8; corner++) {
    const direction = directions + <usize>cornerOf(at, corner) * 6;
    let isAny = 0;
    for (let axis = 0; axis < 3; axis++) {
      const along = <i32>load<i16>(direction + (<usize>axis << 1));
      isAny |= along;
      const slope = <f64>((corner >> axis) & 1 ? -along : along) / DIRECTION_STEPS;
      store<f64>(slopes + (<usize>(3 * corner + axis) << 3), slope);
    }
    put(isExact, corner, isAny);
  }
}

/**
 * The depth of voxel `i` of the block, in bits as its corners; where these do not agree on it, less than 0. The voxel is in the
 * middle of the corners with no bits but its own.
 */
function between(i: i32): f64 {
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
    if (load<i32>(isExact + (<usize>corner << 2)) === 0) areExact = false;
    low = min(low, depth + rise);
    high = max(high, depth + rise);
    sum += depth + rise / 2;
    corners++;
    corner = (corner - 1) & i;
  } while (corner !== i);
  const depth = sum / <f64>corners;
  const apart = max(high, depth) - min(low, depth);
  if (areExact && apart > RIDGE) isRidge = true;
  return areExact && apart < AGREED ? depth : -depth;
}

/** Fills in the block whose first voxel is at x, y, z; its first corner is voxel `at` of the coarse grid. */
function fillBlock(x: i32, y: i32, z: i32, at: i32): void {
  let least: f64 = Infinity;
  let most: f64 = 0;
  for (let corner = 0; corner < 8; corner++) {
    const depth = 2 * <f64>load<f32>(depths + (<usize>cornerOf(at, corner) << 2));
    store<f64>(around + (<usize>corner << 3), depth);
    least = min(least, depth);
    most = max(most, depth);
  }
  if (most < wall - blockDiagonal) return;
  const isDeep = least > core + blockDiagonal;
  const first = (z * fineRows + y) * fineColumns + x;
  if (!isDeep) {
    put(blocks, blockCount++, first);
    lookRound(at);
  }
  let isUnsure = false;
  isRidge = false;
  for (let i = 0; i < 8; i++) {
    const i_x = x + (i & 1);
    const i_y = y + ((i >> 1) & 1);
    const i_z = z + (i >> 2);
    if (i_x >= fineColumns || i_y >= fineRows || i_z >= fineLayers) continue;
    let depth = deepest;
    if (!isDeep) {
      depth = i === 0 ? depthOf(0) : between(i);
      if (depth < 0) {
        isUnsure = true;
        if (Math.abs(-depth - wall) < NEAR || Math.abs(-depth - core) < NEAR) depth = exactAt(i_x, i_y, i_z);
      }
    }
    putValue((i_z * fineRows + i_y) * fineColumns + i_x, depth);
  }
  if (isUnsure) put(unsure, unsureCount++, first);
  if (isRidge) put(ridges, ridgeCount++, first);
}

/** The exact depth of a fine voxel. */
export function exactAt(x: i32, y: i32, z: i32): f64 {
  return 2 * nearestTo(<f64>(x + offsetX) / 2, <f64>(y + offsetY) / 2, <f64>(z + offsetZ) / 2);
}

/**
 * Puts depths into the values of the blocks from layer `z` on: exact ones where they are near a level, and others, as negative
 * numbers, where the corners around a voxel do not agree on it. Between voxels of the coarse grid the depth is that of the cubic
 * which has their depths and directions, but where their nearest places lie on different sides of a ridge.
 */
export function interpolateLayer(z: i32): void {
  for (let y = 0; y < fineRows; y += 2) {
    let at = ((z + offsetZ) / 2) * columns * rows + ((y + offsetY) / 2) * columns + offsetX / 2;
    for (let x = 0; x < fineColumns; x += 2, at++) {
      // No corner is deeper than the first by more than two diagonals: what is not exact is wrong by one at most.
      const depth = 2 * <f64>load<f32>(depths + (<usize>at << 2));
      if (depth >= wall - 4 * blockDiagonal) fillBlock(x, y, z, at);
    }
  }
}
