import { type Segments, newSegments, reserveSegments } from "./outline-segments.ts";
import { type KernelSpans, type LayerModels, type NextRow, RasterKernel, nextRows } from "./raster/raster-kernel.ts";
import type { LayerRuns } from "./raster/rasterise-layer.ts";
import { type WrittenRuns, addRow, newWrittenRuns } from "./written-runs.ts";

/** The outlines of a layer. */
export interface MixedLayer {
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
  readonly #width: number;
  readonly #height: number;
  readonly #partKernel: RasterKernel;
  readonly #supportKernel: RasterKernel;
  readonly #parts = newSegments();
  readonly #supports = newSegments();
  readonly #written: WrittenRuns;

  constructor(width: number, height: number) {
    [this.#width, this.#height] = [width, height];
    [this.#partKernel, this.#supportKernel] = [new RasterKernel(width, height), new RasterKernel(width, height)];
    this.#written = newWrittenRuns(height);
  }

  /** The layer, of which `runs` has the coverages of parts and supports together. Overwritten by the next layer. */
  draw(runs: LayerRuns, layer: MixedLayer, poll: () => void): LayerRuns {
    const { segments, models, isSupport } = layer;
    const rows = this.#touched(layer);
    if (rows === undefined) return runs;
    copyWhere(segments, this.#parts, (model) => isSupport[model] !== 1);
    const parts = this.#partKernel.rasterise("greyRows", this.#parts, models, poll, rows);
    return this.#whiten(runs, parts, rows, layer, poll);
  }

  /** The coverages of parts alone. Overwritten by the next layer. */
  parts({ segments, models, isSupport }: MixedLayer, poll: () => void): LayerRuns {
    copyWhere(segments, this.#parts, (model) => isSupport[model] !== 1);
    const spans = this.#partKernel.rasterise("greyRows", this.#parts, models, poll);
    return { width: this.#width, height: this.#height, ...spans };
  }

  /** The layer, of which `parts` has the greys of parts alone. Overwritten by the next layer. */
  drawOver(parts: LayerRuns, layer: MixedLayer, poll: () => void): LayerRuns {
    const rows = this.#touched(layer);
    return rows === undefined ? parts : this.#whiten(parts, parts, rows, layer, poll);
  }

  /** The rows that outlines of supports touch; undefined if there is none. */
  #touched({ segments, isSupport }: MixedLayer): NextRow | undefined {
    const touched = touchedRows(segments, isSupport, this.#height);
    return touched && nextRows(this.#height, (row) => touched[row] === 1);
  }

  /** Adds white where supports cover half of a pixel to `parts`, in these rows; the other rows are those of `runs`. */
  #whiten(
    runs: LayerRuns,
    parts: KernelSpans,
    rows: NextRow,
    { segments, models, isSupport }: MixedLayer,
    poll: () => void,
  ): LayerRuns {
    // The boundary clips supports, too.
    copyWhere(segments, this.#supports, (model) => isSupport[model] === 1 || model === models.boundary);
    const white = this.#supportKernel.rasterise("thresholdRows", this.#supports, models, poll, rows, LEAST_GREY);
    const written = this.#written;
    written.reserve(runs.rowStarts[this.#height] + parts.rowStarts[this.#height] + 2 * white.rowStarts[this.#height]);
    for (let row = 0; row < this.#height; row++) {
      if (rows[row] === row) addBrighter(written, parts, white, row);
      else addRow(written, runs, row);
      written.endRow(row);
    }
    return { width: runs.width, height: runs.height, ...written.arrays() };
  }
}

/** Copies the segments of models for which `isWanted` holds. */
export function copyWhere({ count, ends, models }: Segments, to: Segments, isWanted: (model: number) => boolean): void {
  to.count = 0;
  reserveSegments(to, count);
  let kept = 0;
  for (let s = 0; s < count; s++) {
    if (!isWanted(models[s])) continue;
    // Not by subarrays, which take ten times as long.
    for (let i = 0; i < 4; i++) to.ends[4 * kept + i] = ends[4 * s + i];
    to.models[kept++] = models[s];
  }
  to.count = kept;
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
