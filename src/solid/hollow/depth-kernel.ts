import { kernelInstance, kernelMemory } from "../../wasm/kernel.ts";
import type { Progress } from "../../core/progress.ts";
import { featureTransform, voxelCount } from "../../geometry/distance-transform.ts";
import type { Surface } from "../../mesh/mesh.ts";
import { type VoxelGrid, cornersInVoxels } from "../../mesh/voxel/voxel-grid.ts";
import { voxelizeInterior } from "../../mesh/voxel/voxelize-interior.ts";
import { type SurfaceSeeds, surfaceSeeds } from "../../mesh/voxel/voxelize-surface.ts";
import { WASM } from "./depth-kernel.wasm.ts";

/**
 * A coarse grid prepared for the search of nearest facets: each voxel knows the nearest voxel that the surface touches.
 */
export interface SeededGrid extends VoxelGrid, SurfaceSeeds {
  /** Corners of the facets, from {@link cornersInVoxels}. */
  readonly corners: Float32Array;
  /** For each voxel the nearest seed, from {@link featureTransform}. */
  readonly seeds: Uint32Array;
  /** From {@link voxelizeInterior}. */
  readonly isInside: Uint8Array;
}

/** Prepares a grid; voxels farther than `limit` voxels from all seeds get none. */
export function seedGrid(surface: Surface, grid: VoxelGrid, limit: number, progress: Progress): SeededGrid {
  const corners = cornersInVoxels(surface, grid);
  const seeds = new Uint32Array(voxelCount(grid));
  const touched = surfaceSeeds(corners, grid, seeds, progress.part(0, 0.4));
  featureTransform(seeds, touched.places, grid, limit, progress.part(0.4, 0.8));
  const isInside = voxelizeInterior(corners, grid, progress.part(0.8, 1));
  return { ...grid, ...touched, corners, seeds, isInside };
}

/**
 * The fine grid, of voxels half as large as the coarse ones, and its levels: globals of the kernel. Lengths in fine
 * voxels.
 */
export interface FineGrid {
  readonly fineColumns: number;
  readonly fineRows: number;
  readonly fineLayers: number;
  /** From the first coarse voxel to the first fine one; even. */
  readonly offsetX: number;
  readonly offsetY: number;
  readonly offsetZ: number;
  readonly wall: number;
  readonly core: number;
  readonly deepest: number;
  readonly blockDiagonal: number;
}

/**
 * An instance of the kernel of `depth-kernel.as.ts`, in AssemblyScript because that is 2.5 times as fast as the same
 * code in TypeScript, from the first call on. Its inputs and outputs are exported globals and arrays in its memory.
 */
export interface DepthKernel {
  readonly memory: WebAssembly.Memory;
  /** Byte offsets of the arrays in memory, by name. */
  readonly offsets: ArrayOffsets;
  /** Voxels along each side of the tiles of {@link fillCoarseRow}. */
  readonly TILE: WebAssembly.Global<"i32">;
  readonly blockCount: WebAssembly.Global<"i32">;
  readonly unsureCount: WebAssembly.Global<"i32">;
  readonly ridgeCount: WebAssembly.Global<"i32">;
  /**
   * Distance from a point of the coarse grid to the nearest facet, in its voxels; Infinity if no voxel around it has
   * a seed.
   */
  distanceTo(x: number, y: number, z: number): number;
  /**
   * Fills the coarse depths of a row of tiles, up to the layer `to`: exact ones with their directions where the nearest
   * seed is farther than `exactFrom` and nearer than `limit`. Elsewhere the depth is the distance to the nearest seed,
   * `limit` if there is none, and 0 outside.
   */
  fillCoarseRow(y: number, z: number, to: number, exactFrom: number, limit: number): void;
  /** Fills the layers z and z + 1 of the fine grid. */
  interpolateLayer(z: number): void;
  /**
   * Computes exactly those depths of the unsure blocks `from` up to `to` that have a neighbour on the other side of a
   * level.
   */
  refineUnsure(from: number, to: number): void;
  /** Makes all values positive: negative ones mark inexact depths until then. */
  clearSigns(): void;
}

