import type { Segments } from "../outline-segments.ts";
import { type LayerModels, RasterKernel } from "./raster-kernel.ts";

/**
 * A run-length encoded 8-bit layer. Row 0 is the top of the image; the runs of row y are those from `rowStarts[y]` to before
 * `rowStarts[y + 1]`, sorted, without overlap; adjacent runs differ in value. Pixels without a run are 0. The arrays may be
 * longer than their content and are overwritten by the next layer.
 */
export interface LayerRuns {
  /** Pixels per row, at most 65,535. */
  readonly width: number;
  readonly height: number;
  /** `height + 1` entries. */
  readonly rowStarts: Uint32Array;
  /** First column of a run. */
  readonly starts: Uint16Array;
  /** The column after the last column of a run. */
  readonly ends: Uint16Array;
  /** 1 to 255. */
  readonly values: Uint8Array;
}

export interface RasterisedLayer {
  /** Overwritten by the next layer. */
  readonly runs: LayerRuns;
  /** Sum of the exact coverages, not of the rounded grey values. */
  readonly areaPixels: number;
}

/**
 * Rasterises layers of `width` × `height` pixels with exact coverage: the value of a pixel is the fraction of it inside the union of
 * the models, 0 to 255 (`grey-runs.as.ts` describes the method).
 */
export class LayerRasteriser {
  readonly #width: number;
  readonly #height: number;
  readonly #kernel: RasterKernel;

  constructor(width: number, height: number) {
    [this.#width, this.#height] = [width, height];
    this.#kernel = new RasterKernel(width, height);
  }

  /** `poll` is called every few rows and may throw to cancel. */
  rasterise(segments: Segments, models: LayerModels, poll: () => void): RasterisedLayer {
    const spans = this.#kernel.rasterise("greyRows", segments, models, poll);
    return {
      runs: { width: this.#width, height: this.#height, ...spans },
      areaPixels: this.#kernel.area,
    };
  }
}
