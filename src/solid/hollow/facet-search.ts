import { grown } from "../../mesh/grown.ts";
import { pointToFacet } from "../../mesh/bvh/point-to-facet.ts";
import type { GridSize } from "../../mesh/voxel/grid-size.ts";
import { NO_SEED } from "../../mesh/voxel/nearest-seeds.ts";
import type { TouchedSeeds } from "../../mesh/voxel/touched-seeds.ts";
import { facetRecords, PLANE, RECORD } from "./facet-records.ts";

/** Looks for the facet nearest to a place. Places are in voxels. */
export interface FacetSearch {
  /** The distance in voxels; Infinity where no voxel beside the place knows a seed. `out` tells the place on the facet. */
  nearestTo(x: number, y: number, z: number, out: Float64Array): number;
  /** Gathers what is near voxels from x, y, z on, `size` along each axis, for {@link nearestOfTile}: dear, unless many follow. */
  gatherTile(x: number, y: number, z: number, size: number): void;
  /** The same distance for a voxel of the tile that was gathered last. */
  nearestOfTile(x: number, y: number, z: number, out: Float64Array): number;
}

/** A walk along the surface ends by then; few take more than three steps. */
const MOST_STEPS = 16;

/** So far beside a place voxels are asked for their seeds: near a ridge, by fewer a facet on its other side goes unseen. */
const BESIDE = 2;

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
  const records = facetRecords(corners);
  const seenFacet = new Uint32Array(corners.length / 9);
  const seenSeed = new Uint32Array(places.length / 3);
  const onFacet = { v: 0, w: 0 };
  /** Number of the search, and what is nearest in it: the facet and where on it. */
  let search = 0;
  let least = Infinity;
  let reach = Infinity;
  let nearest = -1;
  let v = 0;
  let w = 0;
  /** The way to what is nearest, one voxel long, and where along it facets begin that are farther. */
  let toX = 0;
  let toY = 0;
  let toZ = 0;
  let end = Infinity;
  /** Number of the tile, and the facets of its seeds, with their planes one after the other. */
  let tile = 0;
  let tileCount = 0;
  let tileFacets = new Uint32Array(256);
  let tilePlanes = new Float64Array(4 * tileFacets.length);
  const tileOfFacet = new Uint32Array(seenFacet.length);
  const tileOfSeed = new Uint32Array(seenSeed.length);

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
  const measure = (facet: number, x: number, y: number, z: number): void => {
    if (seenFacet[facet] === search) return;
    seenFacet[facet] = search;
    const at = RECORD * facet;
    if (isBeyond(at)) return;
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
  const look = (facet: number, x: number, y: number, z: number): void => {
    const at = RECORD * facet + PLANE;
    const toPlane = x * records[at] + y * records[at + 1] + z * records[at + 2] - records[at + 3];
    if (toPlane < reach && toPlane > -reach) measure(facet, x, y, z);
  };
  const lookAtTile = (x: number, y: number, z: number): void => {
    for (let i = 0, at = 0; i < tileCount; i++, at += 4) {
      const toPlane = x * tilePlanes[at] + y * tilePlanes[at + 1] + z * tilePlanes[at + 2] - tilePlanes[at + 3];
      if (toPlane < reach && toPlane > -reach) measure(tileFacets[i], x, y, z);
    }
  };
  /** Looks at the facets of the seeds that voxels so far beside one have, but for those of the tile. */
  const lookAround = (i: number, j: number, k: number, beside: number, x: number, y: number, z: number): void => {
    const left = Math.max(0, i - beside);
    const right = Math.min(columns - 1, i + beside);
    for (let c = Math.max(0, k - beside); c <= Math.min(layers - 1, k + beside); c++) {
      for (let b = Math.max(0, j - beside); b <= Math.min(rows - 1, j + beside); b++) {
        const row = (c * rows + b) * columns;
        for (let voxel = row + left; voxel <= row + right; voxel++) {
          const seed = seeds[voxel];
          if (seed === NO_SEED || seenSeed[seed] === search || tileOfSeed[seed] === tile) continue;
          seenSeed[seed] = search;
          for (let at = starts[seed]; at < starts[seed + 1]; at++) look(facets[at], x, y, z);
        }
      }
    }
  };
  const gatherFacet = (facet: number): void => {
    if (tileOfFacet[facet] === tile) return;
    tileOfFacet[facet] = tile;
    tileFacets = grown(tileFacets, tileCount + 1);
    tilePlanes = grown(tilePlanes, 4 * tileCount + 4);
    tileFacets[tileCount] = facet;
    for (let i = 0; i < 4; i++) tilePlanes[4 * tileCount + i] = records[RECORD * facet + PLANE + i];
    tileCount++;
  };
  const begin = (x: number, y: number, z: number): void => {
    search++;
    least = Infinity;
    reach = Infinity;
    end = Infinity;
    if (nearest >= 0) look(nearest, x, y, z);
  };
  const voxelOf = (place: number, count: number): number => Math.min(count - 1, Math.max(0, Math.round(place)));
  const walk = (x: number, y: number, z: number, out: Float64Array): number => {
    for (let step = 0, before = Infinity; step < MOST_STEPS && least < before; step++) {
      before = least;
      const i = voxelOf(onNearest(0), columns);
      const j = voxelOf(onNearest(1), rows);
      const k = voxelOf(onNearest(2), layers);
      lookAround(i, j, k, 1, x, y, z);
    }
    for (let axis = 0; axis < 3; axis++) out[axis] = onNearest(axis);
    return Math.sqrt(least);
  };

  return {
    nearestTo(x, y, z, out) {
      tile++;
      begin(x, y, z);
      lookAround(Math.round(x), Math.round(y), Math.round(z), BESIDE, x, y, z);
      return walk(x, y, z, out);
    },
    gatherTile(x, y, z, size) {
      tile++;
      tileCount = 0;
      const left = Math.max(0, x - BESIDE);
      const right = Math.min(columns, x + size + BESIDE);
      for (let k = Math.max(0, z - BESIDE); k < Math.min(layers, z + size + BESIDE); k++) {
        for (let j = Math.max(0, y - BESIDE); j < Math.min(rows, y + size + BESIDE); j++) {
          const row = (k * rows + j) * columns;
          for (let voxel = row + left; voxel < row + right; voxel++) {
            const seed = seeds[voxel];
            if (seed === NO_SEED || tileOfSeed[seed] === tile) continue;
            tileOfSeed[seed] = tile;
            for (let at = starts[seed]; at < starts[seed + 1]; at++) gatherFacet(facets[at]);
          }
        }
      }
    },
    nearestOfTile(x, y, z, out) {
      begin(x, y, z);
      lookAtTile(x, y, z);
      return walk(x, y, z, out);
    },
  };
}
