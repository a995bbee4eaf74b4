import { ensureCapacity } from "../core/typed-arrays.ts";
import type { LayerRuns } from "../slice/rasterise-layer.ts";

/** Makes a layer whose pixels of value v have the value `greyOf[v]`; `greyOf[0]` is 0. Overwritten by its next layer. */
export type Regrader = (layer: LayerRuns, greyOf: Uint8Array) => LayerRuns;

/** A regrader with memory of its own. */
export function newRegrader(): Regrader {
  let rowStarts = new Uint32Array();
  let [starts, ends] = [new Uint16Array(), new Uint16Array()];
  let values = new Uint8Array();
  return (layer, greyOf) => {
    const { width, height } = layer;
    const capacity = layer.rowStarts[height];
    rowStarts = ensureCapacity(rowStarts, height + 1);
    [starts, ends] = [ensureCapacity(starts, capacity), ensureCapacity(ends, capacity)];
    values = ensureCapacity(values, capacity);
    let count = 0;
    for (let row = 0; row < height; row++) {
      rowStarts[row] = count;
      for (let run = layer.rowStarts[row]; run < layer.rowStarts[row + 1]; run++) {
        const grey = greyOf[layer.values[run]];
        if (grey === 0) continue;
        const joins = count > rowStarts[row] && ends[count - 1] === layer.starts[run] && values[count - 1] === grey;
        if (!joins) [starts[count], values[count++]] = [layer.starts[run], grey];
        ends[count - 1] = layer.ends[run];
      }
    }
    rowStarts[height] = count;
    return { width, height, rowStarts, starts, ends, values };
  };
}
