import { ensureCapacity } from "../../core/typed-arrays.ts";
import type { Segments } from "../outline-segments.ts";
import { type KernelSpans, type LayerModels, type NextRow, RasterKernel, nextRows } from "../raster/raster-kernel.ts";
import type { LayerRuns } from "../raster/rasterise-layer.ts";

/**
 * Number of planes at which pixels are drawn whose volume is no sum over facets. The error is up to 1/16 of white where a face is flat, and
 * a grey step on most.
 */
export const PLANES = 8;

/** Pixels of a row, from `from` to before `to`. */
interface UnknownRun {
  readonly row: number;
  /** Its index in the layer. */
  readonly run: number;
  readonly from: number;
  readonly to: number;
}

/** Means of planes for the pixels of layers that have runs of the value 0 (`VolumeKernel`). */
export class PlaneMeans {
  readonly #width: number;
  readonly #height: number;
  readonly #kernel: RasterKernel;
  readonly #filled: {
    rowStarts: Uint32Array;
    starts: Uint16Array<ArrayBuffer>;
    ends: Uint16Array<ArrayBuffer>;
    values: Uint8Array<ArrayBuffer>;
  };
  #unknown: readonly UnknownRun[] = [];
  #pixels = 0;
  #rows: NextRow = new Uint32Array();
  /** Sums of greys of the unknown pixels, each minus that of the pixel before it, and one entry more for each of their runs. */
  #changes = new Int16Array();

  constructor(width: number, height: number) {
    [this.#width, this.#height] = [width, height];
    this.#kernel = new RasterKernel(width, height);
    const [starts, ends, values] = [new Uint16Array(), new Uint16Array(), new Uint8Array()];
    this.#filled = { rowStarts: new Uint32Array(height + 1), starts, ends, values };
  }

  /** Begins a layer. Returns whether it has unknown pixels. */
  begin(runs: KernelSpans): boolean {
    const { rowStarts, starts, ends, values } = runs;
    if (!values.subarray(0, rowStarts[this.#height]).includes(0)) return false;
    const unknown: UnknownRun[] = [];
    let pixels = 0;
    for (let row = 0; row < this.#height; row++) {
      for (let run = rowStarts[row]; run < rowStarts[row + 1]; run++) {
        if (values[run] > 0) continue;
        unknown.push({ row, run, from: starts[run], to: ends[run] });
        pixels += ends[run] - starts[run] + 1;
      }
    }
    const isUnknown = new Uint8Array(this.#height);
    for (const { row } of unknown) isUnknown[row] = 1;
    this.#unknown = unknown;
    this.#rows = nextRows(this.#height, (row) => isUnknown[row] === 1);
    if (pixels > this.#changes.length) this.#changes = new Int16Array(2 * pixels);
    else this.#changes.fill(0, 0, pixels);
    this.#pixels = pixels;
    return true;
  }

  /** Adds the greys of a plane, of which there must be {@link PLANES}. */
  add(segments: Segments, models: LayerModels, poll: () => void): void {
    const plane = this.#kernel.rasterise("greyRows", segments, models, poll, this.#rows);
    const changes = this.#changes;
    let at = 0;
    for (const { row, from, to } of this.#unknown) {
      for (let run = plane.rowStarts[row]; run < plane.rowStarts[row + 1] && plane.starts[run] < to; run++) {
        const [start, end] = [Math.max(from, plane.starts[run]), Math.min(to, plane.ends[run])];
        if (start >= end) continue;
        changes[at + start - from] += plane.values[run];
        changes[at + end - from] -= plane.values[run];
      }
      at += to - from + 1;
    }
  }

  /**
   * The layer, with means for unknown pixels if it has any. A run of means may have the value of its neighbour. Overwritten by the next layer.
   */
  filled(runs: KernelSpans, hasUnknown: boolean): LayerRuns {
    const size = { width: this.#width, height: this.#height };
    if (!hasUnknown) return { ...size, ...runs };
    const filled = this.#filled;
    const most = runs.rowStarts[this.#height] + this.#pixels;
    for (const name of ["starts", "ends"] as const) filled[name] = ensureCapacity(filled[name], most);
    filled.values = ensureCapacity(filled.values, most);
    const { rowStarts, starts, ends, values } = filled;
    let [count, done, nextRow, at] = [0, 0, 0, 0];
    /** Copies the runs before `end`; rows up to `row` start among them. */
    const copyBefore = (end: number, row: number): void => {
      for (; nextRow <= row; nextRow++) rowStarts[nextRow] = runs.rowStarts[nextRow] + count - done;
      starts.set(runs.starts.subarray(done, end), count);
      ends.set(runs.ends.subarray(done, end), count);
      values.set(runs.values.subarray(done, end), count);
      count += end - done;
      done = end;
    };
    for (const { row, run, from, to } of this.#unknown) {
      copyBefore(run, row);
      done++;
      let sum = this.#changes[at++];
      let start = from;
      for (let pixel = from + 1; pixel <= to; pixel++) {
        const change = this.#changes[at++];
        if (change === 0 && pixel < to) continue;
        const grey = Math.round(sum / PLANES);
        if (grey > 0) [starts[count], ends[count], values[count++]] = [start, pixel, grey];
        sum += change;
        start = pixel;
      }
    }
    copyBefore(runs.rowStarts[this.#height], this.#height);
    return { ...size, ...filled };
  }
}
