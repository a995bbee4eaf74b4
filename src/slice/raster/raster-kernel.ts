import { PAGE_BYTES, kernelInstance, kernelLayout, setGlobals } from "../../wasm/kernel.ts";
import type { Segments } from "../outline-segments.ts";
import { WASM } from "./raster-kernel.wasm.ts";

/** The models of a layer. */
export interface LayerModels {
  /** Number of models, with the boundary. */
  readonly count: number;
  /** The model whose outline clips all others; −1 for none. */
  readonly boundary: number;
}

/** Entry r: the first wanted row at or after row r, r from 0 to the number of rows; the number of rows if there is none. */
export type NextRow = Uint32Array<ArrayBuffer>;

/** {@link NextRow} for the rows for which `isWanted` holds. */
export function nextRows(rows: number, isWanted: (row: number) => boolean): NextRow {
  const nextRow = new Uint32Array(rows + 1).fill(rows);
  for (let row = rows - 1; row >= 0; row--) nextRow[row] = isWanted(row) ? row : nextRow[row + 1];
  return nextRow;
}

/** Rasterises the rows from `from` to before `to` of the layer in the kernel. */
type RowsRasteriser = (from: number, to: number) => void;

/** The exports of `raster-kernel.as.ts`. */
interface Exports extends Readonly<
  Record<
    | "segmentCount"
    | "models"
    | "boundary"
    | "pieceCount"
    | "maxRowPieces"
    | "maxRuns"
    | "firstRow"
    | "endRow"
    | "leastGrey"
    | "area",
    WebAssembly.Global<"i32" | "f64">
  >
> {
  measure(): void;
  cutIntoRows(): void;
  resetWinding(): void;
  beginArea(): void;
  beginSpans(): void;
  endSpans(): void;
  readonly greyRows: RowsRasteriser;
  readonly thresholdRows: RowsRasteriser;
  readonly touchedRows: RowsRasteriser;
}

/** Numbers of items for which the memory of a kernel has room. */
interface Capacity {
  segments: number;
  models: number;
  pieces: number;
  /** Pieces of one row. */
  rowPieces: number;
  /** Runs or spans of pixels. */
  runs: number;
}

const FIRST_CAPACITY: Readonly<Capacity> = { segments: 4096, models: 16, pieces: 8192, rowPieces: 64, runs: 4096 };

/** Room for more than a layer needs, because the next one may need more. The runs are an upper bound already. */
const GROWTH = 1.5;

/** A memory of more than this does not outlive the layers of one size. */
const MOST_KEPT_BYTES = 32 * 2 ** 20;

const ROWS_PER_POLL = 64;

/** The spans of a layer, in the memory of the kernel. The arrays may be longer than their content. */
export interface KernelSpans {
  readonly rowStarts: Uint32Array;
  readonly starts: Uint16Array;
  readonly ends: Uint16Array;
  /** Only of grey runs. */
  readonly values: Uint8Array;
}

/**
 * Rasterises layers of `width` × `height` pixels, with its own memory. The loops over segments, pieces and pixels are a kernel in
 * AssemblyScript (`raster-kernel.as.ts`), whose machine code all threads share.
 */
export class RasterKernel {
  #width: number;
  #height: number;
  #capacity: Readonly<Capacity> = FIRST_CAPACITY;
  #loaded: LoadedKernel;
  #views: ReturnType<typeof viewsOf>;
  /** The rows that the kernel has: all if undefined. */
  #nextRow: NextRow | undefined;

