import type { PackedContent } from "../../codec/zip-writer.ts";
import type { LayerRuns } from "../../slice/raster/rasterise-layer.ts";
import { packedPngLayer } from "../encode-png-layer.ts";
import { type LayerAreas, layerAreas } from "../layer-areas.ts";

/** A layer of a `.nanodlp` archive: its picture, and what `info.json` states about it. */
export interface NanodlpLayer {
  readonly png: PackedContent;
  readonly areas: LayerAreas;
}

/** `rgb`: three columns of the panel in a pixel. */
export const nanodlpEncoder =
  (colour: "grey" | "rgb") =>
  (layer: LayerRuns, _pixelMm?: unknown, coverages = layer): NanodlpLayer => ({
    png: packedPngLayer(layer, colour),
    areas: layerAreas(coverages),
  });
