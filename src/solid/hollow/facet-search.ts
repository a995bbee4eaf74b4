import { pointToFacet } from "../../mesh/bvh/point-to-facet.ts";
import type { GridSize } from "../../mesh/voxel/grid-size.ts";
import { NO_SEED } from "../../mesh/voxel/nearest-seeds.ts";
import type { TouchedSeeds } from "../../mesh/voxel/touched-seeds.ts";

/** Distance in voxels from a place, x, y and z in voxels, to the nearest facet; Infinity where no voxel beside it knows a seed. */
export type FacetSearch = (x: number, y: number, z: number) => number;

/** A walk along the surface ends by then; few take more than three steps. */
const MOST_STEPS = 16;

/**
 * The nearest seed tells the distance to half a diagonal of a voxel, and the facet that is truly nearest lies up to a few voxels
 * beside it. The search begins with the facets at the seeds of all voxels beside the place and with the facet that was nearest
 * last, looks at all around where the nearest of them is nearest, goes on from there, and stops where none around is nearer.
 * `seeds` is as `nearestSeeds` leaves it; places and corners count from the same voxel.
 */
export function newFacetSearch(
  corners: Float32Array,
  { places, starts, facets }: TouchedSeeds,
  seeds: Uint32Array,
  { columns, rows, layers }: GridSize,
): FacetSearch {
  const seenSeed = new Uint32Array(places.length / 3);
  const seenFacet = new Uint32Array(corners.length / 9);
  const onFacet = { v: 0, w: 0 };
  /** Number of the search, and what is nearest in it: the facet and where on it. */
  let search = 0;
  let least = Infinity;
  let nearest = -1;
  let v = 0;
  let w = 0;

  const look = (facet: number, x: number, y: number, z: number): void => {
    seenFacet[facet] = search;
    const squared = pointToFacet(corners, 9 * facet, x, y, z, onFacet);
    if (squared >= least) return;
    least = squared;
    nearest = facet;
    v = onFacet.v;
    w = onFacet.w;
  };
  /** Looks at the facets of the seeds that voxels from one to another have. */
  const lookIn = (
    i0: number,
    i1: number,
    j0: number,
    j1: number,
    k0: number,
    k1: number,
    x: number,
    y: number,
    z: number,
  ): void => {
    for (let k = Math.max(0, k0); k <= Math.min(layers - 1, k1); k++) {
      for (let j = Math.max(0, j0); j <= Math.min(rows - 1, j1); j++) {
        for (let i = Math.max(0, i0); i <= Math.min(columns - 1, i1); i++) {
          const seed = seeds[(k * rows + j) * columns + i];
          if (seed === NO_SEED || seenSeed[seed] === search) continue;
          seenSeed[seed] = search;
          for (let at = starts[seed]; at < starts[seed + 1]; at++) {
            if (seenFacet[facets[at]] !== search) look(facets[at], x, y, z);
          }
        }
      }
    }
  };
  const onNearest = (axis: number, count: number): number => {
    const at = 9 * nearest + axis;
    const a = corners[at];
    return Math.min(count - 1, Math.max(0, Math.round(a + v * (corners[at + 3] - a) + w * (corners[at + 6] - a))));
  };

  return (x, y, z) => {
    search++;
    least = Infinity;
    if (nearest >= 0) look(nearest, x, y, z);
    const i = Math.round(x);
    const j = Math.round(y);
    const k = Math.round(z);
    lookIn(i - 1, i + 1, j, j, k, k, x, y, z);
    lookIn(i, i, j - 1, j + 1, k, k, x, y, z);
    lookIn(i, i, j, j, k - 1, k + 1, x, y, z);
    for (let step = 0, before = Infinity; step < MOST_STEPS && least < before; step++) {
      before = least;
      const a = onNearest(0, columns);
      const b = onNearest(1, rows);
      const c = onNearest(2, layers);
      lookIn(a - 1, a + 1, b - 1, b + 1, c - 1, c + 1, x, y, z);
    }
    return Math.sqrt(least);
  };
}
