// AssemblyScript: a part of `depths.as.ts`.

import { columns, facets, layers, NO_SEED, put, records, rows, seeds, starts, tileOfSeed, word } from "./coarse-grid.as";
import { BOUNDS, GATHERED, middle, PLANE, RADIUS, RECORD, single } from "./facet-record.as";

/** So far beside a voxel others are asked for their seeds: near a ridge, by fewer a facet on its other side goes unseen. */
export const BESIDE: i32 = 2;
/** Voxels along each side of a tile, whose facets are gathered at once; of 3 to 6 the fastest. */
export const TILE: i32 = 4;

/** The records of its facets, and their bounds. */
export let tileRecords: usize;
export let tileBounds: usize;
/** Number of the tile, and how many facets its seeds have. */
export let tile: i32 = 0;
export let tileCount: usize = 0;

/** What was gathered is forgotten. */
export function beginTile(): void {
  tile++;
  tileCount = 0;
}

function gatherFacet(facet: i32): void {
  const at = records + <usize>facet * RECORD;
  if (load<i32>(at + GATHERED) === tile) return;
  store<i32>(at + GATHERED, tile);
  store<usize>(tileRecords + (tileCount << 2), at);
  const bounds = tileBounds + tileCount * BOUNDS;
  for (let n: usize = 0; n < 4; n++) store<f64>(bounds + (n << 3), single(at + PLANE, n));
  for (let axis: usize = 0; axis < 3; axis++) store<f64>(bounds + 32 + (axis << 3), middle(at, axis));
  store<f64>(bounds + 56, single(at + RADIUS, 0));
  tileCount++;
}

/** Gathers the facets at the seeds of all voxels beside those of a tile. */
export function gather(x: i32, y: i32, z: i32): void {
  beginTile();
  const left = max(0, x - BESIDE);
  const right = min(columns, x + TILE + BESIDE);
  for (let k = max(0, z - BESIDE); k < min(layers, z + TILE + BESIDE); k++) {
    for (let j = max(0, y - BESIDE); j < min(rows, y + TILE + BESIDE); j++) {
      const row = (k * rows + j) * columns;
      for (let voxel = row + left; voxel < row + right; voxel++) {
        const seed = word(seeds, voxel);
        if (seed === NO_SEED || word(tileOfSeed, seed) === tile) continue;
        put(tileOfSeed, seed, tile);
        const last = word(starts, seed + 1);
        for (let n = word(starts, seed); n < last; n++) gatherFacet(word(facets, n));
      }
    }
  }
}
