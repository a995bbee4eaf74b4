import type { Progress } from "../../core/progress.ts";
import { type Panel, fittedRuns } from "../../job/fit/fitted-runs.ts";
import { type Turn, turnedRuns } from "../../job/fit/turned-runs.ts";
import { litLayer } from "../../job/inspect/lit-spans.ts";
import type { JobFormat } from "../../job/job-writers.ts";
import { LAYER_ENCODERS } from "../../job/layer-encoders.ts";
import { newLayerGrader } from "../../job/layer-greys.ts";
import { newRegrader } from "../../job/regraded-layer.ts";
import type { GreyChange } from "./grey-change.ts";
import { withJobFile } from "./read-job.ts";

/** How the pictures of a job become those of another machine. */
export interface PictureChange {
  readonly turn: Turn;
  /** The panel of the job after the turn. */
  readonly from: Panel;
  readonly to: Panel;
  readonly format: JobFormat;
  readonly greyChange?: GreyChange | undefined;
}

export interface LayersToConvert extends PictureChange {
  readonly file: string;
  /** Number of layers of the whole job. */
  readonly layerCount: number;
  readonly first: number;
  readonly end: number;
  /** Whether the light of the layers is summed: not where the file states its resin. */
  readonly sumsLight: boolean;
}

export interface ConvertedLayers {
  readonly first: number;
  /** Layers in the form for the job's writer. */
  readonly encoded: readonly unknown[];
  /** Sum of the coverages of the pixels of each layer in the file, 0 to 255 each; empty if they are not summed. */
  readonly valueSums: readonly number[];
  /** The lowest layer of which the panel would cut light, and its pixels that would be cut. */
  readonly cut?: { readonly layer: number; readonly pixels: number };
}

const [toCoverages, toGreys] = [newRegrader(), newLayerGrader()];

/** Decodes a chunk of layers and encodes them for another machine; stops at a layer that the panel would cut. */
export const convertLayers = (request: LayersToConvert, progress: Progress): Promise<ConvertedLayers> =>
  withJobFile(request.file, request.layerCount, async (job) => {
    const { first, end, sumsLight, turn, from, to, format, greyChange: { coverages, greys } = {} } = request;
    const encode = LAYER_ENCODERS[format];
    const encoded: unknown[] = [];
    const valueSums: number[] = [];
    for (let layer = first; layer < end; layer++) {
      progress.report((layer - first) / (end - first));
      const shown = await job.layer(layer);
      const read = coverages ? toCoverages(shown, coverages) : shown;
      if (sumsLight) valueSums.push(litLayer(read, layer).sums.values);
      const { runs, cut } = fittedRuns(turnedRuns(read, turn), from, to);
      if (cut > 0) return { first, encoded, valueSums, cut: { layer, pixels: cut } };
      encoded.push(encode(greys ? toGreys(runs, greys) : runs, to.pixelMm, runs));
    }
    return { first, encoded, valueSums };
  });
