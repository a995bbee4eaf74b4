import type { LayerRuns } from "../slice/rasterise-layer.ts";
import { anycubicEncoder } from "./anycubic/encode-anycubic-layer.ts";
import { encodeRle7Layer } from "./chitu/encode-rle7-layer.ts";
import { encodeLineLayer, encodeRunLayer } from "./creality/encode-creality-layer.ts";
import { encodeGooLayer } from "./goo/encode-goo-layer.ts";
import { packedPngLayer } from "./encode-png-layer.ts";
import type { JobFormat } from "./job-writers.ts";
import { nanodlpEncoder } from "./nanodlp/encode-nanodlp-layer.ts";
import { encodeOslaLayer } from "./osla/encode-osla-layer.ts";
import { encodeSvgxLayer } from "./svgx/encode-svgx-layer.ts";

/** `pixelMm`: size of a pixel across and down. */
type LayerEncoder = (layer: LayerRuns, pixelMm: readonly [number, number]) => unknown;

/**
 * Encodes any layer, in any order, on any thread, for the writer of each job format: the expensive part of a job. Not in the writers, with
 * which the answering thread starts.
 */
export const LAYER_ENCODERS: Readonly<Record<JobFormat, LayerEncoder>> = {
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
  "cxdlp-2": encodeLineLayer,
  "cxdlp-3": encodeLineLayer,
  "cxdlp-4": encodeRunLayer,
  nanodlp: nanodlpEncoder("rgb"),
  "nanodlp-grey": nanodlpEncoder("grey"),
  "chitu-zip": (layer) => packedPngLayer(layer),
  svgx: encodeSvgxLayer,
  osla: encodeOslaLayer,
};
