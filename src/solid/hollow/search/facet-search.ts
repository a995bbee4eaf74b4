import { operationFailed } from "../../../core/fault.ts";
import type { Watch } from "../../../core/watch.ts";
import { type GridSize, voxelCount } from "../../../mesh/voxel/grid-size.ts";
import type { TouchedSeeds } from "../../../mesh/voxel/touched-seeds.ts";
import { WASM } from "./facet-search.wasm.ts";

/** What is known of a grid: which seed is nearest to each voxel, as `nearestSeeds` leaves it, and which voxels are inside. */
export interface Searched extends TouchedSeeds, GridSize {
  /** Of each facet, in voxels, as places count. */
  readonly corners: Float32Array;
  readonly seeds: Uint32Array;
  readonly isInside: Uint8Array;
}

/**
 * Looks for the facets nearest to places. The nearest seed tells the distance to half a diagonal of a voxel, and the facet that
 * is truly nearest lies up to a few voxels beside it. A search begins with the facets at the seeds of all voxels beside the place
 * and with the facet that was nearest last, looks at all around where the nearest of them is nearest, goes on from there, and
 * stops where none around is nearer.
 */
export interface FacetSearch {
  /** The distance from any place, in voxels; Infinity where no voxel beside it knows a seed. */
  nearestTo(x: number, y: number, z: number): number;
  /**
   * Fills the depths of the voxels in layers `from` up to `to` in, exact ones with their directions where the nearest seed is
   * farther than `exactFrom` and nearer than `limit`. Others are as deep as the nearest seed is far, or `limit` where there is none,
   * and 0 outside.
   */
  fillDepths(from: number, to: number, exactFrom: number, limit: number, watch: Watch): void;
  readonly depths: Float32Array;
  readonly directions: Int16Array;
}

/**
 * The kernel is written in AssemblyScript, `facet-search.as.ts`: two and a half times as fast as the same in TypeScript was, and
 * so from its first call. It exports where it looks for what as globals.
 */
interface Kernel extends Record<string, unknown> {
  readonly TILE: WebAssembly.Global<"i32">;
  preparePlanes(records: number, count: number): void;
  nearestTo(x: number, y: number, z: number): number;
  fillRow(y: number, z: number, to: number, exactFrom: number, limit: number): void;
}

/** Bytes of a facet's record, and of a plane of a tile, as the kernel has them. */
const RECORD = 64;
const PLANE = 32;

export function newFacetSearch(searched: Searched): FacetSearch {
  const { corners, seeds, places, starts, facets, isInside, columns, rows, layers } = searched;
  const voxels = voxelCount(searched);
  const facetCount = corners.length / 9;
  const seedCount = places.length / 3;
  const { memory, at } = roomFor({
    seeds: seeds.byteLength,
    places: places.byteLength,
    starts: starts.byteLength,
    facets: facets.byteLength,
    isInside: isInside.byteLength,
    records: RECORD * facetCount,
    searchOfSeed: 4 * seedCount,
    tileOfSeed: 4 * seedCount,
    tileRecords: 4 * facetCount,
    tilePlanes: PLANE * facetCount,
    depths: 4 * voxels,
    directions: 6 * voxels,
  });
  const { buffer } = memory;
  new Uint32Array(buffer, at.seeds).set(seeds);
  new Uint16Array(buffer, at.places).set(places);
  new Uint32Array(buffer, at.starts).set(starts);
  new Uint32Array(buffer, at.facets).set(facets);
  new Uint8Array(buffer, at.isInside).set(isInside);
  const records = new Float32Array(buffer, at.records);
  for (let from = 0, to = 0; from < corners.length; from += 9, to += RECORD / 4) {
    for (let i = 0; i < 9; i++) records[to + i] = corners[from + i];
  }
  const kernel = kernelOn(memory, { columns, rows, layers, ...at });
  kernel.preparePlanes(at.records, facetCount);
  return {
    nearestTo: kernel.nearestTo,
    fillDepths(from, to, exactFrom, limit, watch) {
      const { value: tile } = kernel.TILE;
      for (let z = from; z < to; z += tile) {
        for (let y = 0; y < rows; y += tile) {
          watch.report((z - from + (tile * y) / rows) / (to - from));
          kernel.fillRow(y, z, to, exactFrom, limit);
        }
      }
    },
    depths: new Float32Array(buffer, at.depths, voxels),
    directions: new Int16Array(buffer, at.directions, 3 * voxels),
  };
}

const PAGE = 65_536;
const MOST_PAGES = 65_536;
const CACHE_LINE = 64;

/** Memory with room for so many bytes of each, and where each is; nothing is at 0. */
function roomFor<Name extends string>(
  bytes: Readonly<Record<Name, number>>,
): { readonly memory: WebAssembly.Memory; readonly at: Readonly<Record<Name, number>> } {
  let end = CACHE_LINE;
  const at = {} as Record<Name, number>;
  for (const name of Object.keys(bytes) as Name[]) {
    at[name] = end;
    end += CACHE_LINE * Math.ceil(bytes[name] / CACHE_LINE);
  }
  const initial = Math.ceil(end / PAGE);
  if (initial > MOST_PAGES) throw operationFailed("it has too many facets: reduce their number.");
  return { memory: new WebAssembly.Memory({ initial }), at };
}

let compiled: WebAssembly.Module | undefined;

function kernelOn(memory: WebAssembly.Memory, globals: Readonly<Record<string, number>>): Kernel {
  compiled ??= new WebAssembly.Module(Buffer.from(WASM, "base64"));
  const kernel = new WebAssembly.Instance(compiled, { env: { memory } }).exports as unknown as Kernel;
  for (const [name, value] of Object.entries(globals)) (kernel[name] as WebAssembly.Global<"i32">).value = value;
  return kernel;
}