type ArrayOffsets = Readonly<Record<keyof ReturnType<typeof arraySizes>, number>>;

/** An instance with its inputs in its memory. */
export function createDepthKernel(grid: SeededGrid, fine: FineGrid): DepthKernel {
  const { columns, rows, layers } = grid;
  const { memory, offsets } = kernelMemory(arraySizes(grid, fine), "it has too many facets: reduce their number.");
  const { buffer } = memory;
  new Uint32Array(buffer, offsets.seeds).set(grid.seeds);
  new Uint16Array(buffer, offsets.places).set(grid.places);
  new Uint32Array(buffer, offsets.starts).set(grid.starts);
  new Uint8Array(buffer, offsets.isInside).set(grid.isInside);
  const facets = new Uint32Array(buffer, offsets.facets);
  const recordCount = writeRecords(grid, facets, new Float32Array(buffer, offsets.records));
  const globals = { columns, rows, layers, ...fine, ...offsets };
  const exports = kernelInstance<KernelExports>({ name: "depth-kernel", wasm: WASM }, memory, globals);
  exports.prepareRecords(offsets.records, recordCount);
  return { ...exports, memory, offsets };
}

/**
 * Writes the corners of the facets into their records in the order of their first seeds, because facets of one seed are read
 * together, and into `facets` the records of the facets at each seed. Returns the number of records.
 */
function writeRecords({ corners, ...seeds }: SeededGrid, facets: Uint32Array, records: Float32Array): number {
  /** 1-based index of the record of each facet; 0 if it has none yet. */
  const recordOf = new Uint32Array(corners.length / 9);
  let count = 0;
  for (let n = 0; n < seeds.facets.length; n++) {
    const facet = seeds.facets[n];
    if (recordOf[facet] === 0) {
      const to = (count * RECORD_BYTES) / 4;
      for (let i = 0; i < 9; i++) records[to + i] = corners[9 * facet + i];
      recordOf[facet] = ++count;
    }
    facets[n] = recordOf[facet] - 1;
  }
  return count;
}

type KernelExports = Omit<DepthKernel, "memory" | "offsets"> & {
  prepareRecords(records: number, count: number): void;
};

/** Bytes of a record, a patch and the bounds in a tile, as in `facet-record.as.ts`, `patch.as.ts` and `nearest-facet.as.ts`. */
const RECORD_BYTES = 64;
const PATCH_BYTES = 32;
const BOUNDS_BYTES = 64;

/** Voxels of a tile with its neighbourhood, and the facets that it gathers at most: `FEW_FACETS` for each. */
const MAX_TILE_SEEDS = 8 ** 3;
const MAX_TILE_FACETS = 8 * MAX_TILE_SEEDS;

/** Bytes of each array in memory; the names are those of the kernel's globals. */
function arraySizes(
  { places, starts, facets, corners, ...coarse }: SeededGrid,
  { fineColumns, fineRows, fineLayers }: FineGrid,
) {
  const voxels = voxelCount(coarse);
  const facetCount = corners.length / 9;
  const blocks = Math.ceil(fineColumns / 2) * Math.ceil(fineRows / 2) * Math.ceil(fineLayers / 2);
  return {
    seeds: 4 * voxels,
    places: places.byteLength,
    starts: starts.byteLength,
    facets: facets.byteLength,
    isInside: voxels,
    records: RECORD_BYTES * facetCount,
    lastSearchOfSeed: (4 * places.length) / 3,
    lastTileOfSeed: (4 * places.length) / 3,
    patches: (PATCH_BYTES * places.length) / 3,
    tileSeeds: 4 * MAX_TILE_SEEDS,
    tileRecords: 4 * MAX_TILE_FACETS,
    tileBounds: BOUNDS_BYTES * MAX_TILE_FACETS,
    depths: 4 * voxels,
    directions: 6 * voxels,
    values: 4 * fineColumns * fineRows * fineLayers,
    blocks: 4 * blocks,
    unsure: 4 * blocks,
    ridges: 4 * blocks,
  };
}
