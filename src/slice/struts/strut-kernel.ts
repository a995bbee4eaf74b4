import { ensureCapacity } from "../../core/typed-arrays.ts";
import { kernelInstance, kernelMemory, setGlobals } from "../../wasm/kernel.ts";
import type { LayerRuns } from "../raster/rasterise-layer.ts";
import { WASM } from "./strut-kernel.wasm.ts";

/** Raster to lattice coordinates: the point x pixels across and y pixels down in a layer is origin + x · across + y · down. */
export interface LayerFrame {
  readonly origin: readonly number[];
  readonly across: readonly number[];
  readonly down: readonly number[];
}

/** Struts as the kernel takes them: {@link NUMBERS_PER_STRUT} numbers each, and their caps. */
export interface StrutBatch {
  /** Both ends in lattice coordinates, and their radii. A ball has the first end, and the first radius. */
  readonly numbers: Float64Array;
  readonly caps: Uint8Array;
}

export const NUMBERS_PER_STRUT = 8;
/** Most struts of a call. */
export const BATCH_STRUTS = 4096;
const ROWS_PER_CALL = 32;

export interface StrutLayer {
  /** The runs with the struts. Overwritten by the layer after the next. */
  readonly runs: LayerRuns;
  /** Coverage that the struts have added, in pixels, of the grey values. */
  readonly addedPixels: number;
}

/** The exports of `strut-kernel.as.ts`. */
interface Exports {
  readonly gain: WebAssembly.Global<"f64">;
  prepareValues(): void;
  beginSections(): void;
  addStruts(count: number): void;
  addBalls(count: number): void;
  beginRows(): void;
  drawRows(from: number, to: number): void;
}

/**
 * Draws layers of struts and balls of `width` × `height` pixels by closed forms. The section of a strut in a layer is convex; in each border
 * of a pixel row it is an interval, the root of a quadratic equation, and between two borders a trapezoid, whose area in each pixel is exact.
 * A pixel that one strut covers whole is white; one that several cover in part has the value as if their sides crossed it independently, or the
 * largest value if all are the same, as on the balls of struts that meet. So the result depends on no order. The loops are a
 * kernel in AssemblyScript (`strut-kernel.as.ts`).
 */
export class StrutKernel {
  readonly #width: number;
  readonly #height: number;
  readonly #exports: Exports;
  readonly #memory: WebAssembly.Memory;
  readonly #offsets: Readonly<Record<keyof ReturnType<typeof arraySizes>, number>>;
  readonly #runRoom: number;
  /** The runs of a layer, and those of the one before, which may be its base. */
  #runs: WrittenRuns;
  #otherRuns: WrittenRuns;

