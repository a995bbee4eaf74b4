import { ensureCapacity } from "../../core/typed-arrays.ts";
import type { LayerRuns } from "../raster/rasterise-layer.ts";

/** Draws the means of pictures of `width` × `height` pixels, whose greys are rounded. The next mean overwrites the result. */
export function newMeanOfLayers(width: number, height: number): (layers: readonly LayerRuns[]) => LayerRuns {
  const rowStarts = new Uint32Array(height + 1);
  let [starts, ends] = [new Uint16Array(), new Uint16Array()];
  let values = new Uint8Array();
  /** The sum of greys of each pixel minus that of the pixel before it; zero between rows. */
  const changes = new Int32Array(width + 1);
  return (layers) => {
    const most = layers.reduce((sum, layer) => sum + 2 * layer.rowStarts[height], 0);
    [starts, ends, values] = [ensureCapacity(starts, most), ensureCapacity(ends, most), ensureCapacity(values, most)];
    let count = 0;
    for (let row = 0; row < height; row++) {
      let [first, last] = [width, 0];
      for (const layer of layers) {
        for (let run = layer.rowStarts[row]; run < layer.rowStarts[row + 1]; run++) {
          changes[layer.starts[run]] += layer.values[run];
          changes[layer.ends[run]] -= layer.values[run];
          first = Math.min(first, layer.starts[run]);
          last = Math.max(last, layer.ends[run]);
        }
      }
      let [from, grey, sum] = [first, 0, 0];
      for (let pixel = first; pixel <= last; pixel++) {
        if (changes[pixel] === 0) continue;
        sum += changes[pixel];
        changes[pixel] = 0;
        const next = Math.round(sum / layers.length);
        if (next === grey) continue;
        if (grey > 0) [starts[count], ends[count], values[count++]] = [from, pixel, grey];
        [from, grey] = [pixel, next];
      }
      rowStarts[row + 1] = count;
    }
    return { width, height, rowStarts, starts, ends, values };
  };
}
