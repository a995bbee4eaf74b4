import { PAGE_BYTES, kernelInstance, kernelLayout, setGlobals } from "../../wasm/kernel.ts";
import { upperBound } from "../../geometry/binary-search.ts";
import { type Buckets, bucketBy } from "../../geometry/bucket-by.ts";
import type { PixelBox } from "../infill/infill-outlines.ts";
import type { KernelSpans } from "../raster/raster-kernel.ts";
import { WASM } from "./volume-kernel.wasm.ts";

/** Facets of a chunk, sorted by models and bodies. The arrays may be longer than their content. */
export interface VolumeFacets {
  readonly count: number;
  /** Corners from the lowest to the highest, x, y (pixels) and z (mm) of each. */
  readonly corners: Float64Array;
  /** As in `slab-facets.as.ts`; {@link LEFT_OUT} for facets that are not drawn. */
  readonly tags: Uint32Array;
}

export const LEFT_OUT = 0xffff_ffff;

/** The columns of each row, from `starts` to before `ends`, that are wholly inside the volume that clips models. */
export interface ClipColumns {
  readonly starts: Uint16Array;
  readonly ends: Uint16Array;
}

/** The exports of `volume-kernel.as.ts`. */
interface Exports extends Readonly<
  Record<
    | "firstRow"
    | "endRow"
    | "openFirstRow"
    | "openEndRow"
    | "isClipped"
    | "volume"
    | "rowStarts"
    | "spanStarts"
    | "spanEnds"
    | "spanValues",
    WebAssembly.Global<"i32" | "f64">
  >
> {
  startFacets(): void;
  cutSlab(slab: number, bottomMm: number, topMm: number): void;
  markOpen(firstRow: number, endRow: number, firstColumn: number, endColumn: number): void;
  beginVolume(): void;
  volumeRows(from: number, to: number): void;
  endVolume(): void;
}

const ROWS_PER_POLL = 64;

/**
 * Rasterises the layers of a chunk to the exact volume of each pixel inside the models, with its own memory. The loops over facets and
 * pixels are a kernel in AssemblyScript (`volume-kernel.as.ts`), whose machine code all threads share.
 */
export class VolumeKernel {
  readonly #columns: number;
  readonly #rows: number;
  readonly #memory: WebAssembly.Memory;
  readonly #exports: Exports;

