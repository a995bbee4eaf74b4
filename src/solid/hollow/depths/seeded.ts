import type { Watch } from "../../../core/watch.ts";
import type { Surface } from "../../../mesh/mesh.ts";
import { voxelCount } from "../../../mesh/voxel/grid-size.ts";
import { insideVoxels } from "../../../mesh/voxel/inside-voxels.ts";
import { cornersOnLattice, type Lattice } from "../../../mesh/voxel/lattice.ts";
import { nearestSeeds } from "../../../mesh/voxel/nearest-seeds.ts";
import { type TouchedSeeds, touchedSeeds } from "../../../mesh/voxel/touched-seeds.ts";

/** A lattice whose voxels know which of those that the surface touches are nearest: where its depths are searched for. */
export interface Seeded extends Lattice, TouchedSeeds {
  /** Of the facets, as of {@link cornersOnLattice}. */
  readonly corners: Float32Array;
  /** As of {@link nearestSeeds}. */
  readonly seeds: Uint32Array;
  /** As of {@link insideVoxels}. */
  readonly isInside: Uint8Array;
}

/** Seeds as far as `limit` voxels. */
export function seededLattice(surface: Surface, lattice: Lattice, limit: number, watch: Watch): Seeded {
  const corners = cornersOnLattice(surface, lattice);
  const seeds = new Uint32Array(voxelCount(lattice));
  const touched = touchedSeeds(corners, lattice, seeds, watch.part(0, 0.4));
  nearestSeeds(seeds, touched.places, lattice, limit, watch.part(0.4, 0.8));
  return { ...lattice, ...touched, corners, seeds, isInside: insideVoxels(corners, lattice, watch.part(0.8, 1)) };
}
