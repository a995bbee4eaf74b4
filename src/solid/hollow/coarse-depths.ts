import type { Watch } from "../../core/watch.ts";
import type { Surface } from "../../mesh/mesh.ts";
import { voxelCount } from "../../mesh/voxel/grid-size.ts";
import { insideVoxels } from "../../mesh/voxel/inside-voxels.ts";
import { cornersOnLattice, type Lattice } from "../../mesh/voxel/lattice.ts";
import { nearestSeeds } from "../../mesh/voxel/nearest-seeds.ts";
import { touchedSeeds } from "../../mesh/voxel/touched-seeds.ts";
import { type FacetSearch, newFacetSearch } from "./search/facet-search.ts";

/** A length of 1 in `CoarseDepths.directions`. */
export const DIRECTION_STEPS = 32_767;

/** Depths below the surface at the voxels of a lattice. */
export interface CoarseDepths {
  /** In voxels; 0 outside, beyond the greatest that was asked for where it is deeper. Exact where it was asked for. */
  readonly depths: Float32Array;
  /** x, y and z of the direction in which the depth grows, in steps, for each voxel; 0, 0, 0 where the depth is not exact. */
  readonly directions: Int16Array;
  /** The exact distance from any place that is no deeper. */
  readonly nearestTo: FacetSearch["nearestTo"];
}

/** What touches a voxel is no farther from its middle: half its diagonal, and what rounding may add. */
const HALF_DIAGONAL = 0.87;

/** Depths from `least` to `most` voxels below a closed surface, in the layers `from` up to `to` of a lattice. */
export function coarseDepths(
  surface: Surface,
  lattice: Lattice,
  { from, to }: { readonly from: number; readonly to: number },
  least: number,
  most: number,
  watch: Watch,
): CoarseDepths {
  const corners = cornersOnLattice(surface, lattice);
  const seeds = new Uint32Array(voxelCount(lattice));
  const touched = touchedSeeds(corners, lattice, seeds, watch.part(0, 0.3));
  const limit = most + HALF_DIAGONAL;
  nearestSeeds(seeds, touched.places, lattice, limit, watch.part(0.3, 0.6));
  const isInside = insideVoxels(corners, lattice, watch.part(0.6, 0.7));
  const search = newFacetSearch({ ...touched, ...lattice, corners, seeds, isInside });
  search.fillDepths(from, to, least - HALF_DIAGONAL, limit, watch.part(0.7, 1));
  return search;
}