  constructor(columns: number, rows: number) {
    [this.#columns, this.#rows] = [columns, rows];
    const { offsets, pages } = layoutOf(columns, rows, 0, 0);
    this.#memory = new WebAssembly.Memory({ initial: pages });
    const kernel = { name: "volume-kernel", wasm: WASM };
    this.#exports = kernelInstance<Exports>(kernel, this.#memory, { columns, rows, ...offsets });
  }

  /** Loads the facets of a chunk, whose layers are divided by `boundariesMm`. */
  load({ count, corners, tags }: VolumeFacets, boundariesMm: Float64Array, clip: ClipColumns | undefined): void {
    const slabs = boundariesMm.length - 1;
    const { offsets, pages } = layoutOf(this.#columns, this.#rows, count, slabs);
    const missing = pages - this.#memory.buffer.byteLength / PAGE_BYTES;
    if (missing > 0) this.#memory.grow(missing);
    setGlobals(this.#exports, { ...offsets, isClipped: clip ? 1 : 0 });
    const { buffer } = this.#memory;
    new Float64Array(buffer, offsets.corners, CORNERS * count).set(corners.subarray(0, CORNERS * count));
    new Uint32Array(buffer, offsets.facetTags, count).set(tags.subarray(0, count));
    if (clip) {
      new Uint16Array(buffer, offsets.clipStarts, this.#rows).set(clip.starts);
      new Uint16Array(buffer, offsets.clipEnds, this.#rows).set(clip.ends);
    }
    const { starts, items } = facetsBySlabs({ count, corners, tags }, boundariesMm);
    new Uint32Array(buffer, offsets.slabFirsts, slabs + 2).set(starts);
    new Uint32Array(buffer, offsets.facetOrder, count).set(items);
    this.#exports.startFacets();
  }

  /** The volume of the last layer in pixels, without those of unknown volume. */
  get volumePixels(): number {
    return this.#exports.volume.value;
  }

  /**
   * Rasterises a layer of the loaded chunk, which `boundariesMm` divide; layers ascend. Runs of the value 0 are pixels whose volume the kernel does not tell: those that
   * several bodies share, that the clipping volume divides, those of solids with gaps, and those of `unknown`. The next layer overwrites the result. `poll` is
   * called every few rows and may throw to cancel.
   */
  rasterise(slab: number, boundariesMm: Float64Array, unknown: readonly PixelBox[], poll: () => void): KernelSpans {
    const exports = this.#exports;
    exports.cutSlab(slab, boundariesMm[slab], boundariesMm[slab + 1]);
    for (const { firstRow, endRow, firstColumn, endColumn } of unknown) {
      exports.markOpen(firstRow, endRow, firstColumn, endColumn);
    }
    exports.beginVolume();
    const first = Math.min(exports.firstRow.value, exports.openFirstRow.value);
    const end = Math.max(exports.endRow.value, exports.openEndRow.value);
    for (let from = first; from < end; from += ROWS_PER_POLL) {
      poll();
      exports.volumeRows(from, Math.min(end, from + ROWS_PER_POLL));
    }
    exports.endVolume();
    const { buffer } = this.#memory;
    const rowStarts = new Uint32Array(buffer, exports.rowStarts.value, this.#rows + 1);
    const count = rowStarts[this.#rows];
    return {
      rowStarts,
      starts: new Uint16Array(buffer, exports.spanStarts.value, count),
      ends: new Uint16Array(buffer, exports.spanEnds.value, count),
      values: new Uint8Array(buffer, exports.spanValues.value, count),
    };
  }
}

/** Numbers of a facet's record. */
const CORNERS = 9;

/**
 * Facets by the first slab that they meet; those above all slabs are in a bucket of their own. Those below are left out, and horizontal
 * ones, which have no area in y and z.
 */
function facetsBySlabs({ count, corners, tags }: VolumeFacets, boundariesMm: Float64Array): Buckets {
  const slabOf = new Int32Array(count);
  for (let facet = 0; facet < count; facet++) {
    const lowMm = corners[CORNERS * facet + 2];
    const highMm = corners[CORNERS * facet + 8];
    const isDrawn = tags[facet] !== LEFT_OUT && highMm > lowMm && highMm > boundariesMm[0];
    slabOf[facet] = isDrawn ? Math.max(0, upperBound(boundariesMm, lowMm) - 1) : -1;
  }
  return bucketBy(slabOf, boundariesMm.length);
}

const layoutOf = (columns: number, rows: number, facets: number, slabs: number) =>
  kernelLayout(arraySizes(columns, rows, facets, slabs), "A layer has too many facets: use simpler models.");

/** Bytes of each array in memory; the names are those of the kernel's globals. */
function arraySizes(columns: number, rows: number, facets: number, slabs: number) {
  const wordBytes = 8 * (Math.floor((columns + 1) / 64) + 1);
  return {
    rowHeads: 4 * rows,
    rowTails: 4 * rows,
    sharedCover: 8 * (columns + 2),
    ownCover: 8 * (columns + 2),
    sharedBits: wordBytes,
    ownBits: wordBytes,
    fractionBits: wordBytes,
    mixedBits: wordBytes,
    rowStarts: 4 * (rows + 1),
    clipStarts: 2 * rows,
    clipEnds: 2 * rows,
    corners: 8 * CORNERS * facets,
    facetTags: 4 * facets,
    facetOrder: 4 * facets,
    slabFirsts: 4 * (slabs + 2),
    activeFacets: 4 * facets,
    nextActiveFacets: 4 * facets,
    // Last, because the kernel lets it grow.
    slabPieces: 0,
  };
}
