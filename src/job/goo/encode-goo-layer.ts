import type { LayerRuns } from "../../slice/rasterise-layer.ts";
import { layerKernel } from "../layer-kernel.ts";

/** A layer's data in a `.goo` file: the magic byte, chunks of equal pixels, the checksum (`goo-chunks.as.ts`). */
export function encodeGooLayer(layer: LayerRuns): Uint8Array {
  const kernel = layerKernel(layer);
  return kernel.file.slice(0, kernel.writeGooChunks());
}
