// AssemblyScript: a part of `depths.as.ts`.

/** The lattice of seeds, and where in memory what is: `kernel.ts` puts it there and tells. */
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
export let depths: usize;
export let directions: usize;

/** In the place of a seed's number, as in `mesh/voxel/nearest-seeds`. */
export const NO_SEED: u32 = 0xffff_ffff;

@inline
export function word(words: usize, number: i32): i32 {
  return load<i32>(words + (<usize>number << 2));
}

@inline
export function put(words: usize, number: i32, value: i32): void {
  store<i32>(words + (<usize>number << 2), value);
}
