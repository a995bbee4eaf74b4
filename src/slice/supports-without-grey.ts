import { ensureCapacity } from "../core/typed-arrays.ts";
import { type Segments, newSegments, reserveSegments } from "./outline-segments.ts";
import { type KernelSpans, type LayerModels, RasterKernel, nextRows } from "./raster-kernel.ts";
import type { LayerRuns } from "./rasterise-layer.ts";

/** The outlines of a layer. */
interface MixedLayer {
  readonly segments: Segments;
  readonly models: LayerModels;
  /** 1 for models that are supports. */
  readonly isSupport: Uint32Array;
}

/** Pixels of which supports cover at least half are white: 128 of 255. */
const LEAST_GREY = 127.5;
const WHITE = 255;

/**
 * Draws layers in which supports have no grey: each pixel has the coverage of the parts, or white where supports cover half of it. Their rims
 * would otherwise get too little light, which weakens the tips. Only rows that supports touch are drawn again.
 */
export class SupportsWithoutGrey {
  readonly #height: number;
  readonly #partKernel: RasterKernel;
  readonly #supportKernel: RasterKernel;
  readonly #parts = newSegments();
  readonly #supports = newSegments();
  readonly #written: WrittenRuns;

  constructor(width: number, height: number) {
    this.#height = height;
    [this.#partKernel, this.#supportKernel] = [new RasterKernel(width, height), new RasterKernel(width, height)];
    this.#written = newWrittenRuns(height);
  }

  /** The layer, of which `runs` has the coverages of parts and supports together. Overwritten by the next layer. */
  draw(runs: LayerRuns, { segments, models, isSupport }: MixedLayer, poll: () => void): LayerRuns {
    const [parts, supports] = [this.#parts, this.#supports];
    // The boundary clips both.
    copyWhere(segments, parts, (model) => isSupport[model] !== 1);
    copyWhere(segments, supports, (model) => isSupport[model] === 1 || model === models.boundary);
    const isTouched = touchedRows(segments, isSupport, this.#height);
    if (isTouched === undefined) return runs;
    const rows = nextRows(this.#height, (row) => isTouched[row] === 1);
    const grey = this.#partKernel.rasterise("greyRows", parts, models, poll, rows);
    const white = this.#supportKernel.rasterise("thresholdRows", supports, models, poll, rows, LEAST_GREY);
    const written = this.#written;
    written.reserve(runs.rowStarts[this.#height] + grey.rowStarts[this.#height] + 2 * white.rowStarts[this.#height]);
    for (let row = 0; row < this.#height; row++) {
      if (isTouched[row] === 1) addBrighter(written, grey, white, row);
      else addRow(written, runs, row);
      written.endRow(row);
    }
    return { width: runs.width, height: runs.height, ...written.arrays() };
  }
}

function copyWhere({ count, ends, models }: Segments, to: Segments, isWanted: (model: number) => boolean): void {
  to.count = 0;
  reserveSegments(to, count);
  for (let s = 0; s < count; s++) {
    if (!isWanted(models[s])) continue;
    to.ends.set(ends.subarray(4 * s, 4 * s + 4), 4 * to.count);
    to.models[to.count++] = models[s];
  }
}

/** 1 for rows that outlines of supports touch; undefined if there is none. */
function touchedRows(
  { count, ends, models }: Segments,
  isSupport: Uint32Array,
  height: number,
): Uint8Array | undefined {
  const touched = new Uint8Array(height);
  let isAny = false;
  for (let s = 0; s < count; s++) {
    if (isSupport[models[s]] !== 1) continue;
    const [one, other] = [ends[4 * s + 1], ends[4 * s + 3]];
    const first = Math.max(0, Math.floor(Math.min(one, other)));
    const last = Math.min(height - 1, Math.floor(Math.max(one, other)));
    if (first > last) continue;
    touched.fill(1, first, last + 1);
    isAny = true;
  }
  return isAny ? touched : undefined;
}

type WrittenRuns = ReturnType<typeof newWrittenRuns>;

/** Runs that are written from left to right, row by row; equal neighbours become one. */
function newWrittenRuns(height: number) {
  const rowStarts = new Uint32Array(height + 1);
  let [starts, ends] = [new Uint16Array(), new Uint16Array()];
  let values = new Uint8Array();
  let [count, rowStart] = [0, 0];
  return {
    /** Begins a layer of at most so many runs. */
    reserve(runs: number): void {
      [count, rowStart] = [0, 0];
      [starts, ends] = [ensureCapacity(starts, runs), ensureCapacity(ends, runs)];
      values = ensureCapacity(values, runs);
    },
    add(start: number, end: number, value: number): void {
      const joins = count > rowStart && ends[count - 1] === start && values[count - 1] === value;
      if (!joins) [starts[count], values[count++]] = [start, value];
      ends[count - 1] = end;
    },
    endRow(row: number): void {
      rowStart = rowStarts[row + 1] = count;
    },
    arrays: () => ({ rowStarts, starts, ends, values }),
  };
}

function addRow(written: WrittenRuns, { rowStarts, starts, ends, values }: LayerRuns, row: number): void {
  for (let run = rowStarts[row]; run < rowStarts[row + 1]; run++) written.add(starts[run], ends[run], values[run]);
}

/** Adds the pixels of a row: white in the spans, and elsewhere as the runs have them. */
function addBrighter(written: WrittenRuns, grey: KernelSpans, white: KernelSpans, row: number): void {
  let [run, span, at] = [grey.rowStarts[row], white.rowStarts[row], 0];
  const [runsEnd, spansEnd] = [grey.rowStarts[row + 1], white.rowStarts[row + 1]];
  for (;;) {
    while (run < runsEnd && grey.ends[run] <= at) run++;
    const from = run < runsEnd ? Math.max(at, grey.starts[run]) : Infinity;
    const spanFrom = span < spansEnd ? white.starts[span] : Infinity;
    if (from === Infinity && spanFrom === Infinity) return;
    if (spanFrom <= from) {
      at = white.ends[span++];
      written.add(spanFrom, at, WHITE);
    } else {
      at = Math.min(grey.ends[run], spanFrom);
      written.add(from, at, grey.values[run]);
    }
  }
}
