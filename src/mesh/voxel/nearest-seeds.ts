import type { Watch } from "../../core/watch.ts";
import type { GridSize } from "./grid-size.ts";
import { FAR, newEnvelope } from "./lower-envelope.ts";

/** In the place of a seed's number: there is none near. */
export const NO_SEED = 0xffff_ffff;

/** Columns of voxels that are worked on at once: neighbours in memory, a cache line or two of them. */
const COLUMNS_AT_ONCE = 32;

/**
 * Puts the number of the nearest seed into each voxel whose distance to it is at most `limit` voxels. `seeds` holds the
 * number of the seed in each voxel or {@link NO_SEED}, `places` x, y and z of each seed; grids end at 65,536 voxels a
 * side. Of several equally near it is the same in every run. Works in place: 4 bytes for each voxel. Source: as of
 * `newEnvelope`.
 */
export function nearestSeeds(
  seeds: Uint32Array,
  places: Uint16Array,
  { columns, rows, layers }: GridSize,
  limit: number,
  watch: Watch,
): void {
  const first = watch.part(0, 0.2);
  for (let z = 0; z < layers; z++) {
    first.report(z / layers);
    for (let y = 0; y < rows; y++) alongRow(seeds, places, (z * rows + y) * columns, columns, Math.floor(limit));
  }
  const nearer = newLineWork(seeds, places, Math.max(rows, layers), Math.floor(limit * limit));
  const second = watch.part(0.2, 0.6);
  for (let z = 0; z < layers; z++) {
    second.report(z / layers);
    for (let x = 0; x < columns; x += COLUMNS_AT_ONCE) nearer(x, undefined, z * rows * columns, columns, rows, columns);
  }
  const third = watch.part(0.6, 1);
  for (let y = 0; y < rows; y++) {
    third.report(y / rows);
    for (let x = 0; x < columns; x += COLUMNS_AT_ONCE) nearer(x, y, y * columns, columns, layers, rows * columns);
  }
}

function alongRow(seeds: Uint32Array, places: Uint16Array, first: number, columns: number, reach: number): void {
  let near = NO_SEED;
  let age = reach;
  for (let at = first; at < first + columns; at++) {
    if (seeds[at] !== NO_SEED) {
      near = seeds[at];
      age = 0;
    } else if (++age <= reach) seeds[at] = near;
  }
  near = NO_SEED;
  age = reach;
  for (let x = columns - 1; x >= 0; x--) {
    const at = first + x;
    const label = seeds[at];
    // A seed of its own is met before what the way there has put down.
    if (label !== NO_SEED && places[3 * label] === x) {
      near = label;
      age = 0;
    } else if (++age <= reach && (label === NO_SEED || age < x - places[3 * label])) seeds[at] = near;
  }
}

/**
 * Works lines of `length` voxels, `stride` apart, over: those from column `x` on, in the row `y` where they run across the
 * layers. `row` is the first voxel of their first row.
 */
type LineWork = (
  x: number,
  y: number | undefined,
  row: number,
  columns: number,
  length: number,
  stride: number,
) => void;

function newLineWork(seeds: Uint32Array, places: Uint16Array, longest: number, most: number): LineWork {
  const { lowest, find } = newEnvelope(longest);
  const heights = new Int32Array(COLUMNS_AT_ONCE * longest);
  const labels = new Uint32Array(heights.length);
  const hasSeed = new Uint8Array(COLUMNS_AT_ONCE);
  return (x, y, row, columns, length, stride) => {
    const count = Math.min(COLUMNS_AT_ONCE, columns - x);
    hasSeed.fill(0);
    for (let i = 0, at = row + x; i < length; i++, at += stride) {
      for (let k = 0; k < count; k++) {
        const label = seeds[at + k];
        let height = FAR;
        if (label !== NO_SEED) {
          const dx = x + k - places[3 * label];
          const dy = y === undefined ? 0 : y - places[3 * label + 1];
          height = dx * dx + dy * dy;
          hasSeed[k] = 1;
        }
        heights[k * longest + i] = height;
        labels[k * longest + i] = label;
      }
    }
    for (let k = 0; k < count; k++) {
      if (hasSeed[k] === 0) continue;
      const line = k * longest;
      find(heights, line, length);
      for (let i = 0, at = row + x + k; i < length; i++, at += stride) {
        const from = lowest[i];
        const isNear = heights[line + from] + (i - from) * (i - from) <= most;
        seeds[at] = isNear ? labels[line + from] : NO_SEED;
      }
    }
  };
}
