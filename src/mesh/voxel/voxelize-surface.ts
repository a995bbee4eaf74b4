import type { Progress } from "../../core/progress.ts";
import { ensureCapacity } from "../../core/typed-arrays.ts";
import { bucketBy } from "../../geometry/bucket-by.ts";
import { type GridSize, NO_SEED } from "../../geometry/distance-transform.ts";

/** Pairs of a voxel and a facet that intersects it: `voxels[i]` and `facets[i]`. */
export interface SurfaceVoxels {
  readonly voxels: Uint32Array;
  readonly facets: Uint32Array;
}

const FACETS_PER_REPORT = 1024;
/** A triangle clipped by four planes has at most 3 + 4 corners. */
const MAX_CORNERS = 7;

/**
 * The voxels of a grid that facets intersect. `corners` holds x, y, z of the three corners of each facet, in voxels relative
 * to the centre of voxel (0, 0, 0). Facets are in order, and each is paired once with each of its voxels.
 */
export function voxelizeSurface(corners: Float32Array, size: GridSize, progress: Progress): SurfaceVoxels {
  const { columns, rows, layers } = size;
  let voxels = new Uint32Array(corners.length);
  let facets = new Uint32Array(corners.length);
  let count = 0;
  const inLayer = new Float64Array(3 * MAX_CORNERS);
  const inRow = new Float64Array(3 * MAX_CORNERS);
  const half = new Float64Array(3 * MAX_CORNERS);
  const facet = new Float64Array(9);

  const addFacet = (at: number, lowest: number, highest: number): void => {
    for (let i = 0; i < 9; i++) facet[i] = corners[at + i];
    for (let z = lowest; z <= highest; z++) {
      const layerCorners = clipToSlab(facet, 3, 2, z, half, inLayer);
      if (layerCorners === 0) continue;
      const front = Math.max(0, Math.round(least(inLayer, layerCorners, 1)));
      const back = Math.min(rows - 1, Math.round(greatest(inLayer, layerCorners, 1)));
      for (let y = front; y <= back; y++) {
        const rowCorners = front === back ? layerCorners : clipToSlab(inLayer, layerCorners, 1, y, half, inRow);
        if (rowCorners === 0) continue;
        const piece = front === back ? inLayer : inRow;
        const left = Math.max(0, Math.round(least(piece, rowCorners, 0)));
        const right = Math.min(columns - 1, Math.round(greatest(piece, rowCorners, 0)));
        voxels = ensureCapacity(voxels, count + right - left + 1);
        facets = ensureCapacity(facets, count + right - left + 1);
        const first = (z * rows + y) * columns;
        for (let x = left; x <= right; x++) {
          voxels[count] = first + x;
          facets[count++] = at / 9;
        }
      }
    }
  };
  for (let at = 0; at < corners.length; at += 9) {
    if (at % (9 * FACETS_PER_REPORT) === 0) progress.report(at / corners.length);
    const lowest = Math.max(0, Math.round(Math.min(corners[at + 2], corners[at + 5], corners[at + 8])));
    const highest = Math.min(layers - 1, Math.round(Math.max(corners[at + 2], corners[at + 5], corners[at + 8])));
    if (lowest <= highest) addFacet(at, lowest, highest);
  }
  return { voxels: voxels.subarray(0, count), facets: facets.subarray(0, count) };
}

const least = (polygon: Float64Array, count: number, axis: number): number => {
  let value = Infinity;
  for (let i = axis; i < 3 * count; i += 3) if (polygon[i] < value) value = polygon[i];
  return value;
};

const greatest = (polygon: Float64Array, count: number, axis: number): number => {
  let value = -Infinity;
  for (let i = axis; i < 3 * count; i += 3) if (polygon[i] > value) value = polygon[i];
  return value;
};

/** Clips a convex polygon to within half a voxel of a plane perpendicular to the axis; returns the number of corners. */
function clipToSlab(
  polygon: Float64Array,
  count: number,
  axis: number,
  plane: number,
  half: Float64Array,
  out: Float64Array,
): number {
  const kept = clipToHalfspace(polygon, count, axis, plane - 0.5, 1, half);
  return clipToHalfspace(half, kept, axis, plane + 0.5, -1, out);
}

/** Clips a convex polygon to one side of a plane: `side` is 1 for above, −1 for below; returns the number of corners. */
function clipToHalfspace(
  polygon: Float64Array,
  count: number,
  axis: number,
  plane: number,
  side: number,
  out: Float64Array,
): number {
  let kept = 0;
  for (let i = 0; i < count; i++) {
    const a = 3 * i;
    const b = 3 * (i + 1 === count ? 0 : i + 1);
    const fromA = side * (polygon[a + axis] - plane);
    const fromB = side * (polygon[b + axis] - plane);
    if (fromA >= 0) {
      out[3 * kept] = polygon[a];
      out[3 * kept + 1] = polygon[a + 1];
      out[3 * kept++ + 2] = polygon[a + 2];
    }
    if (fromA >= 0 === fromB >= 0) continue;
    const share = fromA / (fromA - fromB);
    out[3 * kept] = polygon[a] + share * (polygon[b] - polygon[a]);
    out[3 * kept + 1] = polygon[a + 1] + share * (polygon[b + 1] - polygon[a + 1]);
    out[3 * kept++ + 2] = polygon[a + 2] + share * (polygon[b + 2] - polygon[a + 2]);
  }
  return kept;
}

/** The voxels that a surface intersects, as seeds of a feature transform: indexed in the order of their first facets. */
export interface SurfaceSeeds {
  /** x, y and z of each seed's voxel. */
  readonly places: Uint16Array;
  /** The facets in the voxel of seed s are `facets[starts[s]]` … `facets[starts[s + 1] - 1]`. */
  readonly starts: Uint32Array;
  readonly facets: Uint32Array;
}

/**
 * The voxels of a grid that facets intersect. `seeds`, one number for each voxel, receives the index of the seed in the
 * voxel or {@link NO_SEED}. `corners` are as for {@link voxelizeSurface}.
 */
export function surfaceSeeds(
  corners: Float32Array,
  size: GridSize,
  seeds: Uint32Array,
  progress: Progress,
): SurfaceSeeds {
  const { voxels, facets } = voxelizeSurface(corners, size, progress);
  seeds.fill(NO_SEED);
  let count = 0;
  for (let i = 0; i < voxels.length; i++) if (seeds[voxels[i]] === NO_SEED) seeds[voxels[i]] = count++;
  const seedOf = new Uint32Array(voxels.length);
  const places = new Uint16Array(3 * count);
  for (let i = 0, next = 0; i < voxels.length; i++) {
    seedOf[i] = seeds[voxels[i]];
    if (seedOf[i] !== next) continue;
    const row = Math.floor(voxels[i] / size.columns);
    places[3 * next] = voxels[i] - row * size.columns;
    places[3 * next + 1] = row % size.rows;
    places[3 * next + 2] = Math.floor(row / size.rows);
    next++;
  }
  const { starts, items } = bucketBy(seedOf, count);
  for (let i = 0; i < items.length; i++) items[i] = facets[items[i]];
  return { places, starts, facets: items };
}
