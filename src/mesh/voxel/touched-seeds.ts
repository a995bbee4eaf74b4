import type { Watch } from "../../core/watch.ts";
import type { GridSize } from "./grid-size.ts";
import { NO_SEED } from "./nearest-seeds.ts";
import { touchedVoxels } from "./touched-voxels.ts";

/** Voxels that facets touch, numbered as they are met. */
export interface TouchedSeeds {
  /** x, y and z of each, z from the first layer of the size. */
  readonly places: Uint16Array;
  /** The facets that touch seed s are those at `starts[s]` … `[starts[s + 1] - 1]`. */
  readonly starts: Uint32Array;
  readonly facets: Uint32Array;
}

/** The voxels of a grid that facets touch; `seeds`, a number for each voxel, tells which is which. Corners are as for {@link touchedVoxels}. */
export function touchedSeeds(corners: Float32Array, size: GridSize, seeds: Uint32Array, watch: Watch): TouchedSeeds {
  const { voxels, facets: touching } = touchedVoxels(corners, size, watch);
  seeds.fill(NO_SEED);
  let count = 0;
  for (let i = 0; i < voxels.length; i++) if (seeds[voxels[i]] === NO_SEED) seeds[voxels[i]] = count++;
  const places = new Uint16Array(3 * count);
  const starts = new Uint32Array(count + 2);
  for (let i = 0; i < voxels.length; i++) {
    const voxel = voxels[i];
    const seed = seeds[voxel];
    if (starts[seed + 2]++ > 0) continue;
    const row = Math.floor(voxel / size.columns);
    places[3 * seed] = voxel - row * size.columns;
    places[3 * seed + 1] = row % size.rows;
    places[3 * seed + 2] = Math.floor(row / size.rows);
  }
  for (let seed = 2; seed < starts.length; seed++) starts[seed] += starts[seed - 1];
  const facets = new Uint32Array(voxels.length);
  for (let i = 0; i < voxels.length; i++) facets[starts[seeds[voxels[i]] + 1]++] = touching[i];
  return { places, starts, facets };
}
