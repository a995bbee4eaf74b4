import type { Vec3 } from "../../core/geometry.ts";
import type { Watch } from "../../core/watch.ts";
import { grown } from "../../mesh/grown.ts";
import type { GridSize } from "../../mesh/voxel/grid-size.ts";
import { type CoarseDepths, DIRECTION_STEPS } from "./coarse-depths.ts";
import { BLOCK, type Blocks, deepestOf, type Levels } from "./levels.ts";

/** What is interpolated so near to a level must be exact. */
const NEAR = 0.6;

/**
 * Where what is interpolated passes as exact it differs by no more, in voxels, from the depths that the corners foretell each for
 * itself, nor these from each other.
 */
const AGREED = 0.15;

/**
 * Puts depths into `values`: exact ones where they are near a level, and others, as negative numbers, where the corners around
 * a voxel do not agree on it. Between voxels of the coarse grid the depth is that of the cubic which has their depths and
 * directions, but where their nearest places lie on different sides of a ridge.
 */
export function interpolate(
  { depths, directions, nearestTo }: CoarseDepths,
  coarse: GridSize,
  { columns, rows, layers }: GridSize,
  [offsetX, offsetY, offsetZ]: Vec3,
  levels: Levels,
  values: Float32Array,
  watch: Watch,
): Blocks {
  const { wall, core } = levels;
  const deepest = deepestOf(levels);
  let blocks = new Uint32Array(1024);
  let count = 0;
  const unsure: number[] = [];
  const ridges: number[] = [];
  const row = coarse.columns;
  const layer = coarse.columns * coarse.rows;
  const steps = Int32Array.from({ length: 8 }, (_, i) => (i & 1) + ((i >> 1) & 1) * row + (i >> 2) * layer);
  const around = new Float64Array(8);
  /** How far the depth grows from each corner to the next along each axis, as the corner's direction tells. */
  const slopes = new Float64Array(24);
  const isExact = new Uint8Array(8);
  let isRidge = false;

  const lookRound = (at: number): void => {
    for (let i = 0; i < 8; i++) {
      const from = 3 * (at + steps[i]);
      const gx = directions[from];
      const gy = directions[from + 1];
      const gz = directions[from + 2];
      isExact[i] = gx === 0 && gy === 0 && gz === 0 ? 0 : 1;
      slopes[3 * i] = ((i & 1) === 0 ? gx : -gx) / DIRECTION_STEPS;
      slopes[3 * i + 1] = ((i & 2) === 0 ? gy : -gy) / DIRECTION_STEPS;
      slopes[3 * i + 2] = ((i & 4) === 0 ? gz : -gz) / DIRECTION_STEPS;
    }
  };
  /**
   * The depth of voxel `i` of the block, in bits 1 in x, 2 in y, 4 in z; where the corners do not agree on it, less than 0. The
   * voxel is in the middle of the corners with no bits but its own.
   */
  const between = (i: number): number => {
    const dx = i & 1;
    const dy = (i >> 1) & 1;
    const dz = i >> 2;
    let sum = 0;
    let corners = 0;
    let low = Infinity;
    let high = -Infinity;
    let areExact = true;
    let corner = i;
    do {
      const depth = around[corner];
      const rise = dx * slopes[3 * corner] + dy * slopes[3 * corner + 1] + dz * slopes[3 * corner + 2];
      if (isExact[corner] === 0) areExact = false;
      if (depth + rise < low) low = depth + rise;
      if (depth + rise > high) high = depth + rise;
      sum += depth + rise / 2;
      corners++;
      corner = (corner - 1) & i;
    } while (corner !== i);
    const depth = sum / corners;
    const doAgree = Math.max(high, depth) - Math.min(low, depth) < AGREED;
    if (areExact && !doAgree) isRidge = true;
    return areExact && doAgree ? depth : -depth;
  };

  /** Fills in the block whose first voxel is at x, y, z; its first corner is voxel `at` of the coarse grid. */
  const fillBlock = (x: number, y: number, z: number, at: number): void => {
    let least = Infinity;
    let most = 0;
    for (let i = 0; i < 8; i++) {
      const depth = 2 * depths[at + steps[i]];
      around[i] = depth;
      least = Math.min(least, depth);
      most = Math.max(most, depth);
    }
    if (most < wall - BLOCK) return;
    const isDeep = least > core + BLOCK;
    const first = (z * rows + y) * columns + x;
    if (!isDeep) {
      blocks = grown(blocks, count + 1);
      blocks[count++] = first;
      lookRound(at);
    }
    let isUnsure = false;
    isRidge = false;
    for (let i = 0; i < 8; i++) {
      const dx = i & 1;
      const dy = (i >> 1) & 1;
      const dz = i >> 2;
      if (x + dx >= columns || y + dy >= rows || z + dz >= layers) continue;
      const voxel = first + dx + (dy + dz * rows) * columns;
      if (isDeep || i === 0) {
        values[voxel] = isDeep ? deepest : around[0];
        continue;
      }
      const depth = between(i);
      if (depth < 0) isUnsure = true;
      const isNear = Math.abs(-depth - wall) < NEAR || Math.abs(-depth - core) < NEAR;
      values[voxel] = isNear
        ? 2 * nearestTo((x + dx + offsetX) / 2, (y + dy + offsetY) / 2, (z + dz + offsetZ) / 2)
        : depth;
    }
    if (isUnsure) unsure.push(first);
    if (isRidge) ridges.push(first);
  };

  for (let z = 0; z < layers; z += 2) {
    watch.report(z / layers);
    for (let y = 0; y < rows; y += 2) {
      let at = ((z + offsetZ) / 2) * layer + ((y + offsetY) / 2) * row + offsetX / 2;
      // No corner is deeper than the first by more than two diagonals: what is not exact is wrong by one at most.
      for (let x = 0; x < columns; x += 2, at++) if (2 * depths[at] >= wall - 4 * BLOCK) fillBlock(x, y, z, at);
    }
  }
  return { blocks: blocks.slice(0, count), unsure, ridges };
}
