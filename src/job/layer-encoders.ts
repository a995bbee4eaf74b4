import type { LayerRuns } from "../slice/rasterise-layer.ts";
import { anycubicEncoder } from "./anycubic/encode-anycubic-layer.ts";
import { encodeRle7Layer } from "./chitu/encode-rle7-layer.ts";
import { encodeGooLayer } from "./encode-goo-layer.ts";
import { packedPngLayer } from "./encode-png-layer.ts";
import type { JobFormat } from "./job-writers.ts";
import { nanodlpEncoder } from "./nanodlp/encode-nanodlp-layer.ts";

/**
 * Encodes any layer, in any order, on any thread, for the writer of each job format: the expensive part of a job. Not in the writers, with
 * which the answering thread starts.
 */
export const LAYER_ENCODERS: Readonly<Record<JobFormat, (layer: LayerRuns) => unknown>> = {
  form: (layer) => packedPngLayer(layer),
  sl1: (layer) => packedPngLayer(layer),
  sl1s: (layer) => packedPngLayer(layer),
  goo: encodeGooLayer,
  "anycubic-1": anycubicEncoder("GREY"),
  "anycubic-1-slices": anycubicEncoder("TIME_SLICES"),
  "anycubic-516": anycubicEncoder("GREY"),
  "anycubic-516-binary": anycubicEncoder("BINARY"),
  "anycubic-517": anycubicEncoder("GREY"),
  "anycubic-517-binary": anycubicEncoder("BINARY"),
  "anycubic-518": anycubicEncoder("GREY"),
  "ctb-3": (layer) => encodeRle7Layer(layer, false),
  "ctb-3-binary": (layer) => encodeRle7Layer(layer, true),
  nanodlp: nanodlpEncoder("rgb"),
  "nanodlp-grey": nanodlpEncoder("grey"),
  "chitu-zip": (layer) => packedPngLayer(layer),
  cws: (layer) => packedPngLayer(layer),
  "cws-rgb": (layer) => packedPngLayer(layer, "bgr"),
  "cws-xml": (layer) => packedPngLayer(layer, "rgba"),
};
