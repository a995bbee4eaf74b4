import type { Watch } from "../../core/watch.ts";
import type { Surface } from "../../mesh/mesh.ts";
import { voxelCount } from "../../mesh/voxel/grid-size.ts";
import { insideVoxels } from "../../mesh/voxel/inside-voxels.ts";
import { cornersOnLattice, type Lattice } from "../../mesh/voxel/lattice.ts";
import { nearestSeeds, NO_SEED } from "../../mesh/voxel/nearest-seeds.ts";
import { touchedSeeds } from "../../mesh/voxel/touched-seeds.ts";
import { type FacetSearch, newFacetSearch } from "./facet-search.ts";

/** A length of 1 in `CoarseDepths.directions`. */
export const DIRECTION_STEPS = 32_767;

/** Depths below the surface at the voxels of a lattice. */
export interface CoarseDepths {
  /** In voxels; 0 outside, beyond the greatest that was asked for where it is deeper. Exact where it was asked for. */
  readonly depths: Float32Array;
  /** x, y and z of the direction in which the depth grows, in steps, for each voxel; 0, 0, 0 where the depth is not exact. */
  readonly directions: Int16Array;
  /** The exact distance from any place that is no deeper. */
  readonly search: FacetSearch;
}

/** What touches a voxel is no farther from its middle: half its diagonal, and what rounding may add. */
const HALF_DIAGONAL = 0.87;

/** Voxels along each side of a tile, whose facets are gathered at once; of 3 to 6 the fastest. */
const TILE = 4;

/** Depths from `least` to `most` voxels below a closed surface, in the layers `from` up to `to` of a lattice. */
export function coarseDepths(
  surface: Surface,
  lattice: Lattice,
  { from, to }: { readonly from: number; readonly to: number },
  least: number,
  most: number,
  watch: Watch,
): CoarseDepths {
  const { columns, rows } = lattice;
  const corners = cornersOnLattice(surface, lattice);
  const seeds = new Uint32Array(voxelCount(lattice));
  const touched = touchedSeeds(corners, lattice, seeds, watch.part(0, 0.3));
  const limit = most + HALF_DIAGONAL;
  nearestSeeds(seeds, touched.places, lattice, limit, watch.part(0.3, 0.6));
  const isInside = insideVoxels(corners, lattice, watch.part(0.6, 0.7));
  const search = newFacetSearch(corners, touched, seeds, lattice);
  const { places } = touched;
  const depths = new Float32Array(seeds.length);
  const directions = new Int16Array(3 * seeds.length);
  const nearest = new Float64Array(3);
  /** Puts the distance to the nearest seed down; tells whether the depth may be one that is asked for. */
  const isNear = (at: number, x: number, y: number, z: number): boolean => {
    if (isInside[at] === 0) return false;
    const seed = seeds[at];
    if (seed === NO_SEED) {
      depths[at] = limit;
      return false;
    }
    const dx = x - places[3 * seed];
    const dy = y - places[3 * seed + 1];
    const dz = z - places[3 * seed + 2];
    const toSeed = Math.sqrt(dx * dx + dy * dy + dz * dz);
    depths[at] = toSeed;
    return toSeed > least - HALF_DIAGONAL && toSeed < limit;
  };
  const fillTile = (x0: number, y0: number, z0: number): void => {
    let isGathered = false;
    for (let z = z0; z < Math.min(z0 + TILE, to); z++) {
      for (let y = y0; y < Math.min(y0 + TILE, rows); y++) {
        for (let x = x0, at = (z * rows + y) * columns + x0; x < Math.min(x0 + TILE, columns); x++, at++) {
          if (!isNear(at, x, y, z)) continue;
          if (!isGathered) search.gatherTile(x0, y0, z0, TILE);
          isGathered = true;
          const depth = search.nearestOfTile(x, y, z, nearest);
          depths[at] = depth;
          directions[3 * at] = Math.round((DIRECTION_STEPS * (x - nearest[0])) / depth);
          directions[3 * at + 1] = Math.round((DIRECTION_STEPS * (y - nearest[1])) / depth);
          directions[3 * at + 2] = Math.round((DIRECTION_STEPS * (z - nearest[2])) / depth);
        }
      }
    }
  };
  const exact = watch.part(0.7, 1);
  for (let z = from; z < to; z += TILE) {
    exact.report((z - from) / (to - from));
    for (let y = 0; y < rows; y += TILE) for (let x = 0; x < columns; x += TILE) fillTile(x, y, z);
  }
  return { depths, directions, search };
}