  constructor(width: number, height: number) {
    [this.#width, this.#height] = [width, height];
    this.#loaded = newKernel(width, height, this.#capacity);
    this.#views = viewsOf(this.#loaded, width, height, this.#capacity);
    this.#writeRows(undefined);
  }

  /** Sets the size of the next layers. They get the same memory, because to allocate one takes longer than to rasterise a layer. */
  resize(width: number, height: number): void {
    if (width === this.#width && height === this.#height) return;
    [this.#width, this.#height] = [width, height];
    this.#nextRow = undefined;
    if (this.#loaded.memory.buffer.byteLength > MOST_KEPT_BYTES) {
      this.#capacity = FIRST_CAPACITY;
      this.#loaded = newKernel(width, height, this.#capacity);
    }
    this.#layOut();
  }

  /** The covered area of the last layer of grey runs, pixels. */
  get area(): number {
    return this.#loaded.exports.area.value;
  }

  /**
   * Rasterises a layer: to the coverage of its pixels, or to spans of the pixels with at least the coverage `leastGrey`, of 255, or of those
   * that the layer touches. The next layer overwrites the result. `poll` is called every few rows and may throw to cancel. If `nextRow` is
   * given, the rows that it leaves out are empty.
   */
  rasterise(
    mode: "greyRows" | "thresholdRows" | "touchedRows",
    segments: Segments,
    models: LayerModels,
    poll: () => void,
    nextRow?: NextRow,
    leastGrey = 0,
  ): KernelSpans {
    this.#load(segments, models, nextRow);
    const { exports } = this.#loaded;
    exports.leastGrey.value = leastGrey;
    const end = exports.endRow.value;
    for (let from = exports.firstRow.value; from < end; from += ROWS_PER_POLL) {
      poll();
      exports[mode](from, Math.min(end, from + ROWS_PER_POLL));
    }
    exports.endSpans();
    this.#renewViews();
    return this.#views;
  }

  #load(segments: Segments, models: LayerModels, nextRow: NextRow | undefined): void {
    this.#reserve({ segments: segments.count, models: models.count });
    this.#write(segments, models, nextRow);
    const { pieceCount, maxRowPieces, maxRuns } = this.#loaded.exports;
    const needed = { pieces: pieceCount.value, rowPieces: maxRowPieces.value, runs: maxRuns.value };
    if (this.#reserve(needed)) this.#write(segments, models, nextRow);
    const { exports } = this.#loaded;
    exports.cutIntoRows();
    exports.resetWinding();
    exports.beginArea();
    exports.beginSpans();
  }

  #write({ count, ends, models: modelOf }: Segments, models: LayerModels, nextRow: NextRow | undefined): void {
    this.#renewViews();
    this.#views.segmentEnds.set(ends.subarray(0, 4 * count));
    this.#views.segmentModels.set(modelOf.subarray(0, count));
    if (nextRow !== this.#nextRow) this.#writeRows(nextRow);
    const { exports } = this.#loaded;
    exports.segmentCount.value = count;
    exports.models.value = models.count;
    exports.boundary.value = models.boundary;
    exports.measure();
  }

  #writeRows(nextRow: NextRow | undefined): void {
    this.#views.nextRow.set(nextRow ?? nextRows(this.#height, () => true));
    this.#nextRow = nextRow;
  }

  /** Makes more room in memory if it has too little. Returns whether it did. */
  #reserve(needed: Partial<Capacity>): boolean {
    const capacity = { ...this.#capacity };
    let grows = false;
    for (const name of Object.keys(needed) as (keyof Capacity)[]) {
      const count = needed[name]!;
      if (count <= capacity[name]) continue;
      capacity[name] = Math.ceil(GROWTH * count);
      grows = true;
    }
    if (!grows) return false;
    this.#capacity = capacity;
    this.#layOut();
    return true;
  }

  /** Lays out the arrays for the present size and capacity. */
  #layOut(): void {
    const { memory, exports } = this.#loaded;
    const { offsets, pages } = layoutOf(this.#width, this.#height, this.#capacity);
    const missing = pages - memory.buffer.byteLength / PAGE_BYTES;
    if (missing > 0) memory.grow(missing);
    setGlobals(exports, { columns: this.#width, rows: this.#height, ...offsets });
    this.#loaded = { memory, offsets, exports };
    this.#views = viewsOf(this.#loaded, this.#width, this.#height, this.#capacity);
    // The only array that a layer expects to be zero, and leaves so.
    this.#views.cover.fill(0);
    this.#writeRows(this.#nextRow);
  }

  /** The kernel grows its memory for crossings, which ends the views of it. */
  #renewViews(): void {
    if (this.#views.segmentEnds.buffer === this.#loaded.memory.buffer) return;
    this.#views = viewsOf(this.#loaded, this.#width, this.#height, this.#capacity);
  }
}

interface LoadedKernel {
  readonly memory: WebAssembly.Memory;
  readonly offsets: Readonly<Record<keyof ReturnType<typeof arraySizes>, number>>;
  readonly exports: Exports;
}

function newKernel(columns: number, rows: number, capacity: Capacity): LoadedKernel {
  const { offsets, pages } = layoutOf(columns, rows, capacity);
  const memory = new WebAssembly.Memory({ initial: pages });
  const globals = { columns, rows, ...offsets };
  return { memory, offsets, exports: kernelInstance<Exports>({ name: "raster-kernel", wasm: WASM }, memory, globals) };
}

const layoutOf = (columns: number, rows: number, capacity: Capacity) =>
  kernelLayout(arraySizes(columns, rows, capacity), "A layer has too many outlines: use simpler models.");

const viewsOf = (
  { memory: { buffer }, offsets }: LoadedKernel,
  columns: number,
  rows: number,
  { segments, runs }: Capacity,
) => ({
  segmentEnds: new Float64Array(buffer, offsets.segmentEnds, 4 * segments),
  segmentModels: new Uint32Array(buffer, offsets.segmentModels, segments),
  nextRow: new Uint32Array(buffer, offsets.nextRow, rows + 1),
  cover: new Float64Array(buffer, offsets.cover, columns + 2),
  rowStarts: new Uint32Array(buffer, offsets.rowStarts, rows + 1),
  starts: new Uint16Array(buffer, offsets.spanStarts, runs),
  ends: new Uint16Array(buffer, offsets.spanEnds, runs),
  values: new Uint8Array(buffer, offsets.spanValues, runs),
});

/** Bytes of a piece, as in `row-pieces.as.ts`. */
const PIECE_BYTES = 40;
const FIRST_CROSSINGS = 64;

/** Bytes of each array in memory; the names are those of the kernel's globals. */
const arraySizes = (columns: number, rows: number, { segments, models, pieces, rowPieces, runs }: Capacity) => ({
  segmentEnds: 32 * segments,
  segmentModels: 4 * segments,
  nextRow: 4 * (rows + 1),
  rowStartPieces: 4 * (rows + 1),
  pieces: PIECE_BYTES * pieces,
  members: 4 * rowPieces,
  lefts: 8 * rowPieces,
  sortScratch: 2 * 16 * rowPieces,
  turns: 4 * models,
  cover: 8 * (columns + 2),
  ends: 2 * 8 * rowPieces,
  topCrossings: 4 * rowPieces,
  topCrossingXs: 8 * rowPieces,
  active: 4 * rowPieces,
  borders: 4 * rowPieces,
  borderSigns: 8 * rowPieces,
  rowStarts: 4 * (rows + 1),
  spanStarts: 2 * runs,
  spanEnds: 2 * runs,
  spanValues: runs,
  // Last, because the kernel lets it grow.
  crossings: 8 * FIRST_CROSSINGS,
});
