// AssemblyScript. Part of `depth-kernel.as.ts`: the search for the facet nearest to a point of the coarse grid.

import {
  centroid,
  closestV,
  closestW,
  LAST_SEARCH,
  LAST_TILE,
  PLANE,
  RADIUS,
  RECORD_BYTES,
  single,
  squaredDistance,
  squaredLength,
} from "./facet-record.as";
import { isPatchBeyond, isPrepared, PATCH_BYTES, preparePatch } from "./patch.as";

/** The coarse grid, and the addresses of its arrays: `depth-kernel.ts` allocates them and sets these globals. */
export let columns: i32;
export let rows: i32;
export let layers: i32;
export let seeds: usize;
export let places: usize;
export let starts: usize;
export let facets: usize;
export let records: usize;
export let lastSearchOfSeed: usize;
export let lastTileOfSeed: usize;
export let patches: usize;
export let tileSeeds: usize;
export let tileRecords: usize;
export let tileBounds: usize;

/** Stands for a missing seed, as in `featureTransform`. */
export const NO_SEED: u32 = 0xffff_ffff;

/**
 * Voxels along each side of a tile: facets near a tile are gathered once for all of its voxels. The fastest of 3 to 6.
 */
export const TILE: i32 = 4;
/** Voxels around a tile or point whose seeds are used. With fewer, a facet across a ridge is missed. */
const NEIGHBOURHOOD: i32 = 2;
/** A facet is skipped when its plane is farther than the nearest distance less this, in voxels. */
const PLANE_TOLERANCE: f64 = 1e-4;
/** Bound on the steps of {@link walk}; more than three are rare. */
const MAX_STEPS: i32 = 16;

/** With no more facets at a seed, testing its patch takes longer than testing these; a tile then tests the facets of all seeds. */
const FEW_FACETS: i32 = 8;

/**
 * Bytes of a facet's bounds, 64-bit floats: its plane, then centre and radius of a ball around it. They repeat the
 * record, but reading them one after the other takes three quarters of the time.
 */
const BOUNDS_BYTES: usize = 64;

/** The tile: its number, its seeds, and its facets if these are few. */
let tileId: i32 = 0;
let seedCount: i32 = 0;
let facetCount: usize = 0;
let hasFewFacets = false;

/** The search under way: its number, the least squared distance, the nearest record and the closest point on it. */
let searchId: i32 = 0;
let leastSquared: f64;
let nearest: usize = 0;
let v: f64;
let w: f64;
/**
 * Facets are skipped whose plane is farther than `reach`, or whose corners all lie beyond the plane `direction · p =
 * beyond`.
 */
let reach: f64;
let directionX: f64;
let directionY: f64;
let directionZ: f64;
let beyond: f64;

@inline
export function loadWord(address: usize, index: i32): i32 {
  return load<i32>(address + (<usize>index << 2));
}

@inline
export function storeWord(address: usize, index: i32, value: i32): void {
  store<i32>(address + (<usize>index << 2), value);
}

/** The tile becomes empty. */
function startTile(): void {
  tileId++;
  seedCount = 0;
  facetCount = 0;
}

/**
 * Gathers the seeds of all voxels in the neighbourhood of the tile whose first voxel is x, y, z, and their facets if these are few.
 */
export function gatherTile(x: i32, y: i32, z: i32): void {
  startTile();
  let pairs = 0;
  const left = max(0, x - NEIGHBOURHOOD);
  const right = min(columns, x + TILE + NEIGHBOURHOOD);
  for (let k = max(0, z - NEIGHBOURHOOD); k < min(layers, z + TILE + NEIGHBOURHOOD); k++) {
    for (let j = max(0, y - NEIGHBOURHOOD); j < min(rows, y + TILE + NEIGHBOURHOOD); j++) {
      const row = (k * rows + j) * columns;
      for (let voxel = row + left; voxel < row + right; voxel++) {
        const seed = loadWord(seeds, voxel);
        if (seed === NO_SEED || loadWord(lastTileOfSeed, seed) === tileId) continue;
        storeWord(lastTileOfSeed, seed, tileId);
        storeWord(tileSeeds, seedCount++, seed);
        pairs += loadWord(starts, seed + 1) - loadWord(starts, seed);
      }
    }
  }
  hasFewFacets = pairs <= FEW_FACETS * seedCount;
  if (hasFewFacets) for (let n = 0; n < seedCount; n++) gatherFacets(loadWord(tileSeeds, n));
}

