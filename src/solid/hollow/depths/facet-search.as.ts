// AssemblyScript: a part of `depths.as.ts`.

import { columns, facets, layers, NO_SEED, put, records, rows, searchOfSeed, seeds, starts, tileOfSeed, word } from "./coarse-grid.as";
import { RECORD } from "./facet-record.as";
import { least, look, onNearest, search, start } from "./nearest-facet.as";
import { beginTile, BESIDE, tile } from "./tile.as";

/** A walk along the surface ends by then; few take more than three steps. */
const MOST_STEPS: i32 = 16;

/** Looks at the facets of the seeds that voxels so far beside one have, but for those of the tile. */
function lookAround(i: i32, j: i32, k: i32, beside: i32, x: f64, y: f64, z: f64): void {
  const left = max(0, i - beside);
  const right = min(columns - 1, i + beside);
  for (let c = max(0, k - beside); c <= min(layers - 1, k + beside); c++) {
    for (let b = max(0, j - beside); b <= min(rows - 1, j + beside); b++) {
      const row = (c * rows + b) * columns;
      for (let voxel = row + left; voxel <= row + right; voxel++) {
        const seed = word(seeds, voxel);
        if (seed === NO_SEED || word(searchOfSeed, seed) === search || word(tileOfSeed, seed) === tile) continue;
        put(searchOfSeed, seed, search);
        const last = word(starts, seed + 1);
        for (let n = word(starts, seed); n < last; n++) look(records + <usize>word(facets, n) * RECORD, x, y, z);
      }
    }
  }
}

@inline
function voxelOf(place: f64, count: i32): i32 {
  return min(count - 1, max(0, <i32>Math.floor(place + 0.5)));
}

/** Goes on from what is nearest to what is nearer around it, and on from there; tells the distance. */
export function walk(x: f64, y: f64, z: f64): f64 {
  let before: f64 = Infinity;
  for (let step = 0; step < MOST_STEPS && least < before; step++) {
    before = least;
    lookAround(voxelOf(onNearest(0), columns), voxelOf(onNearest(1), rows), voxelOf(onNearest(2), layers), 1, x, y, z);
  }
  return Math.sqrt(least);
}

/** The distance in voxels from any place to the nearest facet; Infinity where no voxel beside it knows a seed. */
export function nearestTo(x: f64, y: f64, z: f64): f64 {
  beginTile();
  start(x, y, z);
  lookAround(<i32>Math.floor(x + 0.5), <i32>Math.floor(y + 0.5), <i32>Math.floor(z + 0.5), BESIDE, x, y, z);
  return walk(x, y, z);
}