  constructor(width: number, height: number) {
    [this.#width, this.#height] = [width, height];
    this.#runRoom = ROWS_PER_CALL * width;
    const { memory, offsets } = kernelMemory(arraySizes(width, height, this.#runRoom), "The layers are too large.");
    [this.#memory, this.#offsets] = [memory, offsets];
    const globals = { columns: width, rows: height, runRoom: this.#runRoom, ...offsets };
    this.#exports = kernelInstance<Exports>({ name: "strut-kernel", wasm: WASM }, memory, globals);
    this.#exports.prepareValues();
    [this.#runs, this.#otherRuns] = [newRuns(height), newRuns(height)];
  }

  beginLayer(): void {
    this.#exports.beginSections();
  }

  /** Sets the frame of the struts and balls that are added next. */
  setFrame({ origin: [ox, oy, oz], across: [ex, ey, ez], down: [fx, fy, fz] }: LayerFrame): void {
    setGlobals(this.#exports, { ox, oy, oz, ex, ey, ez, fx, fy, fz });
  }

  /** Where the next {@link BATCH_STRUTS} struts or balls are written, before {@link addStruts} or {@link addBalls}. */
  batch(): StrutBatch {
    const { buffer } = this.#memory;
    return {
      numbers: new Float64Array(buffer, this.#offsets.struts, NUMBERS_PER_STRUT * BATCH_STRUTS),
      caps: new Uint8Array(buffer, this.#offsets.caps, BATCH_STRUTS),
    };
  }

  /** Adds the first `count` struts of the {@link batch}, which must be got again before the next. */
  addStruts(count: number): void {
    this.#exports.addStruts(count);
  }

  addBalls(count: number): void {
    this.#exports.addBalls(count);
  }

  /**
   * Draws all that was added since {@link beginLayer}, united with `base`: each pixel has the larger value. `clip`: pixels have at most the values of
   * these runs before that. `poll` is called every few rows and may throw to cancel.
   */
  draw(base: LayerRuns, clip: LayerRuns | undefined, poll: () => void): StrutLayer {
    const height = this.#height;
    setGlobals(this.#exports, { isClipped: clip ? 1 : 0 });
    this.#exports.beginRows();
    [this.#runs, this.#otherRuns] = [this.#otherRuns, this.#runs];
    let count = 0;
    for (let from = 0; from < height; from += ROWS_PER_CALL) {
      poll();
      const to = Math.min(height, from + ROWS_PER_CALL);
      this.#load("base", base, from, to);
      if (clip) this.#load("clip", clip, from, to);
      this.#exports.drawRows(from, to);
      count = this.#take(from, to, count);
    }
    return { runs: { width: this.#width, height, ...this.#runs }, addedPixels: this.#exports.gain.value / 255 };
  }

  #load(list: "base" | "clip", { rowStarts, starts, ends, values }: LayerRuns, from: number, to: number): void {
    const first = rowStarts[from];
    const views = this.#views(list);
    for (let row = from; row <= to; row++) views.rowStarts[row - from] = rowStarts[row] - first;
    views.starts.set(starts.subarray(first, rowStarts[to]));
    views.ends.set(ends.subarray(first, rowStarts[to]));
    views.values.set(values.subarray(first, rowStarts[to]));
  }

  /** Appends the drawn runs to those of the rows before, and returns the number of all. */
  #take(from: number, to: number, before: number): number {
    const { rowStarts, starts, ends, values } = this.#views("drawn");
    const more = rowStarts[to - from];
    const runs = this.#runs;
    runs.starts = ensureCapacity(runs.starts, before + more);
    runs.ends = ensureCapacity(runs.ends, before + more);
    runs.values = ensureCapacity(runs.values, before + more);
    runs.starts.set(starts.subarray(0, more), before);
    runs.ends.set(ends.subarray(0, more), before);
    runs.values.set(values.subarray(0, more), before);
    for (let row = from; row <= to; row++) runs.rowStarts[row] = before + rowStarts[row - from];
    return before + more;
  }

  #views(list: "base" | "clip" | "drawn") {
    const { buffer } = this.#memory;
    const at = this.#offsets[list];
    const room = this.#runRoom;
    return {
      rowStarts: new Uint32Array(buffer, this.#offsets[`${list}Starts`], ROWS_PER_CALL + 1),
      starts: new Uint16Array(buffer, at, room),
      ends: new Uint16Array(buffer, at + 2 * room, room),
      values: new Uint8Array(buffer, at + 4 * room, room),
    };
  }
}

interface WrittenRuns {
  readonly rowStarts: Uint32Array<ArrayBuffer>;
  starts: Uint16Array<ArrayBuffer>;
  ends: Uint16Array<ArrayBuffer>;
  values: Uint8Array<ArrayBuffer>;
}

const newRuns = (height: number): WrittenRuns => ({
  rowStarts: new Uint32Array(height + 1),
  starts: new Uint16Array(0),
  ends: new Uint16Array(0),
  values: new Uint8Array(0),
});

/** Bytes of a run in a list of `row-coverage.as.ts`. */
const RUN_BYTES = 5;

/** Bytes of each array in memory; the names are those of the kernel's globals. */
const arraySizes = (columns: number, rows: number, runRoom: number) => ({
  struts: 8 * NUMBERS_PER_STRUT * BATCH_STRUTS,
  caps: BATCH_STRUTS,
  firstInRow: 4 * rows,
  cover: 8 * (columns + 2),
  cells: 16 * (columns + 2),
  logs: 2 * 256,
  values: 8192,
  marks: 8 * (((columns + 1) >> 6) + 1),
  baseStarts: 4 * (ROWS_PER_CALL + 1),
  clipStarts: 4 * (ROWS_PER_CALL + 1),
  drawnStarts: 4 * (ROWS_PER_CALL + 1),
  base: RUN_BYTES * runRoom,
  clip: RUN_BYTES * runRoom,
  drawn: RUN_BYTES * runRoom,
  ownRow: RUN_BYTES * runRoom,
  clippedRow: RUN_BYTES * runRoom,
  // Last, because the kernel lets it grow.
  sections: 8,
});
