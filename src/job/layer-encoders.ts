import { encodeZipLayer } from "./anycubic/encode-zip-layer.ts";
import type { LayerRuns } from "../slice/raster/rasterise-layer.ts";
import { anycubicEncoder } from "./anycubic/encode-anycubic-layer.ts";
import { encodePlanes } from "./chitu/encode-planes.ts";
import { encodeRle7Layer } from "./chitu/encode-rle7-layer.ts";
import { encodeLineLayer, encodeRunLayer } from "./creality/encode-creality-layer.ts";
import { encodeVufLayer } from "./goo/encode-vuf-layer.ts";
import { encodeGooLayer, encodePrzLayer } from "./goo/encode-goo-layer.ts";
import { packedPngLayer } from "./encode-png-layer.ts";
import type { JobFormat } from "./job-writers.ts";
import { nanodlpEncoder } from "./nanodlp/encode-nanodlp-layer.ts";
import { encodeOslaLayer } from "./osla/encode-osla-layer.ts";
import { encodeSvgxLayer } from "./svgx/encode-svgx-layer.ts";

/**
 * `pixelMm`: size of a pixel across and down. `coverages`: the layer before its pixels got the greys of a panel, of which formats state the
 * areas; by default the layer, which has the coverages as greys.
 */
type LayerEncoder = (layer: LayerRuns, pixelMm: readonly [number, number], coverages?: LayerRuns) => unknown;

/** Files of Chitubox's family have a list of pictures for each layer; in `.ctb` it has one. */
const ctbGreys = (layer: LayerRuns): readonly Uint8Array[] => [encodeRle7Layer(layer, false)];
const ctbBinary = (layer: LayerRuns): readonly Uint8Array[] => [encodeRle7Layer(layer, true)];

/**
 * Encodes any layer, in any order, on any thread, for the writer of each job format: the expensive part of a job. Not in the writers, with
 * which the answering thread starts.
 */
export const LAYER_ENCODERS: Readonly<Record<JobFormat, LayerEncoder>> = {
  form: (layer) => packedPngLayer(layer),
  sl1: (layer) => packedPngLayer(layer),
  sl1s: (layer) => packedPngLayer(layer),
  goo: encodeGooLayer,
  "goo-5": encodeVufLayer,
  prz: encodePrzLayer,
  "anycubic-1": anycubicEncoder("GREY"),
  "anycubic-1-slices": anycubicEncoder("TIME_SLICES"),
  "anycubic-516": anycubicEncoder("GREY"),
  "anycubic-516-binary": anycubicEncoder("BINARY"),
  "anycubic-517": anycubicEncoder("GREY"),
  "anycubic-517-binary": anycubicEncoder("BINARY"),
  "anycubic-518": anycubicEncoder("GREY"),
  "anycubic-zip": encodeZipLayer,
  "cxdlp-2": encodeLineLayer,
  "cxdlp-3": encodeLineLayer,
  "cxdlp-4": encodeRunLayer,
  cbddlp: (layer) => encodePlanes(layer, "GREY"),
  "cbddlp-binary": (layer) => encodePlanes(layer, "BINARY"),
  "ctb-2": ctbGreys,
  "ctb-2-binary": ctbBinary,
  "ctb-3": ctbGreys,
  "ctb-3-binary": ctbBinary,
  "ctb-4": ctbGreys,
  "ctb-4-binary": ctbBinary,
  nanodlp: nanodlpEncoder("rgb"),
  "nanodlp-grey": nanodlpEncoder("grey"),
  "chitu-zip": (layer) => packedPngLayer(layer),
  cws: (layer) => packedPngLayer(layer),
  "cws-rgb": (layer) => packedPngLayer(layer, "bgr"),
  "cws-xml": (layer) => packedPngLayer(layer, "rgba"),
  svgx: encodeSvgxLayer,
  osla: encodeOslaLayer,
};
