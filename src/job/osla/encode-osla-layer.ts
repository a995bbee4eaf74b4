import type { LayerRuns } from "../../slice/raster/rasterise-layer.ts";
import { type PixelBox, isEmptyBox, litPixels } from "../anycubic/lit-pixels.ts";
import { encodePngLayer } from "../encode-png-layer.ts";

/** A layer in an `.osla` file. */
export interface OslaLayer {
  readonly png: Uint8Array;
  readonly litPixels: number;
  /** Around the lit pixels; all 0 for a black layer. */
  readonly box: PixelBox;
}

const NO_BOX: PixelBox = { left: 0, top: 0, right: 0, bottom: 0 };

export function encodeOslaLayer(layer: LayerRuns): OslaLayer {
  const { count, box } = litPixels(layer);
  return { png: encodePngLayer(layer).slice(), litPixels: count, box: isEmptyBox(box) ? NO_BOX : box };
}
