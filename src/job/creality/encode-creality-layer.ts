import type { LayerRuns } from "../../slice/raster/rasterise-layer.ts";
import { encodeRle7Layer } from "../chitu/encode-rle7-layer.ts";
import { encodeColumnLines } from "./column-lines.ts";
import { layerAreas } from "../layer-areas.ts";

/** A layer in a `.cxdlp` file. */
export interface CrealityLayer {
  readonly bytes: Uint8Array;
  /** Area of its largest region. */
  readonly largestPixels: number;
}

/** For versions 2 and 3, with all grey values. */
export const encodeLineLayer = (layer: LayerRuns, _pixelMm?: unknown, coverages = layer): CrealityLayer => ({
  largestPixels: layerAreas(coverages).largestPixels,
  bytes: encodeColumnLines(layer),
});

/** For version 4, in 128 grey levels. */
export const encodeRunLayer = (layer: LayerRuns, _pixelMm?: unknown, coverages = layer): CrealityLayer => ({
  bytes: encodeRle7Layer(layer, false),
  largestPixels: layerAreas(coverages).largestPixels,
});
