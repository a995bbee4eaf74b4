import type { SpanLayer } from "../../geometry/spans.ts";
import type { Segments } from "../outline-segments.ts";
import { type LayerModels, type NextRow, RasterKernel } from "./raster-kernel.ts";

/**
 * Finds the pixels, of `width` × `height`, that layers touch: the pixels to which `LayerRasteriser` gives any grey value, except where
 * several slivers share a pixel; or those to which it gives at least a grey value.
 */
export class SpanRasteriser {
  readonly #width: number;
  readonly #height: number;

  constructor(width: number, height: number) {
    [this.#width, this.#height] = [width, height];
  }

  /**
   * Parameters as for `LayerRasteriser`; `minCoverage` is the least grey value, 1 to 255, of a solid pixel: 1 for all pixels that the layer
   * touches. If `nextRow` is given, the rows that it leaves out are empty.
   */
  rasterise(
    segments: Segments,
    models: LayerModels,
    minCoverage: number,
    poll: () => void,
    nextRow?: NextRow,
  ): Omit<SpanLayer, "index"> {
    const mode = minCoverage <= 1 ? "touchedRows" : "thresholdRows";
    const kernel = takeKernel(this.#width, this.#height);
    const { rowStarts, starts, ends } = kernel.rasterise(mode, segments, models, poll, nextRow, minCoverage - 0.5);
    const count = rowStarts[this.#height];
    const spans = { rowStarts: rowStarts.slice(), starts: starts.slice(0, count), ends: ends.slice(0, count) };
    idleKernel = kernel;
    return spans;
  }
}

/** The kernel of this thread; undefined while it is in use, or after it threw in the middle of a layer. */
let idleKernel: RasterKernel | undefined;

function takeKernel(width: number, height: number): RasterKernel {
  const kernel = idleKernel ?? new RasterKernel(width, height);
  idleKernel = undefined;
  kernel.resize(width, height);
  return kernel;
}