function gatherFacets(seed: i32): void {
  const last = loadWord(starts, seed + 1);
  for (let n = loadWord(starts, seed); n < last; n++) {
    const record = records + <usize>loadWord(facets, n) * RECORD_BYTES;
    if (load<i32>(record, LAST_TILE) === tileId) continue;
    store<i32>(record, tileId, LAST_TILE);
    store<usize>(tileRecords + (facetCount << 2), record);
    const bounds = tileBounds + facetCount * BOUNDS_BYTES;
    for (let i: usize = 0; i < 4; i++) store<f64>(bounds + (i << 3), single(record + PLANE, i));
    for (let axis: usize = 0; axis < 3; axis++) store<f64>(bounds + 32 + (axis << 3), centroid(record, axis));
    store<f64>(bounds + 56, single(record + RADIUS, 0));
    facetCount++;
  }
}

/**
 * Distance in voxels from a voxel of the gathered tile to the nearest facet. The nearest seed gives it within half a
 * diagonal of a voxel; the nearest facet lies up to a few voxels beside that seed. So the search starts with the facet
 * nearest in the last search and the facets of the tile, then walks over the surface.
 */
export function distanceInTile(x: f64, y: f64, z: f64): f64 {
  startSearch(x, y, z);
  testBelow(x, y, z);
  if (hasFewFacets) testGathered(x, y, z);
  else for (let n = 0; n < seedCount; n++) testSeed(loadWord(tileSeeds, n), x, y, z);
  return walk(x, y, z);
}

/** The same from any point, without a tile; Infinity where no voxel of the neighbourhood has a seed. */
export function distanceTo(x: f64, y: f64, z: f64): f64 {
  startTile();
  startSearch(x, y, z);
  testAround(<i32>Math.floor(x + 0.5), <i32>Math.floor(y + 0.5), <i32>Math.floor(z + 0.5), NEIGHBOURHOOD, x, y, z);
  return walk(x, y, z);
}

/** One coordinate of the closest point that the last search found. */
@inline
export function closestPoint(axis: usize): f64 {
  const a = single(nearest, axis);
  return a + v * (single(nearest, axis + 3) - a) + w * (single(nearest, axis + 6) - a);
}

function startSearch(x: f64, y: f64, z: f64): void {
  searchId++;
  leastSquared = Infinity;
  reach = Infinity;
  beyond = Infinity;
  if (nearest !== 0) testFacet(nearest, x, y, z);
}

/** Repeats the search around the closest point for as long as that finds a closer one; returns the distance. */
function walk(x: f64, y: f64, z: f64): f64 {
  let before: f64 = Infinity;
  for (let step = 0; step < MAX_STEPS && leastSquared < before; step++) {
    before = leastSquared;
    const i = voxelAt(closestPoint(0), columns);
    const j = voxelAt(closestPoint(1), rows);
    const k = voxelAt(closestPoint(2), layers);
    testAround(i, j, k, 1, x, y, z);
  }
  return Math.sqrt(leastSquared);
}

@inline
function voxelAt(coordinate: f64, count: i32): i32 {
  return min(count - 1, max(0, <i32>Math.floor(coordinate + 0.5)));
}

/** Tests the facets of the seeds of voxels within `distance` voxels of one, except those of the tile. */
function testAround(i: i32, j: i32, k: i32, distance: i32, x: f64, y: f64, z: f64): void {
  const left = max(0, i - distance);
  const right = min(columns - 1, i + distance);
  for (let c = max(0, k - distance); c <= min(layers - 1, k + distance); c++) {
    for (let b = max(0, j - distance); b <= min(rows - 1, j + distance); b++) {
      const row = (c * rows + b) * columns;
      for (let voxel = row + left; voxel <= row + right; voxel++) {
        const seed = loadWord(seeds, voxel);
        if (seed === NO_SEED || loadWord(lastSearchOfSeed, seed) === searchId) continue;
        if (loadWord(lastTileOfSeed, seed) === tileId) continue;
        storeWord(lastSearchOfSeed, seed, searchId);
        testSeed(seed, x, y, z);
      }
    }
  }
}

/**
 * Tests the facets below the point on the plane of the nearest facet: where the surface is smooth the nearest is among
 * them.
 */
function testBelow(x: f64, y: f64, z: f64): void {
  if (leastSquared === Infinity) return;
  const nx = single(nearest, 9);
  const ny = single(nearest, 10);
  const nz = single(nearest, 11);
  const height = x * nx + y * ny + z * nz - single(nearest, 12);
  const i = voxelAt(x - height * nx, columns);
  const j = voxelAt(y - height * ny, rows);
  const k = voxelAt(z - height * nz, layers);
  const seed = loadWord(seeds, (k * rows + j) * columns + i);
  if (seed !== NO_SEED) testNearestCentroid(seed, x, y, z);
}

