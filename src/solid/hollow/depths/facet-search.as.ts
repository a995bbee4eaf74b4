// AssemblyScript: a part of `depths.as.ts`.

import { columns, facets, layers, NO_SEED, put, records, rows, searchOfSeed, seeds, starts, tileOfSeed, word } from "./coarse-grid.as";
import { RECORD } from "./facet-record.as";
import { aboveNearest, least, look, lookAtAll, normalOfNearest, onNearest, search, start } from "./nearest-facet.as";
import { beginTile, BESIDE, tile, tileBounds, tileCount, tileRecords } from "./tile.as";

/** A walk along the surface ends by then; few take more than three steps. */
const MOST_STEPS: i32 = 16;

@inline
function lookAtSeed(seed: i32, x: f64, y: f64, z: f64): void {
  const last = word(starts, seed + 1);
  for (let n = word(starts, seed); n < last; n++) look(records + <usize>word(facets, n) * RECORD, x, y, z);
}

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
        lookAtSeed(seed, x, y, z);
      }
    }
  }
}

@inline
function voxelOf(place: f64, count: i32): i32 {
  return min(count - 1, max(0, <i32>Math.floor(place + 0.5)));
}

/** Looks at the facets straight below on the plane of what is nearest: where the surface is smooth the nearest is among them. */
function lookBelow(x: f64, y: f64, z: f64): void {
  if (least === Infinity) return;
  const above = aboveNearest(x, y, z);
  const i = voxelOf(x - above * normalOfNearest(0), columns);
  const j = voxelOf(y - above * normalOfNearest(1), rows);
  const k = voxelOf(z - above * normalOfNearest(2), layers);
  const seed = word(seeds, (k * rows + j) * columns + i);
  if (seed !== NO_SEED) lookAtSeed(seed, x, y, z);
}

/** Goes on from what is nearest to what is nearer around it, and on from there; tells the distance. */
function walk(x: f64, y: f64, z: f64): f64 {
  let before: f64 = Infinity;
  for (let step = 0; step < MOST_STEPS && least < before; step++) {
    before = least;
    lookAround(voxelOf(onNearest(0), columns), voxelOf(onNearest(1), rows), voxelOf(onNearest(2), layers), 1, x, y, z);
  }
  return Math.sqrt(least);
}

/**
 * The distance in voxels from a voxel of the tile that was gathered last to the nearest facet. The nearest seed tells it to half
 * a diagonal of a voxel, and the facet that is truly nearest lies up to a few voxels beside it: so the search begins with the
 * facet that was nearest last and with the facets at the seeds of all voxels beside, looks at all around where the nearest of
 * them is nearest, goes on from there, and stops where none around is nearer.
 */
export function nearestOfTile(x: f64, y: f64, z: f64): f64 {
  start(x, y, z);
  lookBelow(x, y, z);
  lookAtAll(tileRecords, tileBounds, tileCount, x, y, z);
  return walk(x, y, z);
}

/** The same from any place, without a tile; Infinity where no voxel beside it knows a seed. */
export function nearestTo(x: f64, y: f64, z: f64): f64 {
  beginTile();
  start(x, y, z);
  lookAround(<i32>Math.floor(x + 0.5), <i32>Math.floor(y + 0.5), <i32>Math.floor(z + 0.5), BESIDE, x, y, z);
  return walk(x, y, z);
}
