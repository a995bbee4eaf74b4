import type { LayerRuns } from "../../slice/raster/rasterise-layer.ts";
import { encodePw0Layer } from "./encode-pw0-layer.ts";
import { encodePwsLayer } from "./encode-pws-layer.ts";
import { type PixelBox, litPixels } from "./lit-pixels.ts";
import type { Greys } from "./tables.ts";

/** An encoded layer. */
export interface AnycubicLayer {
  readonly bytes: Uint8Array;
  readonly litPixels: number;
  readonly box: PixelBox;
}

/** Encodes layers for panels that show greys in one of the ways. */
export const anycubicEncoder =
  (greys: Greys) =>
  (layer: LayerRuns): AnycubicLayer => {
    const { count, box } = litPixels(layer);
    const bytes = greys === "TIME_SLICES" ? encodePwsLayer(layer) : encodePw0Layer(layer, greys === "BINARY");
    return { bytes, litPixels: count, box };
  };