/** Tests the facet of a seed whose centroid is nearest, so that few others can be nearer. */
function testNearestCentroid(seed: i32, x: f64, y: f64, z: f64): void {
  let least: f64 = Infinity;
  let found: usize = nearest;
  const last = loadWord(starts, seed + 1);
  for (let n = loadWord(starts, seed); n < last; n++) {
    const record = records + <usize>loadWord(facets, n) * RECORD_BYTES;
    const squared = squaredLength(x - centroid(record, 0), y - centroid(record, 1), z - centroid(record, 2));
    if (squared >= least) continue;
    least = squared;
    found = record;
  }
  testFacet(found, x, y, z);
}

/**
 * Tests the facets of a seed unless its patch is farther than the nearest facet. Where they are nearer in another voxel, its seed
 * gives them.
 */
function testSeed(seed: i32, x: f64, y: f64, z: f64): void {
  const first = loadWord(starts, seed);
  const last = loadWord(starts, seed + 1);
  if (last - first > FEW_FACETS) {
    const patch = patches + <usize>seed * PATCH_BYTES;
    if (!isPrepared(patch)) preparePatch(patch, places + <usize>seed * 6, facets, first, last, records);
    if (isPatchBeyond(patch, x, y, z, reach + PLANE_TOLERANCE)) return;
  }
  for (let n = first; n < last; n++) {
    testFacet(records + <usize>loadWord(facets, n) * RECORD_BYTES, x, y, z);
  }
}

/** Computes the distance to a facet unless its plane or its ball is farther than the nearest facet. */
function testFacet(record: usize, x: f64, y: f64, z: f64): void {
  if (load<i32>(record, LAST_SEARCH) === searchId) return;
  store<i32>(record, searchId, LAST_SEARCH);
  const toPlane = x * single(record, 9) + y * single(record, 10) + z * single(record, 11) - single(record, 12);
  if (toPlane >= reach || toPlane <= -reach) return;
  const farthest = reach + single(record, 15);
  const toCentre = squaredLength(x - centroid(record, 0), y - centroid(record, 1), z - centroid(record, 2));
  if (toCentre >= farthest * farthest) return;
  measure(record, x, y, z);
}

/** {@link testFacet} of all gathered facets of the tile, from their bounds. */
function testGathered(x: f64, y: f64, z: f64): void {
  for (let n: usize = 0, bounds = tileBounds; n < facetCount; n++, bounds += BOUNDS_BYTES) {
    const along = x * load<f64>(bounds) + y * load<f64>(bounds, 8) + z * load<f64>(bounds, 16);
    const toPlane = along - load<f64>(bounds, 24);
    if (toPlane >= reach || toPlane <= -reach) continue;
    const farthest = reach + load<f64>(bounds, 56);
    const toCentre = squaredLength(x - load<f64>(bounds, 32), y - load<f64>(bounds, 40), z - load<f64>(bounds, 48));
    if (toCentre >= farthest * farthest) continue;
    const record = load<usize>(tileRecords + (n << 2));
    if (load<i32>(record, LAST_SEARCH) !== searchId) measure(record, x, y, z);
  }
}

/** Computes the distance to a facet and keeps it if it is the least. */
function measure(record: usize, x: f64, y: f64, z: f64): void {
  if (isBeyond(record)) return;
  const squared = squaredDistance(record, x, y, z);
  if (squared >= leastSquared) return;
  leastSquared = squared;
  nearest = record;
  v = closestV;
  w = closestW;
  const distance = Math.sqrt(squared);
  reach = distance - PLANE_TOLERANCE;
  directionX = (closestPoint(0) - x) / distance;
  directionY = (closestPoint(1) - y) / distance;
  directionZ = (closestPoint(2) - z) / distance;
  beyond = directionX * x + directionY * y + directionZ * z + reach;
}

/** Whether all corners of a facet are farther than `reach` in the direction of the closest point. */
@inline
function isBeyond(record: usize): bool {
  return (
    directionX * single(record, 0) + directionY * single(record, 1) + directionZ * single(record, 2) >= beyond &&
    directionX * single(record, 3) + directionY * single(record, 4) + directionZ * single(record, 5) >= beyond &&
    directionX * single(record, 6) + directionY * single(record, 7) + directionZ * single(record, 8) >= beyond
  );
}
