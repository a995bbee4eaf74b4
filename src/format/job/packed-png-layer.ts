import { deflated, type PackedContent } from "../zip-writer.ts";
import type { LayerRuns } from "./layer-runs.ts";
import { encodePngLayer } from "./png/encode-png-layer.ts";

/**
 * Deflate cannot tell a long run of pixels in less than two bits per 258 of them, so that a large layer, even an empty
 * one, is kilobytes of a pattern. A second pass of the fastest kind makes a fifth to four fifths of it.
 */
const LEVEL = 1;

/** The layer as a PNG file, packed for a zip archive. */
export const packedPngLayer = (layer: LayerRuns): PackedContent => deflated([encodePngLayer(layer)], LEVEL);
