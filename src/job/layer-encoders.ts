import type { LayerRuns } from "../slice/rasterise-layer.ts";
import { encodeGooLayer } from "./encode-goo-layer.ts";
import { packedPngLayer } from "./encode-png-layer.ts";
import type { JobFormat } from "./job-writers.ts";

/**
 * Encodes any layer, in any order, on any thread, for the writer of each job format: the expensive part of a job. Not in the writers, with
 * which the answering thread starts.
 */
export const LAYER_ENCODERS: Readonly<Record<JobFormat, (layer: LayerRuns) => unknown>> = {
  form: packedPngLayer,
  sl1: packedPngLayer,
  sl1s: packedPngLayer,
  goo: encodeGooLayer,
};
