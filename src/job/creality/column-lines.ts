import type { LayerRuns } from "../../slice/raster/rasterise-layer.ts";
import { type ShapeExports, bytesFromShapes } from "../shape-kernel.ts";

/**
 * The pixels of a layer that are not black, as lines of equal pixels in columns, column by column, those of a column from the top down
 * (`column-lines.as.ts`).
 */
export const encodeColumnLines = (layer: LayerRuns): Uint8Array =>
  bytesFromShapes(layer, countedBytes, (exports, at) => {
    exports.writeLines(at);
    return exports.linesBytes.value >>> 0;
  });

function countedBytes(exports: ShapeExports): number {
  exports.countLines();
  return exports.linesBytes.value >>> 0;
}
