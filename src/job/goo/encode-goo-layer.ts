import type { LayerRuns } from "../../slice/raster/rasterise-layer.ts";
import { layerKernel } from "../layer-kernel.ts";

/** A layer's data in a `.goo` file: the magic byte, chunks of equal pixels, the checksum (`goo-chunks.as.ts`). */
export const encodeGooLayer = (layer: LayerRuns): Uint8Array => encodeChunks(layer, true);

/** A layer's data in a `.prz` file: as in a `.goo` file, without chunks that state differences, which its printer does not read (UVtools). */
export const encodePrzLayer = (layer: LayerRuns): Uint8Array => encodeChunks(layer, false);

function encodeChunks(layer: LayerRuns, hasDifferences: boolean): Uint8Array {
  const kernel = layerKernel(layer);
  return kernel.file.slice(0, kernel.writeGooChunks(hasDifferences));
}
