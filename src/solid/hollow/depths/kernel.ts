import { operationFailed } from "../../../core/fault.ts";
import { voxelCount } from "../../../mesh/voxel/grid-size.ts";
import { WASM } from "./depths.wasm.ts";
import type { Seeded } from "./seeded.ts";

/**
 * The kernel is written in AssemblyScript, `depths.as.ts`: two and a half times as fast as the same in TypeScript was, and so
 * from its first call. It exports what it is told, and tells, as globals.
 */
export interface Kernel {
  readonly memory: WebAssembly.Memory;
  /** Where in memory what is, by the names of its files. */
  readonly at: Readonly<Record<keyof ReturnType<typeof bytesOf>, number>>;
  /** Voxels along each side of what `fillRow` works on at once. */
  readonly TILE: WebAssembly.Global<"i32">;
  /** How many blocks were put down. */
  readonly blockCount: WebAssembly.Global<"i32">;
  readonly unsureCount: WebAssembly.Global<"i32">;
  readonly ridgeCount: WebAssembly.Global<"i32">;
  /** The distance from any place of the seeded lattice to the nearest facet, in its voxels; Infinity where no voxel beside it knows a seed. */
  nearestTo(x: number, y: number, z: number): number;
  /**
   * Fills the coarse depths of a row of tiles in, of layers up to `to`: exact ones with their directions where the nearest seed is
   * farther than `exactFrom` and nearer than `limit`. Others are as deep as the nearest seed is far, or `limit` where there is
   * none, and 0 outside.
   */
  fillRow(y: number, z: number, to: number, exactFrom: number, limit: number): void;
  /** Fills the values of the fine grid's layers z and z + 1 in. */
  interpolateLayer(z: number): void;
  /** Makes those of the unsure blocks `from` up to `to` exact that must be. */
  sharpen(from: number, to: number): void;
  /** Makes all values positive. */
  settle(): void;
}

/** The grid of twice as many voxels, and the levels in it, in its voxels: all of `fine-grid.as.ts`. */
export interface FineGrid {
  readonly fineColumns: number;
  readonly fineRows: number;
  readonly fineLayers: number;
  readonly offsetX: number;
  readonly offsetY: number;
  readonly offsetZ: number;
  readonly wall: number;
  readonly core: number;
  readonly deepest: number;
  readonly blockDiagonal: number;
}

/** Bytes of a facet's record, and of its bounds in a tile, as the kernel has them. */
const RECORD = 64;
const BOUNDS = 64;

let compiled: WebAssembly.Module | undefined;

/** A kernel with all that it is told in its memory. */
export function newKernel(seeded: Seeded, fine: FineGrid): Kernel {
  const { columns, rows, layers, corners } = seeded;
  const { memory, at } = roomFor(bytesOf(seeded, fine));
  const { buffer } = memory;
  new Uint32Array(buffer, at.seeds).set(seeded.seeds);
  new Uint16Array(buffer, at.places).set(seeded.places);
  new Uint32Array(buffer, at.starts).set(seeded.starts);
  new Uint32Array(buffer, at.facets).set(seeded.facets);
  new Uint8Array(buffer, at.isInside).set(seeded.isInside);
  const records = new Float32Array(buffer, at.records);
  for (let from = 0, to = 0; from < corners.length; from += 9, to += RECORD / 4) {
    for (let i = 0; i < 9; i++) records[to + i] = corners[from + i];
  }
  compiled ??= new WebAssembly.Module(Buffer.from(WASM, "base64"));
  const { exports } = new WebAssembly.Instance(compiled, { env: { memory } });
  for (const [name, value] of Object.entries({ columns, rows, layers, ...fine, ...at })) {
    (exports[name] as WebAssembly.Global<"i32" | "f64">).value = value;
  }
  (exports.prepare as (records: number, count: number) => void)(at.records, corners.length / 9);
  return { ...(exports as unknown as Kernel), at };
}

/** How many bytes there must be of what. */
function bytesOf(
  { places, starts, facets, corners, ...coarse }: Seeded,
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
    records: RECORD * facetCount,
    searchOfSeed: (4 * places.length) / 3,
    tileOfSeed: (4 * places.length) / 3,
    tileRecords: 4 * facetCount,
    tileBounds: BOUNDS * facetCount,
    depths: 4 * voxels,
    directions: 6 * voxels,
    values: 4 * fineColumns * fineRows * fineLayers,
    blocks: 4 * blocks,
    unsure: 4 * blocks,
    ridges: 4 * blocks,
  };
}

const PAGE = 65_536;
const MOST_PAGES = 65_536;
const CACHE_LINE = 64;
/** What the compiler puts at the beginning of memory is smaller. */
const RESERVED = 4096;

/** Memory with room for so many bytes of each, zero, and where each begins. */
function roomFor<Name extends string>(
  bytes: Readonly<Record<Name, number>>,
): { readonly memory: WebAssembly.Memory; readonly at: Readonly<Record<Name, number>> } {
  let end = RESERVED;
  const at = {} as Record<Name, number>;
  for (const name of Object.keys(bytes) as Name[]) {
    at[name] = end;
    end += CACHE_LINE * Math.ceil(bytes[name] / CACHE_LINE);
  }
  const initial = Math.ceil(end / PAGE);
  if (initial > MOST_PAGES) throw operationFailed("it has too many facets: reduce their number.");
  return { memory: new WebAssembly.Memory({ initial }), at };
}
