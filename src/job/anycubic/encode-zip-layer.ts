import { type PackedContent, deflated } from "../../codec/zip-writer.ts";
import type { LayerRuns } from "../../slice/raster/rasterise-layer.ts";
import { encodePw0Layer } from "./encode-pw0-layer.ts";
import { type LayerShape, layerShape } from "./layer-shape.ts";

/** A layer of a zip archive. */
export interface ZipLayer {
  readonly picture: PackedContent;
  readonly shape: LayerShape;
}

/** Rows that are alike become small at the fastest level already. */
const DEFLATE_LEVEL = 1;

export const encodeZipLayer = (layer: LayerRuns, _pixelMm?: unknown, coverages = layer): ZipLayer => ({
  picture: deflated([encodePw0Layer(layer, false)], DEFLATE_LEVEL),
  shape: layerShape(coverages),
});
