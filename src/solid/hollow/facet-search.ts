import { pointToFacet } from "../../mesh/bvh/point-to-facet.ts";
import type { GridSize } from "../../mesh/voxel/grid-size.ts";
import { NO_SEED } from "../../mesh/voxel/nearest-seeds.ts";
import type { TouchedSeeds } from "../../mesh/voxel/touched-seeds.ts";

/**
 * Distance in voxels from a place, x, y and z in voxels, to the nearest facet; Infinity where no voxel beside it knows a seed.
 * `out` tells the place on the facet.
 */
export type FacetSearch = (x: number, y: number, z: number, out: Float64Array) => number;

/** A walk along the surface ends by then; few take more than three steps. */
const MOST_STEPS = 16;

/** So far beside a place voxels are asked for their seeds: near a ridge, by fewer a facet on its other side goes unseen. */
const BESIDE = 2;

/** Facets that are no higher than this share of their longest side have no plane to speak of. */
const SLIVER = 1e-3;
/** Numbers of a facet's record; it begins a cache line. */
const RECORD = 16;
/** A facet whose plane is no nearer than what was found, less this many voxels, is not looked at. */
const PLANE_SLACK = 1e-4;

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
  const records = recordsOf(corners);
  const onFacet = { v: 0, w: 0 };
  /** Number of the search, and what is nearest in it: the facet and where on it. */
  let search = 0;
  let least = Infinity;
  let reach = Infinity;
  let nearest = -1;
  /** The way to what is nearest, one voxel long, and where along it facets begin that are farther. */
  let toX = 0;
  let toY = 0;
  let toZ = 0;
  let end = Infinity;
  let v = 0;
  let w = 0;

  const onNearest = (axis: number): number => {
    const at = RECORD * nearest + axis;
    const a = records[at];
    return a + v * (records[at + 3] - a) + w * (records[at + 6] - a);
  };
  /** Whether a facet lies all on the far side of the plane across the way to what is nearest. */
  const isBeyond = (at: number): boolean =>
    toX * records[at] + toY * records[at + 1] + toZ * records[at + 2] >= end &&
    toX * records[at + 3] + toY * records[at + 4] + toZ * records[at + 5] >= end &&
    toX * records[at + 6] + toY * records[at + 7] + toZ * records[at + 8] >= end;
  const look = (facet: number, x: number, y: number, z: number): void => {
    seenFacet[facet] = search;
    const at = RECORD * facet;
    const toPlane = x * records[at + 9] + y * records[at + 10] + z * records[at + 11] - records[at + 12];
    if (toPlane >= reach || toPlane <= -reach || isBeyond(at)) return;
    const squared = pointToFacet(records, at, x, y, z, onFacet);
    if (squared >= least) return;
    least = squared;
    nearest = facet;
    v = onFacet.v;
    w = onFacet.w;
    const distance = Math.sqrt(squared);
    reach = distance - PLANE_SLACK;
    toX = (onNearest(0) - x) / distance;
    toY = (onNearest(1) - y) / distance;
    toZ = (onNearest(2) - z) / distance;
    end = toX * x + toY * y + toZ * z + reach;
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
  const voxelOf = (place: number, count: number): number => Math.min(count - 1, Math.max(0, Math.round(place)));

  return (x, y, z, out) => {
    search++;
    least = Infinity;
    reach = Infinity;
    end = Infinity;
    if (nearest >= 0) look(nearest, x, y, z);
    const i = Math.round(x);
    const j = Math.round(y);
    const k = Math.round(z);
    lookIn(i - BESIDE, i + BESIDE, j - BESIDE, j + BESIDE, k - BESIDE, k + BESIDE, x, y, z);
    for (let step = 0, before = Infinity; step < MOST_STEPS && least < before; step++) {
      before = least;
      const a = voxelOf(onNearest(0), columns);
      const b = voxelOf(onNearest(1), rows);
      const c = voxelOf(onNearest(2), layers);
      lookIn(a - 1, a + 1, b - 1, b + 1, c - 1, c + 1, x, y, z);
    }
    for (let axis = 0; axis < 3; axis++) out[axis] = onNearest(axis);
    return Math.sqrt(least);
  };
}

/** Of each facet its corners, its unit normal and how far its plane is along that; 0, 0, 0 and 0 for a facet without area. */
function recordsOf(corners: Float32Array): Float32Array {
  const records = new Float32Array((RECORD * corners.length) / 9);
  for (let from = 0, to = 0; from < corners.length; from += 9, to += RECORD) {
    for (let i = 0; i < 9; i++) records[to + i] = corners[from + i];
    const ax = corners[from];
    const ay = corners[from + 1];
    const az = corners[from + 2];
    const bx = corners[from + 3] - ax;
    const by = corners[from + 4] - ay;
    const bz = corners[from + 5] - az;
    const cx = corners[from + 6] - ax;
    const cy = corners[from + 7] - ay;
    const cz = corners[from + 8] - az;
    const nx = by * cz - bz * cy;
    const ny = bz * cx - bx * cz;
    const nz = bx * cy - by * cx;
    const size = Math.sqrt(nx * nx + ny * ny + nz * nz);
    // Of a sliver rounding turns the plane.
    const longest = Math.max(bx * bx + by * by + bz * bz, cx * cx + cy * cy + cz * cz);
    if (size < SLIVER * longest) continue;
    records[to + 9] = nx / size;
    records[to + 10] = ny / size;
    records[to + 11] = nz / size;
    records[to + 12] = (ax * nx + ay * ny + az * nz) / size;
  }
  return records;
}
