// AssemblyScript, compiled by `bun run wasm` to `facet-search.wasm.ts`; `facet-search.ts` lays its memory out.

import { GATHERED, PLANE, RECORD, single, squared } from "./facet-record.as";
export { preparePlanes } from "./facet-record.as";
import { least, look, lookAtAll, onNearest, search, start } from "./nearest-facet.as";

/** A walk along the surface ends by then; few take more than three steps. */
const MOST_STEPS: i32 = 16;
/** So far beside a place voxels are asked for their seeds: near a ridge, by fewer a facet on its other side goes unseen. */
const BESIDE: i32 = 2;
/** Voxels along each side of a tile, whose facets are gathered at once; of 3 to 6 the fastest. */
export const TILE: i32 = 4;
/** In the place of a seed's number, as in `mesh/voxel/nearest-seeds`. */
const NO_SEED: u32 = 0xffff_ffff;
/** A length of 1 of a direction, as in `interpolate`. */
const DIRECTION_STEPS: f64 = 32_767;

/** The grid, and where in memory what is: `facet-search.ts` puts it there and tells. */
export let columns: i32;
export let rows: i32;
export let layers: i32;
export let seeds: usize;
export let places: usize;
export let starts: usize;
export let facets: usize;
export let isInside: usize;
export let records: usize;
export let searchOfSeed: usize;
export let tileOfSeed: usize;
export let tileRecords: usize;
export let tilePlanes: usize;
export let depths: usize;
export let directions: usize;

/** Number of the tile, and how many facets its seeds have. */
let tile: i32 = 0;
let tileCount: usize = 0;

@inline
function word(words: usize, number: i32): i32 {
  return load<i32>(words + (<usize>number << 2));
}

@inline
function put(words: usize, number: i32, value: i32): void {
  store<i32>(words + (<usize>number << 2), value);
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

function walk(x: f64, y: f64, z: f64): f64 {
  let before: f64 = Infinity;
  for (let step = 0; step < MOST_STEPS && least < before; step++) {
    before = least;
    lookAround(voxelOf(onNearest(0), columns), voxelOf(onNearest(1), rows), voxelOf(onNearest(2), layers), 1, x, y, z);
  }
  return Math.sqrt(least);
}

/** The distance in voxels from any place to the nearest facet; Infinity where no voxel beside it knows a seed. */
export function nearestTo(x: f64, y: f64, z: f64): f64 {
  tile++;
  start(x, y, z);
  lookAround(<i32>Math.floor(x + 0.5), <i32>Math.floor(y + 0.5), <i32>Math.floor(z + 0.5), BESIDE, x, y, z);
  return walk(x, y, z);
}

function gatherFacet(facet: i32): void {
  const at = records + <usize>facet * RECORD;
  if (load<i32>(at + GATHERED) === tile) return;
  store<i32>(at + GATHERED, tile);
  store<usize>(tileRecords + (tileCount << 2), at);
  const plane = tilePlanes + (tileCount << 5);
  for (let n: usize = 0; n < 4; n++) store<f64>(plane + (n << 3), single(at + PLANE, n));
  tileCount++;
}

/** Gathers the facets at the seeds of all voxels beside those of a tile. */
function gather(x: i32, y: i32, z: i32): void {
  tile++;
  tileCount = 0;
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

/** Puts the distance to the nearest seed down, and `limit` where there is none; tells whether the depth may be one that is asked for. */
function isNear(voxel: i32, x: i32, y: i32, z: i32, exactFrom: f64, limit: f64): bool {
  if (load<u8>(isInside + voxel) === 0) return false;
  const depth = depths + (<usize>voxel << 2);
  const seed = word(seeds, voxel);
  if (seed === NO_SEED) {
    store<f32>(depth, <f32>limit);
    return false;
  }
  const place = places + <usize>seed * 6;
  const dx = <f64>(x - <i32>load<u16>(place));
  const dy = <f64>(y - <i32>load<u16>(place + 2));
  const dz = <f64>(z - <i32>load<u16>(place + 4));
  const toSeed = Math.sqrt(squared(dx, dy, dz));
  store<f32>(depth, <f32>toSeed);
  return toSeed > exactFrom && toSeed < limit;
}

@inline
function steps(difference: f64, length: f64): i16 {
  return <i16>(<i32>Math.floor((DIRECTION_STEPS * difference) / length + 0.5));
}

function fillTile(x0: i32, y0: i32, z0: i32, z1: i32, exactFrom: f64, limit: f64): void {
  let isGathered = false;
  for (let z = z0; z < z1; z++) {
    for (let y = y0; y < min(y0 + TILE, rows); y++) {
      for (let x = x0; x < min(x0 + TILE, columns); x++) {
        const voxel = (z * rows + y) * columns + x;
        if (!isNear(voxel, x, y, z, exactFrom, limit)) continue;
        if (!isGathered) gather(x0, y0, z0);
        isGathered = true;
        start(x, y, z);
        lookAtAll(tileRecords, tilePlanes, tileCount, x, y, z);
        const depth = walk(x, y, z);
        store<f32>(depths + (<usize>voxel << 2), <f32>depth);
        const direction = directions + <usize>voxel * 6;
        store<i16>(direction, steps(<f64>x - onNearest(0), depth));
        store<i16>(direction + 2, steps(<f64>y - onNearest(1), depth));
        store<i16>(direction + 4, steps(<f64>z - onNearest(2), depth));
      }
    }
  }
}

/** Fills the tiles in whose first voxels are in a row of a layer, up to the layer `to`. */
export function fillRow(y: i32, z: i32, to: i32, exactFrom: f64, limit: f64): void {
  for (let x = 0; x < columns; x += TILE) fillTile(x, y, z, min(z + TILE, to), exactFrom, limit);
}
