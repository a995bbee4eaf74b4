import type { Watch } from "../../core/watch.ts";
import type { Surface } from "../../mesh/mesh.ts";
import { voxelCount } from "../../mesh/voxel/grid-size.ts";
import { insideVoxels } from "../../mesh/voxel/inside-voxels.ts";
import { cornersOnLattice, type Lattice } from "../../mesh/voxel/lattice.ts";
import { nearestSeeds, NO_SEED } from "../../mesh/voxel/nearest-seeds.ts";
import { touchedSeeds } from "../../mesh/voxel/touched-seeds.ts";
import { type FacetSearch, newFacetSearch } from "./facet-search.ts";

/** Depths below the surface at the voxels of a lattice. */
export interface CoarseDepths {
  /** In voxels; 0 outside, beyond the greatest that was asked for where it is deeper. Exact where it was asked for. */
  readonly depths: Float32Array;
  /** The exact distance from any place that is no deeper. */
  readonly search: FacetSearch;
}

/** What touches a voxel is no farther from its middle: half its diagonal, and what rounding may add. */
const HALF_DIAGONAL = 0.87;

/** Depths from `least` to `most` voxels below a closed surface. */
export function coarseDepths(
  surface: Surface,
  lattice: Lattice,
  least: number,
  most: number,
  watch: Watch,
): CoarseDepths {
  const { columns, rows, layers } = lattice;
  const corners = cornersOnLattice(surface, lattice);
  const seeds = new Uint32Array(voxelCount(lattice));
  const touched = touchedSeeds(corners, lattice, seeds, watch.part(0, 0.3));
  const limit = most + HALF_DIAGONAL;
  nearestSeeds(seeds, touched.places, lattice, limit, watch.part(0.3, 0.6));
  const isInside = insideVoxels(corners, lattice, watch.part(0.6, 0.7));
  const search = newFacetSearch(corners, touched, seeds, lattice);
  const { places } = touched;
  const depths = new Float32Array(seeds.length);
  const exact = watch.part(0.7, 1);
  for (let at = 0, z = 0; z < layers; z++) {
    exact.report(z / layers);
    for (let y = 0; y < rows; y++) {
      for (let x = 0; x < columns; x++, at++) {
        if (isInside[at] === 0) continue;
        const seed = seeds[at];
        if (seed === NO_SEED) {
          depths[at] = limit;
          continue;
        }
        const dx = x - places[3 * seed];
        const dy = y - places[3 * seed + 1];
        const dz = z - places[3 * seed + 2];
        const toSeed = Math.sqrt(dx * dx + dy * dy + dz * dz);
        const isAsked = toSeed > least - HALF_DIAGONAL && toSeed < limit;
        depths[at] = isAsked ? search(x, y, z) : toSeed;
      }
    }
  }
  return { depths, search };
}
